package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// issuedAsset finds an asset, and its issuer as the account that acts and pays.
func (b *Builder) issuedAsset(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, *ledger.Account, error) {
	asset, by, err := b.view.Quorum.IssuedAsset(ctx, symbolOrID)
	if err != nil {
		return asset, nil, err
	}
	b.words.assets = append(b.words.assets, assetWord{symbolOrID, asset})
	b.rest(issuerFact(asset, by))
	issuer, err := b.Payer(ctx, by.String())
	return asset, issuer, err
}

// checkSymbolFree returns fault.AssetExists if there is an asset with this symbol.
func (b *Builder) checkSymbolFree(ctx context.Context, symbol string) error {
	if b.Repeated() {
		return nil
	}
	switch _, err := b.view.Assets.Get(ctx, symbol); {
	case err == nil:
		return &fault.Error{Code: fault.AssetExists, Op: b.op, Hint: "choose another symbol",
			Message: "there is an asset " + fault.Quote(symbol) + " already"}
	case fault.CodeOf(err) != fault.NoSuchAsset:
		return err
	}
	return nil
}

// CreateUserIssuedAssetParams are the parameters of create_user_issued_asset.
type CreateUserIssuedAssetParams struct {
	Issuer       string       `json:"issuer"              role:"account" help:"account name or id"`
	Symbol       string       `json:"symbol"              help:"3 to 16 capital letters, digits and points"`
	Precision    uint8        `json:"precision"           help:"decimals, at most 12"`
	Description  string       `json:"description"         help:"at most 1000 bytes"`
	MaxSupply    uint64       `json:"max_supply"          help:"in smallest units"`
	Rate         ledger.Price `json:"core_exchange_rate"  help:"what it is worth in DCT; write 1.3.1 for the new asset"`
	Exchangeable bool         `json:"is_exchangeable"     help:"true: fees may be paid in it"`
	FixedSupply  bool         `json:"is_fixed_max_supply" help:"true: max_supply can never change"`
}

// CreateUserIssuedAsset creates an asset. Errors: fault.AssetExists, those of Payer.
func CreateUserIssuedAsset(ctx context.Context, b *Builder, p CreateUserIssuedAssetParams) ([]ledger.Operation, error) {
	issuer, err := b.Payer(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	if err := b.checkSymbolFree(ctx, p.Symbol); err != nil {
		return nil, err
	}
	if p.MaxSupply > ledger.MaxShareSupply {
		return nil, &fault.Error{Code: fault.AmountLimit, Op: b.op, Message: "no asset may have so large a maximum supply",
			Hint: "write at most 7319777577456890"}
	}
	if err := b.checkRate(p.Rate); err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetCreateOp{
		Issuer: issuer.ID, Symbol: p.Symbol, Precision: p.Precision, Description: p.Description, IsExchangeable: true,
		Options: ledger.AssetOptions{MaxSupply: int64(p.MaxSupply), CoreExchangeRate: p.Rate, IsExchangeable: p.Exchangeable,
			Extensions: []ledger.AssetExtension{{FixedSupply: &ledger.FixedSupply{IsFixedMaxSupply: p.FixedSupply}}}},
	})
}

// checkRate refuses a price with an amount that is not positive, or with the same asset on both sides. Error: fault.BadValue.
func (b *Builder) checkRate(p ledger.Price) error {
	if err := p.Valid(); err != nil {
		return badValue(b.op, "the core exchange rate cannot be used: "+err.Error(), "write amounts above zero")
	}
	return nil
}

// UpdateUserIssuedAssetParams are the parameters of update_user_issued_asset.
type UpdateUserIssuedAssetParams struct {
	Symbol       string       `json:"symbol"             role:"asset" help:"symbol or id"`
	NewIssuer    string       `json:"new_issuer"         help:"account name or id; empty = the issuer stays"`
	Description  string       `json:"description"        help:"at most 1000 bytes"`
	MaxSupply    uint64       `json:"max_supply"         help:"in smallest units"`
	Rate         ledger.Price `json:"core_exchange_rate" help:"what it is worth in DCT"`
	Exchangeable bool         `json:"is_exchangeable"    help:"true: fees may be paid in it"`
}

