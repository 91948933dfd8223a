package ledger

// Codes of the operations on the pools of an asset.
const (
	CodeAssetFundPools OpCode = 33 // asset_fund_pools
	CodeAssetClaimFees OpCode = 35 // asset_claim_fees
)

// AssetFundPoolsOp pays into the pools of an asset.
type AssetFundPoolsOp struct {
	Fee         AssetAmount `json:"fee,omitempty"`
	FromAccount AccountID   `json:"from_account"`
	UIAAsset    AssetAmount `json:"uia_asset"`
	DCTAsset    AssetAmount `json:"dct_asset"`
	Extensions  Extensions  `json:"extensions"`
}

// FeePayer returns the account that pays in.
func (op *AssetFundPoolsOp) FeePayer() AccountID { return op.FromAccount }

func (*AssetFundPoolsOp) declared() *declaration { return &assetFundPoolsDeclaration }

var assetFundPoolsDeclaration = declaration{
	code: CodeAssetFundPools, name: "asset_fund_pools", new: empty[AssetFundPoolsOp],
	fee:     flatFee(500_000),
	rules:   rules((*AssetFundPoolsOp).valid),
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *AssetFundPoolsOp) []Movement {
		return []Movement{
			{From: op.FromAccount.Object(), Amount: op.UIAAsset},
			{From: op.FromAccount.Object(), Amount: op.DCTAsset},
		}
	}),
	sentence: template("{from_account} paid {uia_asset} and {dct_asset} into the asset's pools"),
}

// effects names the issuer, who can take out whatever is paid into the pools.
func (op *AssetFundPoolsOp) effects(before Before, n Namer) []Effect {
	asset := n.AssetName(op.UIAAsset.AssetID)
	current := before.Asset(op.UIAAsset.AssetID)
	if current == nil {
		return []Effect{{What: "pools of " + asset, Unnamed: true,
			Careful: "the issuer of " + asset + ", who is not known here, can take out all that is paid in"}}
	}
	e := Effect{What: "pools of " + asset, Now: "belong to " + withID(current.Issuer, n) + ", who issues " + asset}
	if current.Issuer != op.FromAccount {
		e.Careful = withID(current.Issuer, n) + " issues " + asset + " and can take out all that is paid in"
		e.Whom = []AccountID{current.Issuer}
	}
	return []Effect{e}
}

func (op *AssetFundPoolsOp) valid() error { return validPools(op.UIAAsset, op.DCTAsset) }

// AssetClaimFeesOp takes collected fees out of the pools.
type AssetClaimFeesOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	Issuer     AccountID   `json:"issuer"`
	UIAAsset   AssetAmount `json:"uia_asset"`
	DCTAsset   AssetAmount `json:"dct_asset"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *AssetClaimFeesOp) FeePayer() AccountID { return op.Issuer }

func (*AssetClaimFeesOp) declared() *declaration { return &assetClaimFeesDeclaration }

var assetClaimFeesDeclaration = declaration{
	code: CodeAssetClaimFees, name: "asset_claim_fees", new: empty[AssetClaimFeesOp],
	fee:     flatFee(500_000),
	rules:   rules((*AssetClaimFeesOp).valid),
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *AssetClaimFeesOp) []Movement {
		return []Movement{
			{To: op.Issuer.Object(), Amount: op.UIAAsset},
			{To: op.Issuer.Object(), Amount: op.DCTAsset},
		}
	}),
	sentence: template("{issuer} took {uia_asset} and {dct_asset} out of the asset's pools"),
}

func (op *AssetClaimFeesOp) valid() error { return validPools(op.UIAAsset, op.DCTAsset) }

func validPools(uia, dct AssetAmount) error {
	return check(require(uia.Amount >= 0 && dct.Amount >= 0, "neither amount may be negative"),
		require(uia.Amount > 0 || dct.Amount > 0, "one of the amounts must be more than zero"),
		require(dct.AssetID == CoreAsset, "the second amount must be in DCT"))
}
