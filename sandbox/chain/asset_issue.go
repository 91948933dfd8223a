package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var assetIssue = touching(
	typed(stateless[*ledger.AssetIssueOp], (*State).evaluateAssetIssue, (*State).applyAssetIssue),
	func(op *ledger.AssetIssueOp) []ledger.AccountID { return []ledger.AccountID{op.IssueToAccount} },
)

func (s *State) evaluateAssetIssue(op *ledger.AssetIssueOp) *nodeerr.Fault {
	asset, fault := s.existing(op.AssetToIssue.AssetID)
	if fault != nil {
		return fault
	}
	supply, fits := ledger.AddAmounts(s.AssetData(asset.DynamicAssetDataID).CurrentSupply, op.AssetToIssue.Amount)
	switch {
	case asset.Issuer != op.Issuer:
		return nodeerr.Assert("do_evaluate", "o.issuer == a.issuer: only ${i} issues ${s}", nodeerr.Data{"i": asset.Issuer, "s": asset.Symbol})
	case asset.MonitoredAssetOpts != nil:
		return nodeerr.Assert("do_evaluate", "!a.is_monitored_asset(): Cannot manually issue a market-issued asset.", nil)
	case !fits || supply > asset.Options.MaxSupply:
		return nodeerr.Assert("do_evaluate", "(asset_dyn_data->current_supply + o.asset_to_issue.amount) <= a.options.max_supply: more than ${m} cannot exist", nodeerr.Data{
			"m": s.pretty(ledger.AssetAmount{Amount: asset.Options.MaxSupply, AssetID: asset.ID}),
		})
	case s.Account(op.IssueToAccount) == nil:
		return nodeerr.Assert("do_evaluate", "d.find_object(o.issue_to_account): Attempt to issue an asset to a non-existing account", nil)
	}
	return nil
}

func (s *State) applyAssetIssue(op *ledger.AssetIssueOp) (ledger.OperationResult, *nodeerr.Fault) {
	return voidResult(), s.give(op.IssueToAccount, op.AssetToIssue.AssetID, op.AssetToIssue.Amount)
}

// existing gives the asset, or the fault that there is none.
func (s *State) existing(id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	if asset := s.Asset(id); asset != nil {
		return asset, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

var assetReserve = typed(stateless[*ledger.AssetReserveOp], (*State).evaluateAssetReserve, (*State).applyAssetReserve)

func (s *State) evaluateAssetReserve(op *ledger.AssetReserveOp) *nodeerr.Fault {
	asset, fault := s.existing(op.AmountToReserve.AssetID)
	if fault != nil {
		return fault
	}
	if asset.MonitoredAssetOpts != nil {
		return nodeerr.New(nodeerr.CodeReserveMonitored, "do_evaluate", "!a.is_monitored_asset(): Cannot reserve ${sym} because it is a monitored asset", nodeerr.Data{"sym": asset.Symbol})
	}
	if op.AmountToReserve.Amount > s.AssetData(asset.DynamicAssetDataID).CurrentSupply {
		return nodeerr.Assert("do_evaluate", "(asset_dyn_data->current_supply - o.amount_to_reserve.amount) >= 0: ", nil)
	}
	return nil
}

func (s *State) applyAssetReserve(op *ledger.AssetReserveOp) (ledger.OperationResult, *nodeerr.Fault) {
	return voidResult(), s.give(op.Payer, op.AmountToReserve.AssetID, -op.AmountToReserve.Amount)
}
