package txbuild

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// before is the ledger as it is while a review is made, read from as many daemons as have to agree. What cannot be read is missing,
// and the first error is kept.
type before struct {
	ctx   context.Context // of the review; before does not outlive it
	view  *ledgerview.Quorum
	now   ledger.Time              // of the head block
	votes map[ledger.VoteID]string // those that the request names
	err   error
}

func newBefore(ctx context.Context, view *ledgerview.View, votes map[ledger.VoteID]string) *before {
	_, now, _ := view.Chain.Position()
	return &before{ctx: ctx, view: view.Quorum, now: now, votes: votes}
}

// Present returns the ledger as it is now, to compute the effects of operations with. It adds everything that these name to
// mentions. The result must not be used after ctx ends. Errors: the daemon's.
func Present(ctx context.Context, view *ledgerview.View, ops []ledger.Operation, mentions *ledgerview.Mentions) (ledger.Before, error) {
	state := newBefore(ctx, view, nil)
	all := ledger.Together(state, ops)
	for _, op := range ops {
		ledger.Effects(op, all, mentions)
	}
	if err := state.fault(); err != nil {
		return nil, err
	}
	return state, nil
}

// fault returns the error of what could not be read.
func (b *before) fault() error {
	if b.err == nil {
		return nil
	}
	return fault.Daemon("reading what would change", b.err)
}

// Account implements ledger.Before.
func (b *before) Account(id ledger.AccountID) *ledger.Account {
	found, err := b.view.Account(b.ctx, id.String())
	if fault.CodeOf(err) == fault.NoSuchAccount {
		return nil // refusing it is up to the ledger
	}
	b.note(err)
	return found
}

// Asset implements ledger.Before.
func (b *before) Asset(id ledger.AssetID) *ledger.Asset {
	found, err := b.view.WholeAsset(b.ctx, id)
	switch fault.CodeOf(err) {
	case fault.NoSuchAsset: // refusing it is up to the ledger
		return nil
	case fault.DaemonContradicts: // checkCertain refuses to sign it
		return nil
	}
	b.note(err)
	return found
}

// Proposal implements ledger.Before.
func (b *before) Proposal(id ledger.ProposalID) *ledger.Proposal {
	p, err := b.view.Proposal(b.ctx, id)
	b.note(err)
	return p
}

// Parameters implements ledger.Before.
func (b *before) Parameters() *ledger.ChainParameters {
	p, err := b.view.Parameters(b.ctx)
	b.note(err)
	return p
}

// VoteName implements ledger.Before.
func (b *before) VoteName(id ledger.VoteID) string {
	if name := b.votes[id]; name != "" {
		return name
	}
	return "miner with the vote " + id.String()
}

func (b *before) note(err error) {
	if b.err == nil {
		b.err = err
	}
}

// Subscription implements ledger.Before.
func (b *before) Subscription(subscriber, author ledger.AccountID) *ledger.Terms {
	by := b.Account(author)
	if by == nil {
		return nil
	}
	days := by.Options.SubscriptionPeriod
	until, err := b.view.SubscribedUntil(b.ctx, subscriber, author)
	b.note(err)
	return b.inCore(ledger.Terms{
		Price: by.Options.PricePerSubscribe, Days: days, Closed: !by.Options.AllowSubscription,
		Until: max(b.now, until).After(uint64(days) * 86400),
	})
}

// Content implements ledger.Before.
func (b *before) Content(uri string, region uint32) *ledger.Terms {
	offer, err := b.view.Offer(b.ctx, uri)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return &ledger.Terms{Closed: true}
	}
	if b.note(err); err != nil {
		return nil
	}
	price, sold := offer.Price.In(region)
	by := []ledger.AccountID{offer.Author}
	for _, other := range offer.CoAuthors {
		if other.Account != offer.Author {
			by = append(by, other.Account)
		}
	}
	return b.inCore(ledger.Terms{Price: price, Closed: !sold, By: by, Package: fmt.Sprintf("%d MB with the hash %s", offer.Size, offer.Hash)})
}

// inCore converts terms whose price is in a monitored asset to DCT at the published price, as the ledger does.
func (b *before) inCore(a ledger.Terms) *ledger.Terms {
	if a.Closed || a.Price.AssetID == ledger.CoreAsset {
		return &a
	}
	asset := b.Asset(a.Price.AssetID)
	if asset == nil || asset.MonitoredAssetOpts == nil {
		return &a
	}
	worth, err := asset.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate.Convert(a.Price)
	if err != nil {
		return nil // the ledger has no price for it either
	}
	a.Price = worth
	return &a
}
