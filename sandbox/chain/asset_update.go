package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var updateUserAsset = touching(
	typed(validateUserAsset, (*State).evaluateUserAsset, (*State).applyUserAsset),
	func(op *ledger.UpdateUserIssuedAssetOp) []ledger.AccountID {
		if op.NewIssuer == nil {
			return nil
		}
		return []ledger.AccountID{*op.NewIssuer}
	},
)

func validateUserAsset(op *ledger.UpdateUserIssuedAssetOp) *nodeerr.Fault {
	if op.CoreExchangeRate.Valid() != nil {
		return nodeerr.Assert("validate", "core_exchange_rate: ${why}", nodeerr.Data{"why": ledger.ErrPrice.Error()})
	}
	return stateless(op)
}

func (s *State) evaluateUserAsset(op *ledger.UpdateUserIssuedAssetOp) *nodeerr.Fault {
	asset, fault := s.userIssued(op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	fixed := fixedSupply(asset.Options)
	switch {
	case op.MaxSupply < uint64(s.AssetData(asset.DynamicAssetDataID).CurrentSupply) || op.MaxSupply > ledger.MaxShareSupply:
		return nodeerr.Assert("do_evaluate", "o.max_supply >= asset_to_update->dynamic_asset_data_id(d).current_supply: the maximum supply cannot be ${m}", nodeerr.Data{"m": op.MaxSupply})
	case op.NewIssuer != nil && s.Account(*op.NewIssuer) == nil:
		return nodeerr.Assert("do_evaluate", "d.find_object(*o.new_issuer): the account ${i} does not exist", nodeerr.Data{"i": *op.NewIssuer})
	case fixed != nil && fixed.IsFixedMaxSupply && op.MaxSupply != uint64(asset.Options.MaxSupply):
		return nodeerr.Assert("do_evaluate", "o.max_supply == asset_to_update->options.max_supply: Asset ${uia} has fixed max supply.", nodeerr.Data{"uia": asset.Symbol})
	}
	return ofIssuer(asset, op.Issuer)
}

// userIssued gives an asset that is neither monitored nor DCT.
func (s *State) userIssued(id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	asset, fault := s.existing(id)
	if fault == nil && (asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset) {
		fault = nodeerr.Assert("do_evaluate", "!asset_to_update->is_monitored_asset() && asset_to_update->id != asset_id_type(): ${s} is not a user-issued asset", nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

func ofIssuer(asset *ledger.Asset, issuer ledger.AccountID) *nodeerr.Fault {
	if asset.Issuer == issuer {
		return nil
	}
	return nodeerr.Assert("do_evaluate", "o.issuer == asset_to_update->issuer: the issuer is ${a.issuer}", nodeerr.Data{"o.issuer": issuer, "a.issuer": asset.Issuer})
}

func (s *State) applyUserAsset(op *ledger.UpdateUserIssuedAssetOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.assets.change(uint64(op.AssetToUpdate), func(a *ledger.Asset) {
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

var updateUserAdvanced = typed(validateAdvanced, (*State).evaluateAdvanced, (*State).applyAdvanced)

func validateAdvanced(op *ledger.UpdateUserIssuedAssetAdvancedOp) *nodeerr.Fault {
	if op.NewPrecision > ledger.MaxPrecision {
		return nodeerr.Assert("validate", "new_precision <= 12: ", nil)
	}
	return nil
}

func (s *State) evaluateAdvanced(op *ledger.UpdateUserIssuedAssetAdvancedOp) *nodeerr.Fault {
	asset, fault := s.existing(op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	if fault := ofIssuer(asset, op.Issuer); fault != nil {
		return fault
	}
	if _, fault := s.userIssued(op.AssetToUpdate); fault != nil {
		return fault
	}
	newPrecision := op.NewPrecision != asset.Precision
	fixed := fixedSupply(asset.Options)
	switch {
	case newPrecision && s.distributed(asset.ID):
		return nodeerr.Assert("do_evaluate", "itr.first == itr.second: The asset was already distributed.", nil)
	case fixed != nil && fixed.IsFixedMaxSupply && op.SetFixedMaxSupply:
		return nodeerr.Assert("do_evaluate", "!is_fixed_max_supply || !o.set_fixed_max_supply: the maximum supply is fixed already", nil)
	case !newPrecision && !op.SetFixedMaxSupply:
		return nodeerr.Assert("do_evaluate", "set_precision || o.set_fixed_max_supply: nothing is to be changed", nil)
	}
	return nil
}

// distributed tells whether anybody ever had any of the asset.
func (s *State) distributed(id ledger.AssetID) bool {
	for _, b := range s.balances.rows {
		if b.AssetType == id {
			return true
		}
	}
	return false
}

func (s *State) applyAdvanced(op *ledger.UpdateUserIssuedAssetAdvancedOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.assets.change(uint64(op.AssetToUpdate), func(a *ledger.Asset) {
		a.Precision = op.NewPrecision
		old := fixedSupply(a.Options)
		fixed := ledger.FixedSupply{IsFixedMaxSupply: op.SetFixedMaxSupply || old != nil && old.IsFixedMaxSupply}
		a.Options.Extensions = []ledger.AssetExtension{{FixedSupply: &fixed}}
	})
	return voidResult(), nil
}

var updateMonitored = typed(stateless[*ledger.UpdateMonitoredAssetOp], (*State).evaluateMonitored, (*State).applyMonitored)

func (s *State) evaluateMonitored(op *ledger.UpdateMonitoredAssetOp) *nodeerr.Fault {
	asset, fault := s.monitored(op.AssetToUpdate)
	if fault != nil {
		return fault
	}
	return ofIssuer(asset, op.Issuer)
}

func (s *State) monitored(id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	asset, fault := s.existing(id)
	if fault == nil && asset.MonitoredAssetOpts == nil {
		fault = nodeerr.Assert("do_evaluate", "a.is_monitored_asset(): ${s} is not a monitored asset", nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

func (s *State) applyMonitored(op *ledger.UpdateMonitoredAssetOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.assets.change(uint64(op.AssetToUpdate), func(a *ledger.Asset) {
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
