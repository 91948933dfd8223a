package daemonclient

import (
	"context"
	"encoding/json"

	"billfold/ledger"
)

// GetAssets gives one asset per id.
func (c *Client) GetAssets(ctx context.Context, ids []ledger.AssetID) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, c, Database, "get_assets", listed(ids))
}

// GetAssetsRaw is GetAssets as the daemon wrote it.
func (c *Client) GetAssetsRaw(ctx context.Context, ids []ledger.AssetID) ([]json.RawMessage, error) {
	return queryList(ctx, c, Database, "get_assets", listed(ids))
}

// LookupAssetSymbols gives one asset per symbol or id.
func (c *Client) LookupAssetSymbols(ctx context.Context, symbols []string) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, c, Database, "lookup_asset_symbols", listed(symbols))
}

// LookupAssetSymbolsRaw is LookupAssetSymbols as the daemon wrote it.
func (c *Client) LookupAssetSymbolsRaw(ctx context.Context, symbols []string) ([]json.RawMessage, error) {
	return queryList(ctx, c, Database, "lookup_asset_symbols", listed(symbols))
}

// ListAssets lists assets by symbol, from lower on, at most 100.
func (c *Client) ListAssets(ctx context.Context, lower string, limit uint32) ([]*ledger.Asset, error) {
	return query[[]*ledger.Asset](ctx, c, Database, "list_assets", lower, limit)
}

// ListAssetsRaw is ListAssets as the daemon wrote it.
func (c *Client) ListAssetsRaw(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	return queryList(ctx, c, Database, "list_assets", lower, limit)
}

// GetAssetDynamicData gives supply and pools (2.3.N), one per id.
func (c *Client) GetAssetDynamicData(ctx context.Context, ids []ledger.AssetDynamicDataID) ([]json.RawMessage, error) {
	return queryList(ctx, c, Database, "get_asset_dynamic_data", listed(ids))
}