// UpdateUserIssuedAsset changes an asset, as its issuer. Errors: fault.NoSuchAsset, those of Payer.
func UpdateUserIssuedAsset(ctx context.Context, b *Builder, p UpdateUserIssuedAssetParams) ([]ledger.Operation, error) {
	asset, issuer, err := b.issuedAsset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	if err := b.checkRate(p.Rate); err != nil {
		return nil, err
	}
	op := &ledger.UpdateUserIssuedAssetOp{Issuer: issuer.ID, AssetToUpdate: asset.ID, NewDescription: p.Description,
		MaxSupply: p.MaxSupply, CoreExchangeRate: p.Rate, IsExchangeable: p.Exchangeable}
	if p.NewIssuer != "" {
		to, err := b.Receiver(ctx, p.NewIssuer)
		if err != nil {
			return nil, err
		}
		op.NewIssuer = &to.ID
	}
	return b.exactly(op)
}

// IssueAssetParams are the parameters of issue_asset.
type IssueAssetParams struct {
	To     string `json:"to_account" help:"account name or id"`
	Amount string `json:"amount"     role:"amount" help:"decimal text in the asset's precision"`
	Symbol string `json:"symbol"     role:"asset"  help:"symbol or id"`
	Memo   string `json:"memo"       help:"encrypted for the recipient; empty = none"`
}

// IssueAsset issues new units of an asset, as its issuer. Errors: those of Payer, Asset and Amount.
func IssueAsset(ctx context.Context, b *Builder, p IssueAssetParams) ([]ledger.Operation, error) {
	asset, issuer, err := b.issuedAsset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	memo, err := b.Memo(issuer, to, p.Memo, false)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetIssueOp{Issuer: issuer.ID, AssetToIssue: amount, IssueToAccount: to.ID, Memo: memo})
}

// ReserveAssetParams are the parameters of reserve_asset.
type ReserveAssetParams struct {
	From   string `json:"from"   role:"account" help:"account name or id"`
	Amount string `json:"amount" role:"amount"  help:"decimal text in the asset's precision"`
	Symbol string `json:"symbol" role:"asset"   help:"symbol or id"`
}

// ReserveAsset burns an amount of a user-issued asset. Its issuer may issue that amount
// again.
func ReserveAsset(ctx context.Context, b *Builder, p ReserveAssetParams) ([]ledger.Operation, error) {
	payer, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetReserveOp{Payer: payer.ID, AmountToReserve: amount})
}

// CreateMonitoredAssetParams are the parameters of create_monitored_asset.
type CreateMonitoredAssetParams struct {
	Issuer       string `json:"issuer"            help:"account name or id"`
	Symbol       string `json:"symbol"            help:"3 to 16 capital letters, digits and points"`
	Precision    uint8  `json:"precision"         help:"decimals, at most 12"`
	Description  string `json:"description"       help:"at most 1000 bytes"`
	FeedLifetime uint32 `json:"feed_lifetime_sec" help:"seconds after which a published price no longer counts"`
	MinimumFeeds uint8  `json:"minimum_feeds"     help:"how many must publish a price"`
}

// CreateMonitoredAsset creates an asset whose price the miners publish. Only they may sign
// it, so it is useful unsigned, in a proposal. Errors: fault.AssetExists, those of Account.
func CreateMonitoredAsset(ctx context.Context, b *Builder, p CreateMonitoredAssetParams) ([]ledger.Operation, error) {
	issuer, err := b.Account(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	if err := b.checkSymbolFree(ctx, p.Symbol); err != nil {
		return nil, err
	}
	if _, err := b.Payer(ctx, ledger.MinerAccount.String()); err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetCreateOp{
		Issuer: issuer.ID, Symbol: p.Symbol, Precision: p.Precision, Description: p.Description, IsExchangeable: true,
		Options:            ledger.AssetOptions{IsExchangeable: true},
		MonitoredAssetOpts: &ledger.MonitoredAssetOptions{FeedLifetimeSec: p.FeedLifetime, MinimumFeeds: p.MinimumFeeds},
	})
}

// UpdateMonitoredAssetParams are the parameters of update_monitored_asset.
type UpdateMonitoredAssetParams struct {
	Symbol       string `json:"symbol"            role:"asset" help:"symbol or id"`
	Description  string `json:"description"       help:"at most 1000 bytes"`
	FeedLifetime uint32 `json:"feed_lifetime_sec" help:"seconds after which a published price no longer counts"`
	MinimumFeeds uint8  `json:"minimum_feeds"     help:"how many must publish a price"`
}

