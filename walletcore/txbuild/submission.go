package txbuild

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"billfold/content/share"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// AuthorShare is a co-author's share of the price, in hundredths of a percent.
type AuthorShare struct {
	_       struct{} `fc:"pair"`
	Account string   `json:"account"`
	Split   uint32   `json:"split"`
}

// PriceText is the price of content in a region.
type PriceText struct {
	Region string          `json:"region"`
	Amount json.RawMessage `json:"amount"`
	Symbol string          `json:"asset_symbol"`
}

// SubmitContentParams are the parameters of submit_content.
type SubmitContentParams struct {
	Author     string              `json:"author" role:"account" help:"account name or id"`
	CoAuthors  []AuthorShare       `json:"co_authors" help:"shares in hundredths of a percent"`
	URI        string              `json:"URI" help:"address of the content, as upload_package returns it"`
	Prices     []PriceText         `json:"price_amounts" help:"price in each region"`
	Size       uint64              `json:"size" help:"megabytes, 1 to 10000"`
	Hash       ledger.Hash160      `json:"hash" help:"of the package"`
	Seeders    []ledger.AccountID  `json:"seeders" help:"account ids of the seeders; none: whoever buys it needs no key"`
	Quorum     uint32              `json:"quorum" help:"how many seeders' parts make the key; 0 without seeders"`
	Expiration ledger.Time         `json:"expiration" help:"UTC, at least a day from now"`
	FeeAsset   string              `json:"publishing_fee_asset" role:"asset" help:"DCT"`
	FeeAmount  string              `json:"publishing_fee_amount" role:"amount" help:"decimal text; what seeders are paid from"`
	Synopsis   string              `json:"synopsis" help:"text; readers expect JSON with title, description and content_type_id"`
	Secret     string              `json:"secret" secret:"true" help:"the key of the content, a decimal number followed by a dot"`
	Custody    *ledger.CustodyData `json:"cd" help:"as create_package returns it; null without seeders"`
}

// SubmitContent offers content for sale. Without a package at hand nothing shows whether key and custody data belong to the hash; see
// package content for the check of one that is. Errors: fault.BadExpiration, fault.NoPrices, fault.NoCoAuthorTwice, fault.NoSuchSeeder,
// fault.FeesInDCT, fault.BadValue, fault.NoSuchContent for an address of no known kind, those of Payer, Receiver, Asset and Amount.
func SubmitContent(ctx context.Context, b *Builder, p SubmitContentParams) ([]ledger.Operation, error) {
	return b.offer(ctx, p, func(readers []ledger.BigInteger) ([]ledger.Ciphertext, error) {
		if len(readers) == 0 {
			return nil, nil
		}
		key, err := ContentKey(b.op, p.Secret)
		if err != nil {
			return nil, err
		}
		defer key.Wipe()
		return share.Parts(key, readers, p.Quorum)
	})
}

// PublishParams are SubmitContentParams with the parts of the key in place of the key, made for these seeders before.
type PublishParams struct {
	SubmitContentParams
	Parts []ledger.Ciphertext
}

// Publish is SubmitContent with parts of the key that were made before. That the seeders have the keys of then is one of the facts that are
// compared with what was accepted.
func Publish(ctx context.Context, b *Builder, p PublishParams) ([]ledger.Operation, error) {
	return b.offer(ctx, p.SubmitContentParams, func(readers []ledger.BigInteger) ([]ledger.Ciphertext, error) {
		if len(p.Parts) != len(readers) {
			return nil, badValue(b.op, fmt.Sprintf("there are %d parts of the key for %d seeders", len(p.Parts), len(readers)), "publish it anew")
		}
		return p.Parts, nil
	})
}

// ContentKey reads the text of a content key. Error: fault.BadValue.
func ContentKey(op, text string) (share.Key, error) {
	key, err := share.ParseKey(text)
	if err != nil {
		return key, badValue(op, err.Error(), "generate_encryption_key makes one")
	}
	return key, nil
}

