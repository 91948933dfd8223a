package txbuild

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// ContentCancellationParams are the parameters of content_cancellation.
type ContentCancellationParams struct {
	Author string `json:"author" role:"account" help:"account name or id"`
	URI    string `json:"URI"                   help:"address of the content"`
}

// CancelContent takes content off sale, as its author. Errors: those of Payer.
func CancelContent(ctx context.Context, b *Builder, p ContentCancellationParams) ([]ledger.Operation, error) {
	author, err := b.Payer(ctx, p.Author)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.ContentCancellationOp{Author: author.ID, URI: p.URI})
}

// RequestToBuyParams are the parameters of request_to_buy.
type RequestToBuyParams struct {
	Consumer string `json:"consumer"             role:"account" help:"account name or id"`
	URI      string `json:"URI"                  help:"address of the content"`
	Asset    string `json:"price_asset_name"     role:"asset"   help:"symbol or id"`
	Price    string `json:"price_amount"         role:"amount"  help:"decimal text; at least what the content costs"`
	Region   string `json:"str_region_code_from" help:"default, a two-letter country code, or empty = none"`
}

// RequestToBuy buys content. The ledger holds the price until seeders have delivered the content's key,
// encrypted for the account's single active key. Whether anybody offers content at the address is left to the ledger, as in the
// reference. Errors: fault.NotOneKey, fault.KeyNotInWallet, those of Payer, Asset, Amount and CheckPurchase.
func RequestToBuy(ctx context.Context, b *Builder, p RequestToBuyParams) ([]ledger.Operation, error) {
	consumer, err := b.Payer(ctx, p.Consumer)
	if err != nil {
		return nil, err
	}
	key, err := b.readingKey(consumer)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Asset)
	if err != nil {
		return nil, err
	}
	price, err := b.AmountOrZero(p.Price, asset)
	if err != nil {
		return nil, err
	}
	region, known := ledger.RegionCode(p.Region)
	if !known {
		region = ledger.RegionNone // as in the reference
	}
	buy := &ledger.RequestToBuyOp{URI: p.URI, Consumer: consumer.ID, Price: price, RegionCodeFrom: region, PubKey: key}
	offer, err := b.view.Contents.Get(ctx, p.URI)
	if err == nil {
		err = b.checkPurchase(ctx, offer, buy)
	} else if fault.CodeOf(err) == fault.NoSuchContent {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	return b.exactly(buy)
}

// checkPurchase is CheckPurchase, now and once more right before the purchase is signed. A purchase that was made before is only compared.
func (b *Builder) checkPurchase(ctx context.Context, offer *ledger.Content, buy *ledger.RequestToBuyOp) error {
	if b.repeated {
		return nil
	}
	b.hasty = "the offer was changed meanwhile, so it would not cost what you have read"
	return CheckPurchase(ctx, b.view, b.op, offer, buy)
}

// CheckPurchase returns why the ledger would not take a purchase of what is offered. Errors: fault.NoSuchContent for what was withdrawn,
// fault.NotSoldInRegion, fault.StateChanged for a price that rose, fault.BoughtAlready, the daemon's.
func CheckPurchase(ctx context.Context, view *ledgerview.View, op string, offer *ledger.Content, buy *ledger.RequestToBuyOp) error {
	bought, err := view.Purchases.Of(ctx, buy.Consumer.String(), buy.URI)
	if err != nil {
		return err
	}
	if bought != nil && !bought.Lapsed() {
		return &fault.Error{Code: fault.BoughtAlready, Op: op, Hint: "nothing was signed; get_download_status reports what of it has arrived",
			Message: "the account " + view.Accounts.Ref(buy.Consumer).Name + " has bought it already, as " + bought.ID.String()}
	}
	if err := checkOnOffer(ctx, view, op, offer); err != nil {
		return err
	}
	price, sold := offer.Price.In(buy.RegionCodeFrom)
	if !sold {
		return notSold(op, offer, buy.RegionCodeFrom)
	}
	if price.AssetID != buy.Price.AssetID || price.Amount <= buy.Price.Amount {
		return nil // or a matter of rates, which the ledger knows
	}
	if free, err := view.Subscriptions.Active(ctx, buy.Consumer, offer.Author); free || err != nil {
		return err
	}
	asset, err := view.Quorum.Asset(ctx, price.AssetID.String())
	if err != nil {
		return err
	}
	return &fault.Error{Code: fault.StateChanged, Op: op, Hint: "nothing was signed; look at the price and decide anew",
		Message: fmt.Sprintf("it costs %s %s now, not %s", ledger.FormatAmount(price.Amount, asset.Precision), asset.Symbol,
			ledger.FormatAmount(buy.Price.Amount, asset.Precision))}
}

