package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain"
)

var assetMethods = map[string]method{
	"get_assets":             rows((*chain.State).Asset),
	"get_asset_dynamic_data": rows((*chain.State).AssetData),
	"lookup_asset_symbols":   rows(assetOf),
	"get_asset_count":        read0(func(st *chain.State) any { return st.AssetCount() }),
	"get_real_supply":        read0(func(st *chain.State) any { return st.RealSupply() }),
	"price_to_dct": read1(func(st *chain.State, price ledger.AssetAmount) (any, error) {
		amount, fault := st.InCore(price)
		return amount, asError(fault)
	}),
	"get_feeds_by_miner": read2(func(st *chain.State, id ledger.AccountID, count uint32) (any, error) {
		if err := within100(count); err != nil {
			return nil, err
		}
		return st.FeedsBy(id, int(count)), nil
	}),
	"list_assets": read2(func(st *chain.State, lower string, limit uint32) (any, error) {
		if err := within100(limit); err != nil {
			return nil, err
		}
		list := []*ledger.Asset{}
		for _, symbol := range st.Symbols(lower, int(limit)) {
			list = append(list, st.AssetBySymbol(symbol))
		}
		return list, nil
	}),
}

// assetOf finds an asset by symbol, or by id when the text begins with a digit.
func assetOf(st *chain.State, ref string) *ledger.Asset {
	if ref != "" && ref[0] >= '0' && ref[0] <= '9' {
		id, err := ledger.ParseAssetID(ref)
		if err != nil {
			return nil
		}
		return st.Asset(id)
	}
	return st.AssetBySymbol(ref)
}