// offer makes the operation; parts makes the parts of the key for seeders, whose public numbers it gets.
func (b *Builder) offer(ctx context.Context, p SubmitContentParams, parts func([]ledger.BigInteger) ([]ledger.Ciphertext, error)) ([]ledger.Operation, error) {
	author, err := b.Payer(ctx, p.Author)
	if err != nil {
		return nil, err
	}
	op := &ledger.ContentSubmitOp{Size: p.Size, Author: author.ID, URI: p.URI, Quorum: p.Quorum, Hash: p.Hash, Seeders: p.Seeders,
		Expiration: p.Expiration, Synopsis: p.Synopsis, CustodyData: p.Custody}
	if err := checkAddress(b.op, p.URI); err != nil {
		return nil, err
	}
	about := ledger.ReadSynopsis(p.Synopsis)
	if err := b.refuseKey("the title with the description", about.Title+" "+about.Description); err != nil { // of which each may have a half
		return nil, err
	}
	if op.CoAuthors, err = b.coAuthors(ctx, p.CoAuthors); err != nil {
		return nil, err
	}
	if op.Price, err = b.prices(ctx, p.Prices); err != nil {
		return nil, err
	}
	dct, err := b.dctAsset(ctx, p.FeeAsset)
	if err != nil {
		return nil, err
	}
	if op.PublishingFee, err = b.AmountOrZero(p.FeeAmount, dct); err != nil {
		return nil, err
	}
	days, err := b.daysUntil(ctx, p.Expiration)
	if err != nil {
		return nil, err
	}
	if err := checkQuorum(b.op, p); err != nil {
		return nil, err
	}
	readers, perDay, err := b.seeders(ctx, p)
	if err != nil {
		return nil, err
	}
	if least := perDay.Mul(perDay, big.NewInt(days)); least.Cmp(big.NewInt(op.PublishingFee.Amount)) > 0 {
		return nil, badValue(b.op, fmt.Sprintf("seeders cost %s DCT for %d days, and the publishing fee is %s DCT", dctText(least), days, p.FeeAmount),
			"pay more, for a shorter time, or choose cheaper seeders")
	}
	if op.KeyParts, err = parts(readers); err != nil {
		return nil, keyPartsFault(b.op, err)
	}
	return b.exactly(op)
}

// dctText writes an amount in smallest units that may be more than any balance.
func dctText(amount *big.Int) string {
	if amount.IsInt64() {
		return ledger.FormatAmount(amount.Int64(), ledgerview.DCT().Precision)
	}
	return "more than 90000000000"
}

func keyPartsFault(op string, err error) error {
	if errors.Is(err, share.ErrNumber) {
		return badValue(op, "a seeder has no public key for its part of the content key", "choose other seeders")
	}
	if errors.Is(err, share.ErrKeyRange) || errors.Is(err, share.ErrQuorum) {
		return badValue(op, err.Error(), "see get_help "+op)
	}
	return err
}

// checkAddress refuses an address that the ledger refuses.
func checkAddress(op, uri string) error {
	if uri == "" {
		return &fault.Error{Code: fault.NoSuchContent, Op: op, Message: "the address of the content is empty", Hint: "upload_package returns it; nothing was signed"}
	}
	scheme, rest, _ := strings.Cut(uri, ":")
	if rest == "" || !slices.Contains([]string{"ipfs", "magnet", "http", "https"}, scheme) {
		return &fault.Error{Code: fault.InvalidOperation, Op: op, Message: fault.Quote(uri) + " is not an address of content",
			Hint: "it begins with ipfs:, magnet:, http: or https:; nothing was signed"}
	}
	return nil
}

func (b *Builder) coAuthors(ctx context.Context, given []AuthorShare) ([]ledger.CoAuthor, error) {
	out := []ledger.CoAuthor{}
	for _, each := range given {
		account, err := b.Receiver(ctx, each.Account)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(a ledger.CoAuthor) bool { return a.Account == account.ID }) {
			return nil, &fault.Error{Code: fault.NoCoAuthorTwice, Op: b.op, Message: "the co-author " + account.Name + " is named twice",
				Hint: "add the shares up; nothing was signed"}
		}
		out = append(out, ledger.CoAuthor{Account: account.ID, Split: each.Split})
	}
	slices.SortFunc(out, func(a, b ledger.CoAuthor) int { return int(a.Account) - int(b.Account) }) // as the ledger's map has them
	return out, nil
}

