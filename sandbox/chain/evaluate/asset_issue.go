package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func evaluateAssetIssue(e *Engine, op *ledger.AssetIssueOp) *nodeerr.Fault {
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

func applyAssetIssue(e *Engine, op *ledger.AssetIssueOp) (ledger.OperationResult, *nodeerr.Fault) {
	return voidResult(), issue(e.State, op.IssueToAccount, op.AssetToIssue)
}

func evaluateAssetReserve(e *Engine, op *ledger.AssetReserveOp) *nodeerr.Fault {
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

func applyAssetReserve(e *Engine, op *ledger.AssetReserveOp) (ledger.OperationResult, *nodeerr.Fault) {
	burnt := op.AmountToReserve
	burnt.Amount = -burnt.Amount
	return voidResult(), issue(e.State, op.Payer, burnt)
}
