package ledger

// Codes of the asset operations.
const (
	CodeAssetCreate                   OpCode = 3  // asset_create
	CodeAssetIssue                    OpCode = 4  // asset_issue
	CodeAssetPublishFeed              OpCode = 5  // asset_publish_feed
	CodeAssetFundPools                OpCode = 33 // asset_fund_pools
	CodeAssetReserve                  OpCode = 34 // asset_reserve
	CodeAssetClaimFees                OpCode = 35 // asset_claim_fees
	CodeUpdateUserIssuedAsset         OpCode = 36 // update_user_issued_asset
	CodeUpdateMonitoredAsset          OpCode = 37 // update_monitored_asset
	CodeUpdateUserIssuedAssetAdvanced OpCode = 40 // update_user_issued_asset_advanced
)

// AssetCreateOp creates an asset; the outer is_exchangeable has no effect.
type AssetCreateOp struct {
	Fee                AssetAmount            `json:"fee"`
	Issuer             AccountID              `json:"issuer"`
	Symbol             string                 `json:"symbol"`
	Precision          uint8                  `json:"precision"`
	Description        string                 `json:"description"`
	Options            AssetOptions           `json:"options"`
	MonitoredAssetOpts *MonitoredAssetOptions `json:"monitored_asset_opts,omitempty"`
	IsExchangeable     bool                   `json:"is_exchangeable"`
	Extensions         Extensions             `json:"extensions"`
}

// FeePayer is the issuer; of a monitored asset, which the miners create, 1.2.0.
func (op *AssetCreateOp) FeePayer() AccountID {
	if op.MonitoredAssetOpts != nil {
		return MinerAccount
	}
	return op.Issuer
}

// AssetIssueOp issues units of an asset to an account.
type AssetIssueOp struct {
	Fee            AssetAmount `json:"fee"`
	Issuer         AccountID   `json:"issuer"`
	AssetToIssue   AssetAmount `json:"asset_to_issue"`
	IssueToAccount AccountID   `json:"issue_to_account"`
	Memo           *Memo       `json:"memo,omitempty"`
	Extensions     Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssetIssueOp) FeePayer() AccountID { return op.Issuer }

// AssetPublishFeedOp says what a monitored asset is worth.
type AssetPublishFeedOp struct {
	Fee        AssetAmount `json:"fee"`
	Publisher  AccountID   `json:"publisher"`
	AssetID    AssetID     `json:"asset_id"`
	Feed       PriceFeed   `json:"feed"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssetPublishFeedOp) FeePayer() AccountID { return op.Publisher }

// AssetFundPoolsOp pays into the pools of an asset.
type AssetFundPoolsOp struct {
	Fee         AssetAmount `json:"fee"`
	FromAccount AccountID   `json:"from_account"`
	UIAAsset    AssetAmount `json:"uia_asset"`
	DCTAsset    AssetAmount `json:"dct_asset"`
	Extensions  Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssetFundPoolsOp) FeePayer() AccountID { return op.FromAccount }

// AssetReserveOp burns units of an asset.
type AssetReserveOp struct {
	Fee             AssetAmount `json:"fee"`
	Payer           AccountID   `json:"payer"`
	AmountToReserve AssetAmount `json:"amount_to_reserve"`
	Extensions      Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssetReserveOp) FeePayer() AccountID { return op.Payer }

// AssetClaimFeesOp takes collected fees out of the pools.
type AssetClaimFeesOp struct {
	Fee        AssetAmount `json:"fee"`
	Issuer     AccountID   `json:"issuer"`
	UIAAsset   AssetAmount `json:"uia_asset"`
	DCTAsset   AssetAmount `json:"dct_asset"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssetClaimFeesOp) FeePayer() AccountID { return op.Issuer }

// UpdateUserIssuedAssetOp changes a user-issued asset.
type UpdateUserIssuedAssetOp struct {
	Fee              AssetAmount `json:"fee"`
	Issuer           AccountID   `json:"issuer"`
	AssetToUpdate    AssetID     `json:"asset_to_update"`
	NewDescription   string      `json:"new_description"`
	NewIssuer        *AccountID  `json:"new_issuer,omitempty"`
	MaxSupply        uint64      `json:"max_supply"`
	CoreExchangeRate Price       `json:"core_exchange_rate"`
	IsExchangeable   bool        `json:"is_exchangeable"`
	Extensions       Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *UpdateUserIssuedAssetOp) FeePayer() AccountID { return op.Issuer }

// UpdateMonitoredAssetOp changes a monitored asset.
type UpdateMonitoredAssetOp struct {
	Fee                AssetAmount `json:"fee"`
	Issuer             AccountID   `json:"issuer"`
	AssetToUpdate      AssetID     `json:"asset_to_update"`
	NewDescription     string      `json:"new_description"`
	NewFeedLifetimeSec uint32      `json:"new_feed_lifetime_sec"`
	NewMinimumFeeds    uint8       `json:"new_minimum_feeds"`
	Extensions         Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *UpdateMonitoredAssetOp) FeePayer() AccountID { return op.Issuer }

// UpdateUserIssuedAssetAdvancedOp changes precision or fixes the supply of a user-issued asset.
type UpdateUserIssuedAssetAdvancedOp struct {
	Fee               AssetAmount `json:"fee"`
	Issuer            AccountID   `json:"issuer"`
	AssetToUpdate     AssetID     `json:"asset_to_update"`
	NewPrecision      uint8       `json:"new_precision"`
	SetFixedMaxSupply bool        `json:"set_fixed_max_supply"`
	Extensions        Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *UpdateUserIssuedAssetAdvancedOp) FeePayer() AccountID { return op.Issuer }
