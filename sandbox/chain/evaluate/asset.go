package evaluate

import (
	"strings"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func assetRules() []registration {
	return []registration{
		operationRule[*ledger.AssetCreateOp]{
			validate: validateAssetCreate, evaluate: evaluateAssetCreate, apply: applyAssetCreate, keeps: corePoolShare,
		},
		operationRule[*ledger.AssetIssueOp]{
			validate: stateless[*ledger.AssetIssueOp], evaluate: evaluateAssetIssue, apply: applyAssetIssue,
		},
		operationRule[*ledger.AssetReserveOp]{
			validate: stateless[*ledger.AssetReserveOp], evaluate: evaluateAssetReserve, apply: applyAssetReserve,
		},
		operationRule[*ledger.AssetPublishFeedOp]{validate: validateFeed, evaluate: evaluateFeed, apply: applyFeed},
		operationRule[*ledger.UpdateUserIssuedAssetOp]{
			validate: validateUserAsset, evaluate: evaluateUserAsset, apply: applyUserAsset,
		},
		operationRule[*ledger.UpdateUserIssuedAssetAdvancedOp]{validate: validateAdvanced, evaluate: evaluateAdvanced, apply: applyAdvanced},
		operationRule[*ledger.UpdateMonitoredAssetOp]{
			validate: stateless[*ledger.UpdateMonitoredAssetOp], evaluate: evaluateMonitored, apply: applyMonitored,
		},
		operationRule[*ledger.AssetFundPoolsOp]{
			validate: validateFunding,
			evaluate: func(e *Engine, op *ledger.AssetFundPoolsOp) *nodeerr.Error { return funding(op).evaluateFunding(e) },
			apply: func(e *Engine, op *ledger.AssetFundPoolsOp) (ledger.OperationResult, *nodeerr.Error) {
				return voidResult(), funding(op).move(e, 1)
			},
		},
		operationRule[*ledger.AssetClaimFeesOp]{
			validate: stateless[*ledger.AssetClaimFeesOp],
			evaluate: func(e *Engine, op *ledger.AssetClaimFeesOp) *nodeerr.Error { return claim(op).evaluateClaim(e) },
			apply: func(e *Engine, op *ledger.AssetClaimFeesOp) (ledger.OperationResult, *nodeerr.Error) {
				return voidResult(), claim(op).move(e, -1)
			},
		},
	}
}

// findAsset returns the asset, or a fault if there is none.
func findAsset(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Error) {
	if asset := e.Assets.Get(id); asset != nil {
		return asset, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

// findUserIssued returns the asset, or a fault if there is none, or if it is
// monitored or DCT.
func findUserIssued(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Error) {
	asset, fault := findAsset(e, id)
	if fault == nil && (asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset) {
		fault = refuse("!asset_to_update->is_monitored_asset() && asset_to_update->id != asset_id_type(): ${s} is not a user-issued asset",
			nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

// verifyIssuer returns a fault unless issuer is the issuer of the asset.
func verifyIssuer(asset *ledger.Asset, issuer ledger.AccountID) *nodeerr.Error {
	if asset.Issuer == issuer {
		return nil
	}
	return refuse("o.issuer == asset_to_update->issuer: the issuer is ${a.issuer}",
		nodeerr.Data{"o.issuer": issuer, "a.issuer": asset.Issuer})
}

// findMonitored returns the asset, or a fault if there is none or if it is not
// monitored.
func findMonitored(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Error) {
	asset, fault := findAsset(e, id)
	if fault == nil && asset.MonitoredAssetOpts == nil {
		fault = refuse("a.is_monitored_asset(): ${s} is not a monitored asset", nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

// fixedSupply returns the extension that decides whether the maximum supply can
// change, or nil.
func fixedSupply(o ledger.AssetOptions) *ledger.FixedSupply {
	for _, e := range o.Extensions {
		if e.FixedSupply != nil {
			return e.FixedSupply
		}
	}
	return nil
}

// corePoolShare returns the part of the creation fee with which an asset's core
// pool starts. The reference adds the odd unit of an odd fee to both halves; here
// it is collected, so that no unit is created out of nothing.
func corePoolShare(core int64) int64 { return core / 2 }

func validateAssetCreate(op *ledger.AssetCreateOp) *nodeerr.Error {
	if fault := stateless(op); fault != nil {
		return fault
	}
	if op.MonitoredAssetOpts == nil && op.Options.CoreExchangeRate.Valid() != nil {
		return invalid("core_exchange_rate: ${why}", nodeerr.Data{"why": ledger.ErrPrice.Error()})
	}
	return nil
}

// evaluateAssetCreate makes the checks that the node makes since its last hard
// fork, which is older than any ledger that starts now.
func evaluateAssetCreate(e *Engine, op *ledger.AssetCreateOp) *nodeerr.Error {
	if e.Assets.BySymbol(op.Symbol) != nil {
		return refuse("asset_symbol_itr == asset_indx.end(): the symbol ${s} is taken", nodeerr.Data{"s": op.Symbol})
	}
	if fault := verifyParent(e, op); fault != nil {
		return fault
	}
	fixed := fixedSupply(op.Options) != nil
	m := op.MonitoredAssetOpts
	switch {
	case m == nil && !fixed:
		return refuse("count_fixed_max_supply_ext: a user-issued asset says whether its maximum supply is fixed", nil)
	case m != nil && fixed:
		return refuse("!count_fixed_max_supply_ext: a monitored asset has no maximum supply", nil)
	case m != nil && m.FeedLifetimeSec <= uint32(e.Parameters().BlockInterval):
		return refuse("op.monitored_asset_opts->feed_lifetime_sec > block_interval: ", nil)
	}
	return nil
}

// verifyParent requires A.B to be created by the issuer of A.
func verifyParent(e *Engine, op *ledger.AssetCreateOp) *nodeerr.Error {
	prefix, _, dotted := strings.Cut(op.Symbol, ".")
	if !dotted {
		return nil
	}
	parent := e.Assets.BySymbol(prefix)
	data := nodeerr.Data{"s": op.Symbol, "p": prefix}
	if parent == nil {
		return refuse(
			"asset_symbol_itr != asset_indx.end(): Asset ${s} may only be created by issuer of ${p}, but ${p} has not been registered",
			data)
	}
	if parent.Issuer != op.Issuer {
		return refuse("asset_symbol_itr->issuer == op.issuer: Asset ${s} may only be created by issuer of ${p}", data)
	}
	return nil
}

func applyAssetCreate(e *Engine, op *ledger.AssetCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	worth := op.Fee
	if paid := e.Assets.Get(op.Fee.AssetID); paid.ID != ledger.CoreAsset {
		worth, _ = paid.Options.CoreExchangeRate.Convert(op.Fee) // prepareFee did the same
	}
	a := ledger.Asset{
		Symbol: op.Symbol, Precision: op.Precision, Issuer: op.Issuer, Description: op.Description,
		Options: op.Options, MonitoredAssetOpts: op.MonitoredAssetOpts,
	}
	id := e.Assets.Next()
	if rate := &a.Options.CoreExchangeRate; rate.Base.AssetID == ledger.CoreAsset {
		rate.Quote.AssetID = id
	} else {
		rate.Base.AssetID = id
	}
	e.Assets.Add(a)
	e.Assets.ChangeData(id, func(d *state.AssetData) { d.CorePool = corePoolShare(worth.Amount) })
	return objectResult(id.Object()), nil
}

func evaluateAssetIssue(e *Engine, op *ledger.AssetIssueOp) *nodeerr.Error {
	asset, fault := findAsset(e, op.AssetToIssue.AssetID)
	if fault != nil {
		return fault
	}
	supply, fits := ledger.AddAmounts(e.Assets.Data(asset.ID).CurrentSupply, op.AssetToIssue.Amount)
	switch {
	case asset.Issuer != op.Issuer:
		return refuse("o.issuer == a.issuer: only ${i} issues ${s}", nodeerr.Data{"i": asset.Issuer, "s": asset.Symbol})
	case asset.MonitoredAssetOpts != nil:
		return refuse("!a.is_monitored_asset(): Cannot manually issue a market-issued asset.", nil)
	case !fits || supply > asset.Options.MaxSupply:
		return refuse("(asset_dyn_data->current_supply + o.asset_to_issue.amount) <= a.options.max_supply: more than ${m} cannot exist",
			nodeerr.Data{
				"m": amountText(e.State, ledger.AssetAmount{Amount: asset.Options.MaxSupply, AssetID: asset.ID}),
			})
	case e.Accounts.Get(op.IssueToAccount) == nil:
		return refuse("d.find_object(o.issue_to_account): Attempt to issue an asset to a non-existing account", nil)
	}
	return nil
}

func applyAssetIssue(e *Engine, op *ledger.AssetIssueOp) (ledger.OperationResult, *nodeerr.Error) {
	return voidResult(), issue(e.State, op.IssueToAccount, op.AssetToIssue)
}

func evaluateAssetReserve(e *Engine, op *ledger.AssetReserveOp) *nodeerr.Error {
	asset, fault := findAsset(e, op.AmountToReserve.AssetID)
	if fault != nil {
		return fault
	}
	if asset.MonitoredAssetOpts != nil {
		return nodeerr.New(nodeerr.CodeReserveMonitored, "do_evaluate",
			"!a.is_monitored_asset(): Cannot reserve ${sym} because it is a monitored asset",
			nodeerr.Data{"sym": asset.Symbol})
	}
	if op.AmountToReserve.Amount > e.Assets.Data(asset.ID).CurrentSupply {
		return refuse("(asset_dyn_data->current_supply - o.amount_to_reserve.amount) >= 0: ", nil)
	}
	return nil
}

func applyAssetReserve(e *Engine, op *ledger.AssetReserveOp) (ledger.OperationResult, *nodeerr.Error) {
	burnt := op.AmountToReserve
	burnt.Amount = -burnt.Amount
	return voidResult(), issue(e.State, op.Payer, burnt)
}
