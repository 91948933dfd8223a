package tui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/tui/page/content"
	"billfold/tui/screen"
	corecontent "billfold/walletcore/content"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// shop is the wallet as the page of content needs it.
type shop struct{ payer }

// maxListed is the number of rows that the node is asked for.
const maxListed = 100

// List implements content.Core.
func (s shop) List(ctx context.Context, which content.List, by ledgerview.AccountRef, term string) (out []content.Item, err error) {
	switch which {
	case content.UnderWay:
		for _, t := range s.wallet.Content.Tasks() {
			if t.State != corecontent.Done {
				out = append(out, content.TaskItem(t))
			}
		}
		return out, nil
	case content.Bought:
		return s.bought(ctx, by)
	case content.Published:
		return s.published(ctx, by)
	}
	found, err := s.search(ctx, ledgerview.ContentSearch{Term: term, Order: "-created", Count: maxListed})
	if err != nil {
		return nil, err
	}
	if out, err = s.offers(ctx, found); err != nil || by.ID == 0 {
		return out, err
	}
	return out, s.markOwned(ctx, by, out)
}

// markOwned marks the offers that an account has bought, or is buying.
func (s shop) markOwned(ctx context.Context, by ledgerview.AccountRef, offers []content.Item) error {
	found, err := s.wallet.View.Purchases.Search(ctx, ledgerview.PurchaseSearch{Consumer: by.ID.String(), Order: "-purchased", Count: maxListed})
	if err != nil {
		return err
	}
	for i := range offers {
		o := &offers[i]
		o.Owned = slices.ContainsFunc(found, func(p ledgerview.Purchase) bool { return p.URI == o.URI && !p.Lapsed() })
		if o.Owned {
			o.State = "bought"
		}
	}
	return nil
}

// published returns what an account published.
func (s shop) published(ctx context.Context, by ledgerview.AccountRef) ([]content.Item, error) {
	latest, err := s.Payments.ListOf(ctx, by.ID.String(), corecontent.SubmitKeys, maxListed)
	if err != nil {
		return nil, err
	}
	var submitted []*ledger.ContentSubmitOp
	for _, p := range latest {
		if p.State == payment.Rejected.String() || p.State == payment.Expired.String() {
			continue
		}
		whole, err := s.Payments.Get(ctx, p.TransactionID.String())
		if err != nil {
			return nil, err
		}
		if whole.Transaction == nil {
			continue
		}
		for _, op := range whole.Transaction.Operations {
			if submit, is := op.Body.(*ledger.ContentSubmitOp); is && submit.Author == by.ID {
				submitted = append(submitted, submit)
			}
		}
	}
	found, err := corecontent.Published(submitted, func(region string) ([]ledger.ContentSummary, error) {
		return s.search(ctx, ledgerview.ContentSearch{User: by.Name, Region: region, Order: "-created", Count: maxListed})
	})
	if err != nil {
		return nil, err
	}
	return s.offers(ctx, found)
}

func (s shop) search(ctx context.Context, search ledgerview.ContentSearch) ([]ledger.ContentSummary, error) {
	found, err := s.wallet.View.Contents.Search(ctx, search)
	if err != nil {
		return nil, err
	}
	out := make([]ledger.ContentSummary, len(found))
	for i, raw := range found {
		if err := codec.Unmarshal(raw, &out[i]); err != nil {
			return nil, fault.Daemon("searching content", err)
		}
	}
	return out, nil
}

func (s shop) offers(ctx context.Context, found []ledger.ContentSummary) (out []content.Item, err error) {
	for _, c := range found {
		author, asset, err := s.refs(ctx, c.Author, c.Price.AssetID)
		if err != nil {
			return nil, err
		}
		i := content.OfferItem(c, author, asset)
		if !i.Open { // the node calls withdrawn what is expired as well
			if offer, err := s.wallet.View.Contents.Get(ctx, c.URI); err == nil && offer.IsBlocked {
				i.State = "withdrawn"
			}
		}
		out = append(out, i)
	}
	return out, nil
}

// refs returns an account and an asset with their names.
func (s shop) refs(ctx context.Context, name string, asset ledger.AssetID) (ledgerview.AccountRef, ledgerview.AssetRef, error) {
	who, err := s.wallet.View.Accounts.Named(ctx, name)
	if err != nil {
		return who, ledgerview.AssetRef{}, err
	}
	of, err := s.wallet.View.Assets.Get(ctx, asset.String())
	if err != nil {
		return who, ledgerview.AssetRef{}, err
	}
	return who, ledgerview.AssetRef{ID: of.ID, Symbol: of.Symbol, Precision: of.Precision}, nil
}

func (s shop) bought(ctx context.Context, by ledgerview.AccountRef) (out []content.Item, err error) {
	found, err := s.wallet.View.Purchases.Search(ctx, ledgerview.PurchaseSearch{Consumer: by.ID.String(), Order: "-purchased", Count: maxListed})
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if done, total, status, known := s.wallet.Content.Progress(p.URI, p.Hash); known {
			p.ReceivedDownloadBytes, p.TotalDownloadBytes, p.StatusText = done, total, status
		}
		author, asset, err := s.refs(ctx, p.Author, p.PaidBeforeExchange.AssetID)
		if err != nil {
			return nil, err
		}
		offer, err := s.wallet.View.Contents.Get(ctx, p.URI)
		if err != nil {
			return nil, err
		}
		out = append(out, content.PurchaseItem(p, author, asset, offer.Quorum))
	}
	return out, nil
}

