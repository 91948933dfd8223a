package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// exchange is an amount of an asset and an amount of DCT that move between an
// account and the asset's pools.
type exchange struct {
	account  ledger.AccountID
	uia, dct ledger.AssetAmount
}

var assetFundPools = typed(validateFunding,
	func(s *State, op *ledger.AssetFundPoolsOp) *nodeerr.Fault { return funding(op).evaluateFunding(s) },
	func(s *State, op *ledger.AssetFundPoolsOp) (ledger.OperationResult, *nodeerr.Fault) {
		return voidResult(), funding(op).move(s, 1)
	})

func funding(op *ledger.AssetFundPoolsOp) exchange {
	return exchange{op.FromAccount, op.UIAAsset, op.DCTAsset}
}

func validateFunding(op *ledger.AssetFundPoolsOp) *nodeerr.Fault {
	if op.Fee.AssetID != ledger.CoreAsset {
		return nodeerr.Assert("validate", "fee.asset_id == asset_id_type(): this fee is paid in DCT", nil)
	}
	return stateless(op)
}

var assetClaimFees = typed(stateless[*ledger.AssetClaimFeesOp],
	func(s *State, op *ledger.AssetClaimFeesOp) *nodeerr.Fault { return claim(op).evaluateClaim(s) },
	func(s *State, op *ledger.AssetClaimFeesOp) (ledger.OperationResult, *nodeerr.Fault) {
		return voidResult(), claim(op).move(s, -1)
	})

func claim(op *ledger.AssetClaimFeesOp) exchange {
	return exchange{op.Issuer, op.UIAAsset, op.DCTAsset}
}

func (e exchange) evaluateFunding(s *State) *nodeerr.Fault {
	asset, fault := s.existing(e.uia.AssetID)
	switch {
	case fault != nil:
		return fault
	case asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset:
		return nodeerr.Assert("do_evaluate", "!uia_o.is_monitored_asset() && o.uia_asset.asset_id != asset_id_type(): ${s} has no pools", nodeerr.Data{"s": asset.Symbol})
	case e.uia.Amount > s.Balance(e.account, e.uia.AssetID):
		return nodeerr.Assert("do_evaluate", "o.uia_asset <= db().get_balance( o.from_account, o.uia_asset.asset_id ): insufficient balance of ${uia}'s.", nodeerr.Data{"uia": asset.Symbol})
	case e.dct.Amount > s.Balance(e.account, ledger.CoreAsset):
		return nodeerr.Assert("do_evaluate", "o.dct_asset <= db().get_balance( o.from_account, asset_id_type() ): insufficient balance of DCT's.", nil)
	}
	return nil
}

func (e exchange) evaluateClaim(s *State) *nodeerr.Fault {
	asset, fault := s.existing(e.uia.AssetID)
	if fault != nil {
		return fault
	}
	pools := s.AssetData(asset.DynamicAssetDataID)
	switch {
	case asset.Issuer != e.account:
		return nodeerr.Assert("do_evaluate", "uia_ao.issuer == o.issuer: Asset fees may only be claimed by the issuer", nil)
	case asset.MonitoredAssetOpts != nil:
		return nodeerr.Assert("do_evaluate", "!uia_ao.is_monitored_asset(): ${s} has no pools", nodeerr.Data{"s": asset.Symbol})
	case e.uia.Amount > pools.AssetPool:
		return nodeerr.Assert("do_evaluate", "o.uia_asset.amount <= asset_dyn_data->asset_pool: Attempt to claim more ${uia}'s than have accumulated", nodeerr.Data{"uia": asset.Symbol})
	case e.dct.Amount > pools.CorePool:
		return nodeerr.Assert("do_evaluate", "o.dct_asset.amount <= asset_dyn_data->core_pool: Attempt to claim more DCT's than have accumulated", nil)
	}
	return nil
}

// move takes the amounts into the pools, or with sign -1 out of them. It looks
// at the pools again: the fee was taken out of them meanwhile.
func (e exchange) move(s *State, sign int64) *nodeerr.Fault {
	s.assetData.change(uint64(e.uia.AssetID), func(d *AssetData) {
		d.AssetPool += sign * e.uia.Amount
		d.CorePool += sign * e.dct.Amount
	})
	if d := s.assetData.get(uint64(e.uia.AssetID)); d.AssetPool < 0 || d.CorePool < 0 {
		return nodeerr.Assert("do_apply", "core_pool >= 0: the fee left less in the pools than is claimed", nil)
	}
	if fault := s.adjust(e.account, e.uia.AssetID, -sign*e.uia.Amount); fault != nil {
		return fault
	}
	return s.adjust(e.account, ledger.CoreAsset, -sign*e.dct.Amount)
}