func (b *Builder) prices(ctx context.Context, given []PriceText) ([]ledger.RegionalPrice, error) {
	if len(given) == 0 {
		return nil, &fault.Error{Code: fault.NoPrices, Op: b.op, Message: "the content has no price",
			Hint: `give one without a region, such as [{"region":"","amount":"2","asset_symbol":"DCT"}]; nothing was signed`}
	}
	out := []ledger.RegionalPrice{}
	for _, each := range given {
		region, known := ledger.RegionCode(each.Region)
		if !known {
			return nil, badValue(b.op, fault.Quote(each.Region)+" is not a region", `write "" for everywhere, "default", or a country's code such as AT`)
		}
		if slices.ContainsFunc(out, func(p ledger.RegionalPrice) bool { return p.Region == region }) {
			return nil, badValue(b.op, "there are two prices for "+ledger.RegionWords(region), "give one")
		}
		asset, err := b.Asset(ctx, each.Symbol)
		if err != nil {
			return nil, err
		}
		amount, err := b.AmountOrZero(amountText(each.Amount), asset)
		if err != nil {
			return nil, err
		}
		out = append(out, ledger.RegionalPrice{Region: region, Price: amount})
	}
	return out, nil
}

// amountText returns an amount that may be text or a number as text with the same digits.
func amountText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// secondsPerDay is the unit of what seeders are paid for.
const secondsPerDay = 86400

// daysUntil returns how many whole days content has until a time. Error: fault.BadExpiration if there is not one.
func (b *Builder) daysUntil(ctx context.Context, until ledger.Time) (int64, error) {
	now, err := b.view.Chain.HeadTime(ctx)
	if err != nil {
		return 0, err
	}
	days := (int64(until) - int64(now)) / secondsPerDay
	if days < 1 {
		return 0, &fault.Error{Code: fault.BadExpiration, Op: b.op, Message: "content has to be offered for at least a day, and " + until.String() + " is not a day from now",
			Hint: "the ledger's time is " + now.String() + "; nothing was signed"}
	}
	return days, nil
}

// checkQuorum compares seeders, quorum and custody data with each other.
func checkQuorum(op string, p SubmitContentParams) error {
	n := len(p.Seeders)
	sorted := slices.Sorted(slices.Values(p.Seeders))
	switch {
	case n == 0 && p.Quorum != 0:
		return badValue(op, fmt.Sprintf("content without seeders has no parts of a key, and the quorum is %d", p.Quorum), "the quorum is 0 without seeders")
	case n == 0:
		return nil
	case len(slices.Compact(sorted)) != n:
		return badValue(op, "a seeder is named twice", "name each once")
	case p.Quorum < 2 || int(p.Quorum) > n:
		return badValue(op, fmt.Sprintf("the quorum is %d of %d seeders", p.Quorum, n), "it is at least 2, and no more than there are seeders")
	case p.Custody == nil || p.Custody.N == 0 || p.Custody.PubKey == [33]byte{}:
		return badValue(op, "without custody data seeders cannot prove that they keep the content, so they are never paid", "create_package returns it")
	}
	return nil
}

