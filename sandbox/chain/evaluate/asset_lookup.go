package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// findAsset returns the asset, or a fault if there is none.
func findAsset(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	if asset := e.Assets.Get(id); asset != nil {
		return asset, nil
	}
	return nil, nodeerr.NotFound(id.Object())
}

// findUserIssued returns the asset, or a fault if there is none, or if it is
// monitored or DCT.
func findUserIssued(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
	asset, fault := findAsset(e, id)
	if fault == nil && (asset.MonitoredAssetOpts != nil || asset.ID == ledger.CoreAsset) {
		fault = refuse("!asset_to_update->is_monitored_asset() && asset_to_update->id != asset_id_type(): ${s} is not a user-issued asset",
			nodeerr.Data{"s": asset.Symbol})
	}
	return asset, fault
}

// verifyIssuer returns a fault unless issuer is the issuer of the asset.
func verifyIssuer(asset *ledger.Asset, issuer ledger.AccountID) *nodeerr.Fault {
	if asset.Issuer == issuer {
		return nil
	}
	return refuse("o.issuer == asset_to_update->issuer: the issuer is ${a.issuer}",
		nodeerr.Data{"o.issuer": issuer, "a.issuer": asset.Issuer})
}

// findMonitored returns the asset, or a fault if there is none or if it is not
// monitored.
func findMonitored(e *Engine, id ledger.AssetID) (*ledger.Asset, *nodeerr.Fault) {
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
