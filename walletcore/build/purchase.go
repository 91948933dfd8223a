package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
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
// encrypted for the account's single active key. Errors: fault.NotOneKey, fault.KeyNotInWallet, those of
// Payer, Asset and Amount.
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
	return b.exactly(&ledger.RequestToBuyOp{URI: p.URI, Consumer: consumer.ID, Price: price, RegionCodeFrom: region, PubKey: key})
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
			Message: account.Name + " does not have exactly one active key, so no content key can be encrypted for it",
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
