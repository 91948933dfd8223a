package chain

import "billfold/ledger"

// Asset gives 1.3.N, or nil.
func (s *State) Asset(id ledger.AssetID) *ledger.Asset { return s.assets.get(uint64(id)) }

// AssetBySymbol gives the asset of that exact symbol, or nil.
func (s *State) AssetBySymbol(symbol string) *ledger.Asset {
	if id, ok := s.bySymbol[symbol]; ok {
		return s.Asset(id)
	}
	return nil
}

// AssetData gives 2.3.N, or nil.
func (s *State) AssetData(id ledger.AssetDynamicDataID) *AssetData {
	return s.assetData.get(uint64(id))
}

// AssetCount is the number of assets.
func (s *State) AssetCount() uint64 { return s.assets.next() }

// Symbols gives at most limit symbols in order, beginning at lower.
func (s *State) Symbols(lower string, limit int) []string {
	symbols := from(s.symbols, lower)
	return symbols[:min(limit, len(symbols))]
}

// addAsset inserts the asset with its dynamic data under the next id.
func (s *State) addAsset(a ledger.Asset) ledger.AssetID {
	n := s.assets.next()
	a.ID, a.DynamicAssetDataID = ledger.AssetID(n), ledger.AssetDynamicDataID(n)
	s.assets.insert(&a)
	s.assetData.insert(&AssetData{ID: a.DynamicAssetDataID})
	setKey(&s.j, s.bySymbol, a.Symbol, a.ID)
	insertSorted(&s.j, &s.symbols, a.Symbol)
	return a.ID
}

// changeSupply adds delta to the current supply of an asset.
func (s *State) changeSupply(id ledger.AssetID, delta int64) {
	s.assetData.change(uint64(id), func(d *AssetData) { d.CurrentSupply += delta })
}
