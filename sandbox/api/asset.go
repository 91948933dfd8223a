package api

import (
	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

var assetMethods = map[string]Method{
	"get_assets": rows(func(st *state.State, id ledger.AssetID) *ledger.Asset { return st.Assets.Get(id) }),
	"get_asset_dynamic_data": rows(func(st *state.State, id ledger.AssetDynamicDataID) *state.AssetData {
		return st.Assets.Data(ledger.AssetID(id))
	}),
	"lookup_asset_symbols": rows(func(st *state.State, ref string) *ledger.Asset { return st.Assets.Find(ref) }),
	"get_asset_count":      read0(func(st *state.State) any { return st.Assets.Count() }),
	"get_real_supply":      read0(func(st *state.State) any { return st.RealSupply() }),
	"price_to_dct": read1(func(st *state.State, price ledger.AssetAmount) (any, error) {
		amount, fault := evaluate.InCore(st, price)
		return amount, asError(fault)
	}),
	"get_feeds_by_miner": read2(func(st *state.State, id ledger.AccountID, count uint32) (any, error) {
		if err := within100(count); err != nil {
			return nil, err
		}
		return st.Assets.FeedsBy(id, int(count)), nil
	}),
	"list_assets": read2(func(st *state.State, lower string, limit uint32) (any, error) {
		if err := within100(limit); err != nil {
			return nil, err
		}
		list := []*ledger.Asset{}
		for _, symbol := range st.Assets.Symbols(lower, int(limit)) {
			list = append(list, st.Assets.BySymbol(symbol))
		}
		return list, nil
	}),
}
