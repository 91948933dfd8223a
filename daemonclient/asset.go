package daemonclient

import (
	"context"
	"encoding/json"
	"fmt"

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

// PriceToDCT returns the value of an amount in DCT.
func (q AssetQueries) PriceToDCT(ctx context.Context, amount ledger.AssetAmount) (ledger.AssetAmount, error) {
	return query[ledger.AssetAmount](ctx, q.ask, Database, "price_to_dct", amount)
}

// RealSupply returns how all DCT is distributed over balances, vesting balances, escrows and pools.
func (q AssetQueries) RealSupply(ctx context.Context) (json.RawMessage, error) {
	return queryRaw(ctx, q.ask, Database, "get_real_supply")
}

// maxPrecision is the highest precision of any asset (docs/protocol/ledger.md 3).
const maxPrecision = 12

func symbol(raw json.RawMessage) (string, error) {
	text, err := plainText(raw)
	if err != nil {
		return "", err
	}
	if ledger.ValidSymbol(text) != nil {
		return "", fmt.Errorf("%s is not a symbol", quoted(raw))
	}
	return text, nil
}

func checkAsset(id ledger.AssetID, name, precision json.RawMessage) error {
	text, err := symbol(name)
	if err != nil {
		return err
	}
	digits, err := number(precision, 8)
	switch {
	case err != nil || digits > maxPrecision:
		return fmt.Errorf("%s of %s is not a precision", quoted(precision), text)
	case (id == ledger.CoreAsset) != (text == ledger.CoreSymbol):
		return fmt.Errorf("%s has the symbol %s", id, text)
	case id == ledger.CoreAsset && digits != ledger.CorePrecision:
		return fmt.Errorf("DCT has %d digits, not %d", digits, ledger.CorePrecision)
	}
	return nil
}

func readAsset(raw json.RawMessage) (id ledger.AssetID, name string, err error) {
	m, err := fields(raw, "id", "symbol", "precision")
	if err != nil {
		return 0, "", err
	}
	text, err := plainText(m[0])
	if err != nil {
		return 0, "", err
	}
	if id, err = ledger.ParseAssetID(text); err != nil {
		return 0, "", err
	}
	if err = checkAsset(id, m[1], m[2]); err != nil {
		return 0, "", err
	}
	name, err = symbol(m[1])
	return id, name, err
}

// checkSymbols expects one row per symbol or id asked for: that asset, or null.
func checkSymbols(q question, result json.RawMessage) error {
	refs := q.list(0)
	list, err := exactRows(result, len(refs))
	if err != nil {
		return err
	}
	for i, raw := range list {
		if isNull(raw) {
			continue
		}
		want, err := plainText(refs[i])
		if err != nil {
			return err
		}
		id, name, err := readAsset(raw)
		if err != nil {
			return err
		}
		if asID, err := ledger.ParseAssetID(want); name != want && (err != nil || asID != id) {
			return fmt.Errorf("asked for %s, got %s %s", quoted(refs[i]), id, name)
		}
	}
	return nil
}

// checkAssetList expects assets by symbol, from the first symbol asked for, at most the limit.
func checkAssetList(q question, result json.RawMessage) error {
	list, err := rows(result, q.number(1))
	if err != nil {
		return err
	}
	ids := map[ledger.AssetID]bool{}
	last := ""
	for _, raw := range list {
		id, name, err := readAsset(raw)
		switch {
		case err != nil:
			return err
		case name < q.text(0) || name <= last:
			return fmt.Errorf("%s is out of order in the assets from %s on", name, quoted(q.param(0)))
		case ids[id]:
			return fmt.Errorf("%s has two symbols", id)
		}
		ids[id], last = true, name
	}
	return nil
}

// checkInDCT expects an amount of DCT.
func checkInDCT(_ question, result json.RawMessage) error {
	worth, err := amount(result)
	if err == nil && worth.AssetID != ledger.CoreAsset {
		err = fmt.Errorf("asked for an amount in DCT, got one in %s", worth.AssetID)
	}
	return err
}

// checkSupply expects four amounts, none negative.
func checkSupply(_ question, result json.RawMessage) error {
	m, err := fields(result, "account_balances", "vesting_balances", "escrows", "pools")
	if err != nil {
		return err
	}
	for _, sum := range m {
		if _, err := number(sum, 63); err != nil {
			return err
		}
	}
	return nil
}
