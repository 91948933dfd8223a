package ledger

import "billfold/ledger/codec"

// AssetOptions are the settings of an asset, in the reference's order.
type AssetOptions struct {
	MaxSupply        int64            `json:"max_supply"`
	CoreExchangeRate Price            `json:"core_exchange_rate"`
	IsExchangeable   bool             `json:"is_exchangeable"`
	Extensions       []AssetExtension `json:"extensions" fc:"set"`
}

// SetDefaults sets the members whose default is not zero.
func (o *AssetOptions) SetDefaults() { o.MaxSupply, o.IsExchangeable = MaxShareSupply, true }

// AssetExtension is a variant: type 0 nothing, type 1 the fixed supply.
type AssetExtension struct {
	_           struct{}     `fc:"variant"`
	Void        *Void        `json:"void"`
	FixedSupply *FixedSupply `json:"fixed_supply"`
}

// FixedSupply marks an asset whose maximum supply can never change.
type FixedSupply struct {
	IsFixedMaxSupply bool `json:"is_fixed_max_supply"`
}

// PriceFeed is a miner's price for a monitored asset.
type PriceFeed struct {
	CoreExchangeRate Price `json:"core_exchange_rate"`
}

// FeedEntry is the latest feed of one publisher.
type FeedEntry struct {
	_         struct{}  `fc:"pair"`
	Publisher AccountID `json:"publisher"`
	Feed      DatedFeed `json:"feed"`
}

// DatedFeed is a feed with the time of its publication.
type DatedFeed struct {
	_    struct{}  `fc:"pair"`
	Time Time      `json:"time"`
	Feed PriceFeed `json:"feed"`
}

// MonitoredAssetOptions are the additional settings of an asset whose price comes from feeds.
type MonitoredAssetOptions struct {
	Feeds                      []FeedEntry `json:"feeds" fc:"map"`
	CurrentFeed                PriceFeed   `json:"current_feed"`
	CurrentFeedPublicationTime Time        `json:"current_feed_publication_time"`
	FeedLifetimeSec            uint32      `json:"feed_lifetime_sec"`
	MinimumFeeds               uint8       `json:"minimum_feeds"`
}

// SetDefaults sets the members whose default is not zero.
func (o *MonitoredAssetOptions) SetDefaults() { o.FeedLifetimeSec, o.MinimumFeeds = 86400, 1 }

// Asset is the object 1.3.N.
type Asset struct {
	ID                 AssetID                `json:"id"`
	Symbol             string                 `json:"symbol"`
	Precision          uint8                  `json:"precision"`
	Issuer             AccountID              `json:"issuer"`
	Description        string                 `json:"description"`
	MonitoredAssetOpts *MonitoredAssetOptions `json:"monitored_asset_opts,omitempty"`
	Options            AssetOptions           `json:"options"`
	DynamicAssetDataID AssetDynamicDataID     `json:"dynamic_asset_data_id"`
}

// MarshalJSON writes the object as the node does.
func (a Asset) MarshalJSON() ([]byte, error) { return codec.Marshal(a) }

// UnmarshalJSON reads the object.
func (a *Asset) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, a) }