// CheckRating returns why the ledger would not take a rating. Errors: fault.NoSuchContent, fault.NoSuchPurchase for what was not bought or not
// delivered, fault.StateChanged for what was rated already, the daemon's.
func CheckRating(ctx context.Context, view *ledgerview.View, op string, rate *ledger.LeaveRatingAndCommentOp) error {
	if _, err := view.Contents.Get(ctx, rate.URI); err != nil {
		return err
	}
	bought, err := view.Purchases.Of(ctx, rate.Consumer.String(), rate.URI)
	if err != nil {
		return err
	}
	by, hint := "the account "+view.Accounts.Ref(rate.Consumer).Name, "nothing was signed; search_my_purchases shows what the account bought"
	switch {
	case bought == nil:
		return &fault.Error{Code: fault.NoSuchPurchase, Op: op, Message: by + " has not bought " + fault.Quote(rate.URI), Hint: hint}
	case !bought.Delivered:
		return &fault.Error{Code: fault.NoSuchPurchase, Op: op, Message: "the key of " + fault.Quote(rate.URI) + " has not been delivered to " + by, Hint: hint}
	case bought.IsRatedOrCommented:
		return &fault.Error{Code: fault.StateChanged, Op: op, Message: by + " has rated " + fault.Quote(rate.URI) + " already", Hint: "nothing was signed; a rating stays as it is"}
	}
	return nil
}

// CheckWithdrawal returns why the ledger would not take content off sale. Errors: fault.NoSuchContent also for what is off sale already,
// fault.Denied for that of another author, the daemon's.
func CheckWithdrawal(ctx context.Context, view *ledgerview.View, op string, withdraw *ledger.ContentCancellationOp) error {
	offer, err := view.Contents.Get(ctx, withdraw.URI)
	if err != nil {
		return err
	}
	if offer.Author != withdraw.Author {
		names, err := view.Accounts.ByID(ctx, []ledger.AccountID{offer.Author})
		if err != nil {
			return err
		}
		by := offer.Author.String()
		if author := names[offer.Author]; author != nil {
			by = author.Name
		}
		return &fault.Error{Code: fault.Denied, Op: op, Message: fault.Quote(withdraw.URI) + " is offered by " + by + ", who alone can withdraw it", Hint: "nothing was signed"}
	}
	return checkOnOffer(ctx, view, op, offer)
}

// checkOnOffer refuses content that was withdrawn or whose time is over. Error: fault.NoSuchContent.
func checkOnOffer(ctx context.Context, view *ledgerview.View, op string, offer *ledger.Content) error {
	now, err := view.Chain.HeadTime(ctx)
	if err != nil {
		return err
	}
	why := ""
	switch {
	case offer.IsBlocked:
		why = " was taken off sale by its author"
	case offer.Expiration <= now:
		why = " was on offer until " + offer.Expiration.String() + " UTC"
	default:
		return nil
	}
	return &fault.Error{Code: fault.NoSuchContent, Op: op, Message: fault.Quote(offer.URI) + why, Hint: "nothing was signed; search_content finds what is on offer"}
}

// notSold returns the refusal of a region in which an offer has no price.
func notSold(op string, offer *ledger.Content, region uint32) error {
	where := ledger.RegionWords(region)
	if region == ledger.RegionNone {
		where = "all regions at one price"
	}
	return &fault.Error{Code: fault.NotSoldInRegion, Op: op, Message: fault.Quote(offer.URI) + " is not sold in " + where,
		Hint: "it is sold in " + offer.Price.Words() + "; name such a region; nothing was signed"}
}

// readingKey returns the El Gamal public key for which an account's content keys are encrypted.
func (b *Builder) readingKey(account *ledger.Account) (ledger.BigInteger, error) {
	key, err := ReadingKey(b.op, account)
	if err != nil {
		return ledger.BigInteger{}, err
	}
	return b.vault.ElGamalPublic(b.op, key)
}

// ReadingKey returns the key whose El Gamal pair opens what an account buys: its single active key. Error: fault.NotOneKey.
func ReadingKey(op string, account *ledger.Account) (ledger.PublicKey, error) {
	if len(account.Active.KeyAuths) != 1 {
		return ledger.PublicKey{}, &fault.Error{Code: fault.NotOneKey, Op: op,
			Message: "the account " + account.Name + " does not have exactly one active key, so no content key can be encrypted for it",
			Hint:    "buy with an account that has one"}
	}
	return account.Active.KeyAuths[0].Key, nil
}

// LeaveRatingParams are the parameters of leave_rating_and_comment.
type LeaveRatingParams struct {
	Consumer string `json:"consumer" role:"account" help:"account name or id"`
	URI      string `json:"URI"      help:"address of the content"`
	Rating   uint64 `json:"rating"   help:"1 to 5"`
	Comment  string `json:"comment"  help:"at most 100 bytes; empty = none"`
}

// maxRating is the best rating.
const maxRating = 5

// LeaveRating rates content that was bought. Errors: fault.BadValue, those of Payer.
func LeaveRating(ctx context.Context, b *Builder, p LeaveRatingParams) ([]ledger.Operation, error) {
	if p.Rating < 1 || p.Rating > maxRating {
		return nil, &fault.Error{Code: fault.BadValue, Op: b.op, Message: "a rating is 1 to 5", Hint: "5 is the best"}
	}
	consumer, err := b.Payer(ctx, p.Consumer)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.LeaveRatingAndCommentOp{URI: p.URI, Consumer: consumer.ID, Comment: p.Comment, Rating: p.Rating})
}
