package chain

import "billfold/ledger"

var assetIssue = touching(
	typed(stateless[*ledger.AssetIssueOp], (*State).evaluateAssetIssue, (*State).applyAssetIssue),
	func(op *ledger.AssetIssueOp) []ledger.AccountID { return []ledger.AccountID{op.IssueToAccount} },
)

func (s *State) evaluateAssetIssue(op *ledger.AssetIssueOp) *Fault {
	asset, fault := s.existing(op.AssetToIssue.AssetID)
	if fault != nil {
		return fault
	}
	supply, fits := ledger.AddAmounts(s.AssetData(asset.DynamicAssetDataID).CurrentSupply, op.AssetToIssue.Amount)
	switch {
	case asset.Issuer != op.Issuer:
		return assert("do_evaluate", "o.issuer == a.issuer: only ${i} issues ${s}", Data{"i": asset.Issuer, "s": asset.Symbol})
	case asset.MonitoredAssetOpts != nil:
		return assert("do_evaluate", "!a.is_monitored_asset(): Cannot manually issue a market-issued asset.", nil)
	case !fits || supply > asset.Options.MaxSupply:
		return assert("do_evaluate", "(asset_dyn_data->current_supply + o.asset_to_issue.amount) <= a.options.max_supply: more than ${m} cannot exist", Data{
			"m": s.pretty(ledger.AssetAmount{Amount: asset.Options.MaxSupply, AssetID: asset.ID}),
		})
	case s.Account(op.IssueToAccount) == nil:
		return assert("do_evaluate", "d.find_object(o.issue_to_account): Attempt to issue an asset to a non-existing account", nil)
	}
	return nil
}

func (s *State) applyAssetIssue(op *ledger.AssetIssueOp) (ledger.OperationResult, *Fault) {
	return voidResult(), s.give(op.IssueToAccount, op.AssetToIssue.AssetID, op.AssetToIssue.Amount)
}

// existing gives the asset, or the fault that there is none.
func (s *State) existing(id ledger.AssetID) (*ledger.Asset, *Fault) {
	if asset := s.Asset(id); asset != nil {
		return asset, nil
	}
	return nil, notFound(id.Object())
}

var assetReserve = typed(stateless[*ledger.AssetReserveOp], (*State).evaluateAssetReserve, (*State).applyAssetReserve)

func (s *State) evaluateAssetReserve(op *ledger.AssetReserveOp) *Fault {
	asset, fault := s.existing(op.AmountToReserve.AssetID)
	if fault != nil {
		return fault
	}
	if asset.MonitoredAssetOpts != nil {
		return NewFault(CodeReserveMonitored, "do_evaluate", "!a.is_monitored_asset(): Cannot reserve ${sym} because it is a monitored asset", Data{"sym": asset.Symbol})
	}
	if op.AmountToReserve.Amount > s.AssetData(asset.DynamicAssetDataID).CurrentSupply {
		return assert("do_evaluate", "(asset_dyn_data->current_supply - o.amount_to_reserve.amount) >= 0: ", nil)
	}
	return nil
}

func (s *State) applyAssetReserve(op *ledger.AssetReserveOp) (ledger.OperationResult, *Fault) {
	return voidResult(), s.give(op.Payer, op.AmountToReserve.AssetID, -op.AmountToReserve.Amount)
}