// UpdateMonitoredAsset changes a monitored asset, as its issuer. Errors:
// fault.NoSuchAsset, those of Payer.
func UpdateMonitoredAsset(ctx context.Context, b *Builder, p UpdateMonitoredAssetParams) ([]ledger.Operation, error) {
	asset, issuer, err := b.issuedAsset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.UpdateMonitoredAssetOp{Issuer: issuer.ID, AssetToUpdate: asset.ID, NewDescription: p.Description,
		NewFeedLifetimeSec: p.FeedLifetime, NewMinimumFeeds: p.MinimumFeeds})
}

// PublishAssetFeedParams are the parameters of publish_asset_feed.
type PublishAssetFeedParams struct {
	Publisher string           `json:"publishing_account" role:"account" help:"name or id of a miner's account"`
	Symbol    string           `json:"symbol"             role:"asset" help:"symbol or id"`
	Feed      ledger.PriceFeed `json:"feed"               help:"its core_exchange_rate is what the asset is worth in DCT"`
}

// PublishAssetFeed publishes what a monitored asset is worth.
func PublishAssetFeed(ctx context.Context, b *Builder, p PublishAssetFeedParams) ([]ledger.Operation, error) {
	publisher, err := b.Payer(ctx, p.Publisher)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	if err := b.checkRate(p.Feed.CoreExchangeRate); err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetPublishFeedOp{Publisher: publisher.ID, AssetID: asset.ID, Feed: p.Feed})
}

// PoolParams are an amount of an asset and an amount of DCT.
type PoolParams struct {
	AssetAmount string `json:"uia_amount" help:"decimal text in the asset's precision; 0 = none"`
	AssetSymbol string `json:"uia_symbol" role:"asset" help:"symbol or id"`
	DCTAmount   string `json:"dct_amount" help:"decimal text; 0 = none"`
	DCTSymbol   string `json:"dct_symbol" help:"DCT"`
}

// FundAssetPoolsParams are the parameters of fund_asset_pools.
type FundAssetPoolsParams struct {
	From        string `json:"from"       role:"account" help:"account name or id"`
	AssetAmount string `json:"uia_amount" help:"decimal text in the asset's precision; 0 = none"`
	AssetSymbol string `json:"uia_symbol" role:"asset" help:"symbol or id"`
	DCTAmount   string `json:"dct_amount" help:"decimal text; 0 = none"`
	DCTSymbol   string `json:"dct_symbol" help:"DCT"`
}

// FundAssetPools pays into the pools of an asset, which are used to exchange fees paid in it.
func FundAssetPools(ctx context.Context, b *Builder, p FundAssetPoolsParams) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.AssetSymbol)
	if err != nil {
		return nil, err
	}
	of, dct, err := b.poolAmounts(ctx, asset, PoolParams{p.AssetAmount, p.AssetSymbol, p.DCTAmount, p.DCTSymbol})
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetFundPoolsOp{FromAccount: from.ID, UIAAsset: of, DCTAsset: dct})
}

// ClaimFees withdraws collected fees from the pools of an asset, as its issuer.
func ClaimFees(ctx context.Context, b *Builder, p PoolParams) ([]ledger.Operation, error) {
	asset, issuer, err := b.issuedAsset(ctx, p.AssetSymbol)
	if err != nil {
		return nil, err
	}
	of, dct, err := b.poolAmounts(ctx, asset, p)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetClaimFeesOp{Issuer: issuer.ID, UIAAsset: of, DCTAsset: dct})
}

// poolAmounts parses both amounts. Each may be zero.
func (b *Builder) poolAmounts(ctx context.Context, asset ledgerview.AssetRef, p PoolParams) (of, dct ledger.AssetAmount, err error) {
	if of, err = b.AmountOrZero(p.AssetAmount, asset); err != nil {
		return of, dct, err
	}
	core, err := b.dctAsset(ctx, p.DCTSymbol)
	if err != nil {
		return of, dct, err
	}
	dct, err = b.AmountOrZero(p.DCTAmount, core)
	return of, dct, err
}

// dctAsset finds an asset that must be DCT. Error: fault.BadValue.
func (b *Builder) dctAsset(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, error) {
	asset, err := b.Asset(ctx, symbolOrID)
	if err == nil && asset.ID != ledger.CoreAsset {
		err = &fault.Error{Code: fault.BadValue, Op: b.op, Message: "this takes an amount of DCT, not of " + asset.Symbol,
			Hint: "write DCT"}
	}
	return asset, err
}
