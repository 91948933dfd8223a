package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// exchange is an amount of an asset and an amount of DCT that move between an
// account and the asset's pools.
type exchange struct {
	account  ledger.AccountID
	uia, dct ledger.AssetAmount
}

func funding(op *ledger.AssetFundPoolsOp) exchange {
	return exchange{op.FromAccount, op.UIAAsset, op.DCTAsset}
}

func validateFunding(op *ledger.AssetFundPoolsOp) *nodeerr.Error {
	if op.Fee.AssetID != ledger.CoreAsset {
		return invalid("fee.asset_id == asset_id_type(): this fee is paid in DCT", nil)
	}
	return stateless(op)
}

func claim(op *ledger.AssetClaimFeesOp) exchange {
	return exchange{op.Issuer, op.UIAAsset, op.DCTAsset}
}

func (x exchange) evaluateFunding(e *Engine) *nodeerr.Error {
	asset, fault := findAsset(e, x.uia.AssetID)
	switch {
	case fault != nil:
		return fault
	case asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset:
		return refuse("!uia_o.is_monitored_asset() && o.uia_asset.asset_id != asset_id_type(): ${s} has no pools",
			nodeerr.Data{"s": asset.Symbol})
	case x.uia.Amount > e.Balances.Of(x.account, x.uia.AssetID):
		return refuse("o.uia_asset <= db().get_balance( o.from_account, o.uia_asset.asset_id ): insufficient balance of ${uia}'s.",
			nodeerr.Data{"uia": asset.Symbol})
	case x.dct.Amount > e.Balances.Of(x.account, ledger.CoreAsset):
		return refuse("o.dct_asset <= db().get_balance( o.from_account, asset_id_type() ): insufficient balance of DCT's.", nil)
	}
	return nil
}

func (x exchange) evaluateClaim(e *Engine) *nodeerr.Error {
	asset, fault := findAsset(e, x.uia.AssetID)
	if fault != nil {
		return fault
	}
	pools := e.Assets.Data(asset.ID)
	switch {
	case asset.Issuer != x.account:
		return refuse("uia_ao.issuer == o.issuer: Asset fees may only be claimed by the issuer", nil)
	case asset.MonitoredAssetOpts != nil:
		return refuse("!uia_ao.is_monitored_asset(): ${s} has no pools", nodeerr.Data{"s": asset.Symbol})
	case x.uia.Amount > pools.AssetPool:
		return refuse("o.uia_asset.amount <= asset_dyn_data->asset_pool: Attempt to claim more ${uia}'s than have accumulated",
			nodeerr.Data{"uia": asset.Symbol})
	case x.dct.Amount > pools.CorePool:
		return refuse("o.dct_asset.amount <= asset_dyn_data->core_pool: Attempt to claim more DCT's than have accumulated", nil)
	}
	return nil
}

// move moves the amounts into the pools, or with sign -1 out of them. It checks the
// pools again, because the fee may have come out of them in the meantime.
func (x exchange) move(e *Engine, sign int64) *nodeerr.Error {
	e.Assets.ChangeData(x.uia.AssetID, func(d *state.AssetData) {
		d.AssetPool += sign * x.uia.Amount
		d.CorePool += sign * x.dct.Amount
	})
	if d := e.Assets.Data(x.uia.AssetID); d.AssetPool < 0 || d.CorePool < 0 {
		return nodeerr.Assert("do_apply", "core_pool >= 0: the fee left less in the pools than is claimed", nil)
	}
	if fault := adjust(e.State, x.account, x.uia.AssetID, -sign*x.uia.Amount); fault != nil {
		return fault
	}
	return adjust(e.State, x.account, ledger.CoreAsset, -sign*x.dct.Amount)
}
