package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func validateUserAsset(op *ledger.UpdateUserIssuedAssetOp) *nodeerr.Error {
	if op.CoreExchangeRate.Valid() != nil {
		return invalid("core_exchange_rate: ${why}", nodeerr.Data{"why": ledger.ErrPrice.Error()})
	}
	return stateless(op)
}

func evaluateUserAsset(e *Engine, op *ledger.UpdateUserIssuedAssetOp) *nodeerr.Error {
	asset, fault := findUserIssued(e, op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	fixed := fixedSupply(asset.Options)
	switch {
	case op.MaxSupply < uint64(e.Assets.Data(asset.ID).CurrentSupply) || op.MaxSupply > ledger.MaxShareSupply:
		return refuse("o.max_supply >= asset_to_update->dynamic_asset_data_id(d).current_supply: the maximum supply cannot be ${m}",
			nodeerr.Data{"m": op.MaxSupply})
	case op.NewIssuer != nil && e.Accounts.Get(*op.NewIssuer) == nil:
		return refuse("d.find_object(*o.new_issuer): the account ${i} does not exist", nodeerr.Data{"i": *op.NewIssuer})
	case fixed != nil && fixed.IsFixedMaxSupply && op.MaxSupply != uint64(asset.Options.MaxSupply):
		return refuse("o.max_supply == asset_to_update->options.max_supply: Asset ${uia} has fixed max supply.",
			nodeerr.Data{"uia": asset.Symbol})
	}
	return verifyIssuer(asset, op.Issuer)
}

func applyUserAsset(e *Engine, op *ledger.UpdateUserIssuedAssetOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Assets.Change(op.AssetToUpdate, func(a *ledger.Asset) {
		if op.NewIssuer != nil {
			a.Issuer = *op.NewIssuer
		}
		if op.NewDescription != "" {
			a.Description = op.NewDescription
		}
		a.Options.MaxSupply, a.Options.CoreExchangeRate = int64(op.MaxSupply), op.CoreExchangeRate
		a.Options.IsExchangeable = op.IsExchangeable
	})
	return voidResult(), nil
}

func validateAdvanced(op *ledger.UpdateUserIssuedAssetAdvancedOp) *nodeerr.Error {
	if op.NewPrecision > ledger.MaxPrecision {
		return invalid("new_precision <= 12: ", nil)
	}
	return nil
}

func evaluateAdvanced(e *Engine, op *ledger.UpdateUserIssuedAssetAdvancedOp) *nodeerr.Error {
	asset, fault := findAsset(e, op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	if fault := verifyIssuer(asset, op.Issuer); fault != nil {
		return fault
	}
	if _, fault := findUserIssued(e, op.AssetToUpdate); fault != nil {
		return fault
	}
	newPrecision := op.NewPrecision != asset.Precision
	fixed := fixedSupply(asset.Options)
	switch {
	case newPrecision && distributed(e, asset.ID):
		return refuse("itr.first == itr.second: The asset was already distributed.", nil)
	case fixed != nil && fixed.IsFixedMaxSupply && op.SetFixedMaxSupply:
		return refuse("!is_fixed_max_supply || !o.set_fixed_max_supply: the maximum supply is fixed already", nil)
	case !newPrecision && !op.SetFixedMaxSupply:
		return refuse("set_precision || o.set_fixed_max_supply: nothing is to be changed", nil)
	}
	return nil
}

// distributed reports whether anybody ever had any of the asset.
func distributed(e *Engine, id ledger.AssetID) bool {
	for _, b := range e.Balances.All() {
		if b.AssetType == id {
			return true
		}
	}
	return false
}

func applyAdvanced(e *Engine, op *ledger.UpdateUserIssuedAssetAdvancedOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Assets.Change(op.AssetToUpdate, func(a *ledger.Asset) {
		a.Precision = op.NewPrecision
		old := fixedSupply(a.Options)
		fixed := ledger.FixedSupply{IsFixedMaxSupply: op.SetFixedMaxSupply || old != nil && old.IsFixedMaxSupply}
		a.Options.Extensions = []ledger.AssetExtension{{FixedSupply: &fixed}}
	})
	return voidResult(), nil
}

func evaluateMonitored(e *Engine, op *ledger.UpdateMonitoredAssetOp) *nodeerr.Error {
	asset, fault := findMonitored(e, op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	return verifyIssuer(asset, op.Issuer)
}

func applyMonitored(e *Engine, op *ledger.UpdateMonitoredAssetOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Assets.Change(op.AssetToUpdate, func(a *ledger.Asset) {
		m := *a.MonitoredAssetOpts
		if op.NewDescription != "" {
			a.Description = op.NewDescription
		}
		if op.NewFeedLifetimeSec != 0 {
			m.FeedLifetimeSec = op.NewFeedLifetimeSec
		}
		if op.NewMinimumFeeds != 0 {
			m.MinimumFeeds = op.NewMinimumFeeds
		}
		a.MonitoredAssetOpts = &m
	})
	return voidResult(), nil
}
