package build

import (
	"context"

	"billfold/ledger"
)

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
