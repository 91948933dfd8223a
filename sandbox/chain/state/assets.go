package state

import (
	"cmp"
	"iter"
	"slices"

	"billfold/ledger"
)

// AssetData is the object 2.3.N of asset 1.3.N. The pool of the core asset
// collects the fees paid in it.
type AssetData struct {
	ID            ledger.AssetDynamicDataID `json:"id"`
	CurrentSupply int64                     `json:"current_supply"`
	AssetPool     int64                     `json:"asset_pool"`
	CorePool      int64                     `json:"core_pool"`
}

// Assets are the objects 1.3.N with their dynamic data, which have the same numbers.
type Assets struct {
	table[ledger.AssetID, ledger.Asset]
	data     table[ledger.AssetID, AssetData]
	bySymbol index[string, ledger.AssetID]
	symbols  names
}

func newAssets(j *journal) Assets {
	a := Assets{bySymbol: newIndex[string, ledger.AssetID](j)}
	a.table.j, a.data.j, a.symbols.j = j, j, j
	return a
}

// BySymbol returns the asset with that exact symbol, or nil.
func (a *Assets) BySymbol(symbol string) *ledger.Asset {
	if id, ok := a.bySymbol.find(symbol); ok {
		return a.Get(id)
	}
	return nil
}

// Find returns the asset with that symbol, or with that id if ref begins with a
// digit, or nil.
func (a *Assets) Find(ref string) *ledger.Asset {
	if ref != "" && ref[0] >= '0' && ref[0] <= '9' {
		id, err := ledger.ParseAssetID(ref)
		if err != nil {
			return nil
		}
		return a.Get(id)
	}
	return a.BySymbol(ref)
}

// Data returns the dynamic data of an asset, 2.3.N, or nil.
func (a *Assets) Data(id ledger.AssetID) *AssetData { return a.data.Get(id) }

// AllData yields the dynamic data by asset id.
func (a *Assets) AllData() iter.Seq2[ledger.AssetID, *AssetData] { return a.data.All() }

// Symbols returns at most limit symbols in order, starting at lower.
func (a *Assets) Symbols(lower string, limit int) []string { return a.symbols.from(lower, limit) }

// FeedsBy returns at most count of the account's latest feeds, one per asset, in
// order of time.
func (a *Assets) FeedsBy(publisher ledger.AccountID, count int) []ledger.DatedFeed {
	feeds := []ledger.DatedFeed{}
	for _, asset := range a.All() {
		if asset.MonitoredAssetOpts == nil || len(feeds) >= count {
			continue
		}
		for _, e := range asset.MonitoredAssetOpts.Feeds {
			if e.Publisher == publisher {
				feeds = append(feeds, e.Feed)
			}
		}
	}
	slices.SortStableFunc(feeds, func(a, b ledger.DatedFeed) int { return cmp.Compare(a.Time, b.Time) })
	return feeds
}

// Add inserts the asset with its dynamic data under the next id.
func (a *Assets) Add(asset ledger.Asset) ledger.AssetID {
	asset.ID = a.Next()
	asset.DynamicAssetDataID = ledger.AssetDynamicDataID(asset.ID)
	a.insert(&asset)
	a.data.insert(&AssetData{ID: asset.DynamicAssetDataID})
	a.bySymbol.set(asset.Symbol, asset.ID)
	a.symbols.insert(asset.Symbol)
	return asset.ID
}

// ChangeData changes the dynamic data of an asset.
func (a *Assets) ChangeData(id ledger.AssetID, edit func(*AssetData)) { a.data.Change(id, edit) }
