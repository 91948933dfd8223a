package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// existing returns the asset, or the fault that there is none.
func existing(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	if asset := e.Assets.Get(id); asset != nil {
		return asset, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

// userIssued returns an asset that is neither monitored nor DCT.
func userIssued(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	asset, fault := existing(e, id)
	if fault == nil && (asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset) {
		fault = refuse("!asset_to_update->is_monitored_asset() && asset_to_update->id != asset_id_type(): ${s} is not a user-issued asset",
			nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

// ofIssuer lets only the issuer of an asset do something with it.
func ofIssuer(asset *ledger.Asset, issuer ledger.AccountID) *nodeerr.Fault {
	if asset.Issuer == issuer {
		return nil
	}
	return refuse("o.issuer == asset_to_update->issuer: the issuer is ${a.issuer}",
		nodeerr.Data{"o.issuer": issuer, "a.issuer": asset.Issuer})
}

// monitored returns an asset that follows published prices.
func monitored(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	asset, fault := existing(e, id)
	if fault == nil && asset.MonitoredAssetOpts == nil {
		fault = refuse("a.is_monitored_asset(): ${s} is not a monitored asset", nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

// fixedSupply finds the extension that says whether the maximum supply can
// change, or nil.
func fixedSupply(o ledger.AssetOptions) *ledger.FixedSupply {
	for _, e := range o.Extensions {
		if e.FixedSupply != nil {
			return e.FixedSupply
		}
	}
	return nil
}