// Buy implements content.Core.
func (s shop) Buy(ctx context.Context, by ledgerview.AccountRef, uri, region string) (screen.Built, error) {
	p := txbuild.BuyContentParams{Consumer: by.ID.String(), URI: uri, Region: region}
	built, err := s.build(ctx, txbuild.NewRequest("download_content", p, s.wallet.Content.Buy))
	if _, others := built.(screen.Unsigned); others || err != nil {
		return built, err
	}
	return screen.Around(built, func(ctx context.Context, send func(context.Context) (payment.Payment, error)) (payment.Payment, error) {
		held, err := s.wallet.Content.Prepare(ctx, p) // it downloads what it buys
		if err != nil {
			return payment.Payment{}, err
		}
		var sent payment.Payment
		if check := held.Commit(); check != nil {
			err = check()
		}
		if err == nil {
			sent, err = send(ctx)
		}
		if settled := held.Settle(err); err == nil && settled != nil {
			s.wallet.Content.Logger.Warn("content: a download cannot be recorded", "error", settled)
		}
		return sent, err
	}), nil
}

// Withdraw implements content.Core.
func (s shop) Withdraw(ctx context.Context, by ledgerview.AccountRef, uri string) (screen.Built, error) {
	return s.build(ctx, txbuild.NewRequest("content_cancellation", txbuild.ContentCancellationParams{Author: by.ID.String(), URI: uri}, txbuild.CancelContent))
}

// Fetch implements content.Core.
func (s shop) Fetch(ctx context.Context, uri string) error {
	return s.wallet.Content.Fetch(ctx, "download_package", uri)
}

// Tasks implements content.Core.
func (s shop) Tasks() []corecontent.Task { return s.wallet.Content.Tasks() }

// Cancel implements content.Core.
func (s shop) Cancel(id string) error { return s.wallet.Content.Cancel("cancel_content_task", id) }

// Extract implements content.Core.
func (s shop) Extract(ctx context.Context, bought *ledger.Buying, hash ledger.Hash160, quorum uint32, folder string) error {
	const op = "extract_package"
	text, err := vault.RestoreContentKey(s.wallet.Vault, op, bought.PubKey, bought.KeyParticles, quorum)
	if err != nil {
		return corecontent.OpenFault(bought, err)
	}
	defer clear(text)
	key, err := txbuild.ContentKey(op, string(text))
	if err != nil {
		return err
	}
	defer key.Wipe()
	whole, err := filepath.Abs(folder)
	if err != nil {
		return &fault.Error{Code: fault.BadValue, Op: op, Message: "the folder cannot be found: " + err.Error(), Hint: "name it with its whole path"}
	}
	return corecontent.OpenFault(bought, s.wallet.Content.Extract(ctx, op, hash, corecontent.Folder{Path: whole, Anywhere: true}, key))
}

// Plan implements content.Core.
func (s shop) Plan(ctx context.Context, by ledgerview.AccountRef, d content.Draft) (content.Plan, error) {
	now, err := s.wallet.View.Chain.HeadTime(ctx)
	if err != nil {
		return nil, err
	}
	if d.Expiration, err = corecontent.ParseUntil(d.Until, now); err != nil {
		return nil, refusal(err)
	}
	if d.Seeders, err = s.seeders(ctx, d.Keep, now); err != nil {
		return nil, err
	}
	d.Author = by.ID.String()
	made, err := s.wallet.Content.Plan(ctx, d.Publication)
	if err != nil {
		return nil, err
	}
	tried, err := s.Payments.DryRun(ctx, made.Request, payment.Sending{})
	if err != nil {
		made.Wipe()
		return nil, err
	}
	return plan{s, made, tried}, nil
}

func refusal(err error) error {
	return &fault.Error{Code: fault.BadValue, Op: "submit_content_async", Message: err.Error(), Hint: "nothing was done"}
}

// seeders returns who keeps content.
func (s shop) seeders(ctx context.Context, keep content.Seeders, now ledger.Time) ([]ledger.AccountID, error) {
	out := []ledger.AccountID{}
	for _, name := range keep.Names {
		who, err := s.wallet.View.Accounts.Named(ctx, name)
		if err != nil {
			return nil, err
		}
		out = append(out, who.ID)
	}
	if len(out) > 0 || keep.Count == 0 {
		return out, nil
	}
	raw, err := s.wallet.View.Contents.SeedersBy(ctx, keep.Order, maxListed)
	if keep.Region != "" {
		raw, err = s.wallet.View.Contents.SeedersIn(ctx, keep.Region)
	}
	if err != nil {
		return nil, err
	}
	list := make([]ledger.Seeder, len(raw))
	for i := range raw {
		err = errors.Join(err, codec.Unmarshal(raw[i], &list[i]))
	}
	if err != nil {
		return nil, fault.Daemon("listing seeders", err)
	}
	if out, err = corecontent.ChooseSeeders(list, keep.Count, keep.Order, 0, now); err != nil {
		return nil, refusal(err)
	}
	return out, nil
}

// plan is a publication that was checked.
type plan struct {
	shop  shop
	made  *corecontent.Plan
	tried txbuild.DryRun
}

// Review implements content.Plan.
func (p plan) Review() txbuild.Review { return p.tried.Review }

// Publish implements content.Plan.
func (p plan) Publish(ctx context.Context) error {
	if err := p.shop.wallet.Build.HandOut(ctx, p.tried, true); err != nil {
		return err
	}
	defer p.made.Wipe()
	return p.shop.wallet.Content.Publish(ctx, p.made)
}