// seeders returns the public numbers of the seeders, and what they ask for the content per day, all together, in smallest units of DCT.
func (b *Builder) seeders(ctx context.Context, p SubmitContentParams) (readers []ledger.BigInteger, perDay *big.Int, err error) {
	perDay = new(big.Int)
	for _, id := range p.Seeders {
		account, err := b.Account(ctx, id.String())
		if err != nil {
			return nil, nil, err
		}
		s, err := b.view.Quorum.Seeder(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		if s.FreeSpace <= p.Size {
			return nil, nil, badValue(b.op, fmt.Sprintf("the seeder %s has %d MB free, and the content has %d MB", account.Name, s.FreeSpace, p.Size), "choose another")
		}
		if s.Price.AssetID != ledger.CoreAsset || s.Price.Amount < 0 {
			return nil, nil, badValue(b.op, "the seeder "+account.Name+" does not say what it asks in DCT", "choose another")
		}
		b.rest(seederFacts(s)...)
		readers = append(readers, s.PubKey)
		perDay.Add(perDay, big.NewInt(s.Price.Amount))
	}
	return readers, perDay.Mul(perDay, new(big.Int).SetUint64(p.Size)), nil
}

// seederFacts returns the key that a seeder's part of a content key is encrypted for. A node that named another could read the part itself.
func seederFacts(s *ledger.Seeder) []ledgerview.Fact {
	return []ledgerview.Fact{{Kind: "the seeder", Subject: s.Seeder.String(), Name: "key for parts of content keys", Value: s.PubKey.S}}
}

// addressRule is the reason why most of what a content object says never changes.
const addressRule = "the author and the package of content never change"

// contentFacts returns what content at an address is, and what it costs in a region.
func contentFacts(c *ledger.Content, region string, price ledger.AssetAmount) []ledgerview.Fact {
	fact := func(name, value string) ledgerview.Fact {
		return ledgerview.Fact{Kind: "the content", Subject: c.URI, Name: name, Value: value, Rule: addressRule}
	}
	cost := fact("price in "+region, fmt.Sprintf("%d of %s", price.Amount, price.AssetID))
	cost.Rule = ""
	return []ledgerview.Fact{fact("object", c.ID.Object().String()), fact("author", c.Author.String()), fact("hash", c.Hash.String()), cost}
}

// BuyContentParams are the parameters of download_content.
type BuyContentParams struct {
	Consumer string `json:"consumer" role:"account" help:"account name or id"`
	URI      string `json:"URI" help:"address of the content"`
	Region   string `json:"region_code_from" help:"default, a country's code of two letters, or empty = none"`
}

// BuyContent buys content at the price that it is offered for. Errors: those of RequestToBuy and CheckPurchase.
func BuyContent(ctx context.Context, b *Builder, p BuyContentParams) ([]ledger.Operation, error) {
	consumer, err := b.Payer(ctx, p.Consumer)
	if err != nil {
		return nil, err
	}
	region, known := ledger.RegionCode(p.Region)
	if !known {
		return nil, badValue(b.op, fault.Quote(p.Region)+" is not a region", `write "", "default", or a country's code such as AT`)
	}
	key, err := b.readingKey(consumer)
	if err != nil {
		return nil, err
	}
	offer, err := b.view.Quorum.Offer(ctx, p.URI)
	if err != nil {
		return nil, err
	}
	price, sold := offer.Price.In(region)
	if !sold {
		return nil, notSold(b.op, offer, region)
	}
	b.rest(contentFacts(offer, ledger.RegionWords(region), price)...)
	cost, err := b.priceInDCT(ctx, price)
	if err != nil {
		return nil, err
	}
	buy := &ledger.RequestToBuyOp{URI: p.URI, Consumer: consumer.ID, Price: cost, RegionCodeFrom: region, PubKey: key}
	if err := b.checkPurchase(ctx, offer, buy); err != nil {
		return nil, err
	}
	return b.exactly(buy)
}

// priceInDCT returns a price in DCT, in which all content is paid, by the published rate of its asset.
func (b *Builder) priceInDCT(ctx context.Context, price ledger.AssetAmount) (ledger.AssetAmount, error) {
	dct, err := b.Asset(ctx, ledgerview.DCT().Symbol)
	if err != nil {
		return price, err
	}
	if price.AssetID != dct.ID {
		asset, err := b.Asset(ctx, price.AssetID.String())
		if err != nil {
			return price, err
		}
		if price.Amount, err = b.view.Prices.InDCT(ctx, ledger.FormatAmount(price.Amount, asset.Precision), asset.ID.String()); err != nil {
			return price, err
		}
	}
	return b.AmountOrZero(ledger.FormatAmount(price.Amount, dct.Precision), dct)
}

// ReportStatsParams are the parameters of ReportStats: what a consumer got from seeders.
type ReportStatsParams struct {
	Consumer string
	Stats    []ledger.SeederStat
}

// ReportStats reports how many bytes seeders delivered, by which they are rated. It pays nobody. Errors: those of Payer.
func ReportStats(ctx context.Context, b *Builder, p ReportStatsParams) ([]ledger.Operation, error) {
	consumer, err := b.Payer(ctx, p.Consumer)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.ReportStatsOp{Consumer: consumer.ID, Stats: p.Stats})
}
