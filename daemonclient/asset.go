package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// AssetQueries are the queries about assets; see Queries.
type AssetQueries struct{ ask asker }

// GetAssets returns one asset per id.
func (q AssetQueries) GetAssets(ctx context.Context, ids []ledger.AssetID) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, q.ask, Database, "get_assets", emptyForNil(ids))
}

// GetAssetsRaw is GetAssets as the daemon wrote it.
func (q AssetQueries) GetAssetsRaw(ctx context.Context, ids []ledger.AssetID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_assets", emptyForNil(ids))
}

// LookupAssetSymbols returns one asset per symbol or id.
func (q AssetQueries) LookupAssetSymbols(ctx context.Context, symbols []string) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, q.ask, Database, "lookup_asset_symbols", emptyForNil(symbols))
}

// LookupAssetSymbolsRaw is LookupAssetSymbols as the daemon wrote it.
func (q AssetQueries) LookupAssetSymbolsRaw(ctx context.Context, symbols []string) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "lookup_asset_symbols", emptyForNil(symbols))
}

// ListAssets lists at most 100 assets by symbol, starting at lower.
func (q AssetQueries) ListAssets(ctx context.Context, lower string, limit uint32) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, q.ask, Database, "list_assets", lower, limit)
}

// ListAssetsRaw is ListAssets as the daemon wrote it.
func (q AssetQueries) ListAssetsRaw(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "list_assets", lower, limit)
}

// GetAssetDynamicData returns supply and pools (2.3.N), one per id.
func (q AssetQueries) GetAssetDynamicData(ctx context.Context, ids []ledger.AssetDynamicDataID) ([]json.RawMessage, error) {
	return queryList(ctx, q.ask, Database, "get_asset_dynamic_data", emptyForNil(ids))
}

// PriceToDCT returns the value of an amount in DCT.
func (q AssetQueries) PriceToDCT(ctx context.Context, amount ledger.AssetAmount) (ledger.AssetAmount, error) {
	return query[ledger.AssetAmount](ctx, q.ask, Database, "price_to_dct", amount)
}

// RealSupply returns how all DCT is distributed over balances, vesting balances, escrows and pools.
func (q AssetQueries) RealSupply(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_real_supply")
}
