package ledgerview

import (
	"context"
	"encoding/json"
	"sort"
	"strings"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// assetReader is the part of the daemon that assets are read from.
type assetReader interface {
	GetAssets(ctx context.Context, ids []ledger.AssetID) ([]*ledger.Asset, error)
	GetAssetsRaw(ctx context.Context, ids []ledger.AssetID) ([]json.RawMessage, error)
	LookupAssetSymbolsRaw(ctx context.Context, symbols []string) ([]json.RawMessage, error)
	assetLister
}

// assetLister lists all assets, or those that an account holds.
type assetLister interface {
	ListAssetsRaw(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error)
	GetAccountBalances(ctx context.Context, id ledger.AccountID, assets ...ledger.AssetID) ([]ledger.AssetAmount, error)
}

// Assets reads assets and balances from the ledger.
type Assets struct {
	daemon assetReader
	cache  *blockCache
	pins   *Pins
}

// Get finds an asset by symbol or id, as of the head block. Errors:
// fault.EmptyAsset, fault.NoSuchAsset, fault.DaemonContradicts, or the daemon's.
func (s *Assets) Get(ctx context.Context, symbolOrID string) (*ledger.Asset, error) {
	f := s.cache.current()
	known := func() *ledger.Asset { return f.assets.get(symbolOrID) }
	a, err := readOnce(ctx, &f.reading, "asset "+symbolOrID, known, func(ctx context.Context) (*ledger.Asset, error) {
		raw, err := s.Raw(ctx, symbolOrID)
		if err != nil {
			return nil, err
		}
		a := new(ledger.Asset)
		if err := codec.Unmarshal(raw, a); err != nil {
			return nil, fault.Daemon("reading asset "+fault.Quote(symbolOrID), err)
		}
		f.assets.put(a, a.Symbol, a.ID.String())
		return a, nil
	})
	if err != nil {
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	}
	return a, nil
}

// Raw is Get, but returns the asset as the daemon wrote it.
func (s *Assets) Raw(ctx context.Context, symbolOrID string) (json.RawMessage, error) {
	if symbolOrID == "" {
		return nil, &fault.Error{Code: fault.EmptyAsset, Op: "get_asset",
			Message: "the asset symbol or id is empty", Hint: "write a symbol such as DCT, or an id such as 1.3.0"}
	}
	symbolOrID = withoutMark(symbolOrID)
	if ledger.IDProblem(symbolOrID) != "" {
		return nil, fault.AssetUnknown(symbolOrID)
	}
	var found []json.RawMessage
	var err error
	if id, failure := ledger.ParseAssetID(symbolOrID); failure == nil {
		found, err = s.daemon.GetAssetsRaw(ctx, []ledger.AssetID{id})
	} else {
		found, err = s.daemon.LookupAssetSymbolsRaw(ctx, []string{symbolOrID})
	}
	if err != nil {
		return nil, fault.Daemon("looking up asset "+fault.Quote(symbolOrID), err)
	}
	if len(found) != 1 || IsNull(found[0]) {
		return nil, fault.AssetUnknown(symbolOrID)
	}
	refs, err := s.pins.checkRawAssets(ctx, found)
	if err != nil {
		return nil, err
	}
	s.pins.queueAsset(refs[0].ID)
	return found[0], nil
}

// List lists assets sorted by symbol, starting at lower, at most limit (100). An asset that contradicts its pin has the reason in its
// member in_doubt.
func (s *Assets) List(ctx context.Context, lower string, limit uint32) ([]json.RawMessage, error) {
	rows, err := s.daemon.ListAssetsRaw(ctx, lower, limit)
	if err != nil {
		return nil, fault.Daemon("listing assets", err)
	}
	return rows, s.pins.markRawAssets(ctx, rows)
}

// Find finds assets whose symbols begin with prefix, ignoring case, at most limit (100).
func (s *Assets) Find(ctx context.Context, prefix string, limit int) ([]*ledger.Asset, error) {
	prefix = strings.ToUpper(prefix)
	rows, err := s.List(ctx, prefix, uint32(limit))
	if err != nil {
		return nil, err
	}
	var found []*ledger.Asset
	for _, row := range rows {
		a := new(ledger.Asset)
		if err := codec.Unmarshal(row, a); err != nil {
			return nil, fault.Daemon("listing assets", err)
		}
		if !strings.HasPrefix(a.Symbol, prefix) {
			continue
		}
		if shown, doubted := s.pins.doubted.get(a.ID); doubted {
			a.Symbol, a.Precision = shown.Symbol, shown.Precision
		}
		found = append(found, a)
	}
	return found, nil
}

// ByID reads assets in one call. An asset that does not exist has its id for a symbol. One that contradicts its pin has precision 0,
// and a symbol that shows the doubt.
func (s *Assets) ByID(ctx context.Context, ids []ledger.AssetID) (map[ledger.AssetID]AssetRef, error) {
	out := make(map[ledger.AssetID]AssetRef, len(ids))
	f := s.cache.current()
	var missing []ledger.AssetID
	for _, id := range ids {
		if _, done := out[id]; done {
			continue
		}
		if a := f.assets.get(id.String()); a != nil {
			out[id] = AssetRefOf(a)
			continue
		}
		if shown := f.doubted.get(id.String()); shown != nil {
			out[id] = *shown
			continue
		}
		if out[id] = (AssetRef{ID: id, Symbol: id.String()}); id == DCT().ID {
			out[id] = DCT()
			continue
		}
		missing = append(missing, id)
	}
	if len(missing) == 0 {
		return out, nil
	}
	found, err := s.daemon.GetAssets(ctx, missing)
	if err != nil {
		return nil, fault.Daemon("reading assets", err)
	}
	var refs []AssetRef
	for _, a := range found {
		if a != nil {
			refs = append(refs, AssetRefOf(a))
		}
	}
	doubts, err := s.pins.Doubts(ctx, refs...)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		if a == nil {
			continue
		}
		if doubts[a.ID] != nil {
			shown, _ := s.pins.doubted.get(a.ID)
			f.doubted.put(&shown, a.ID.String())
			out[a.ID] = shown
			continue
		}
		f.assets.put(a, a.Symbol, a.ID.String())
		out[a.ID] = AssetRefOf(a)
	}
	return out, nil
}

// Known returns the reference to an asset from what was read at this head block or is
// pinned. If neither has it, the id takes the place of the symbol. DCT is always known.
func (s *Assets) Known(id ledger.AssetID) AssetRef {
	if a := s.cache.current().assets.get(id.String()); a != nil {
		return AssetRefOf(a)
	}
	return s.pins.AssetOr(AssetRef{ID: id, Symbol: id.String()})
}

// Balances reads what an account holds, DCT first, the rest sorted by symbol.
func (s *Assets) Balances(ctx context.Context, id ledger.AccountID) ([]Balance, error) {
	out, err := s.Holdings(ctx, id)
	if err != nil {
		return nil, err
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i].Asset, out[j].Asset
		if (a.ID == ledger.CoreAsset) != (b.ID == ledger.CoreAsset) {
			return a.ID == ledger.CoreAsset
		}
		return a.Symbol < b.Symbol
	})
	return out, nil
}

// Holdings reads what an account holds, in the daemon's order.
func (s *Assets) Holdings(ctx context.Context, id ledger.AccountID) ([]Balance, error) {
	amounts, err := s.daemon.GetAccountBalances(ctx, id)
	if err != nil {
		return nil, fault.Daemon("reading balances", err)
	}
	ids := make([]ledger.AssetID, len(amounts))
	for i, a := range amounts {
		ids[i] = a.AssetID
	}
	assets, err := s.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Balance, len(amounts))
	for i, a := range amounts {
		s.pins.queueAsset(a.AssetID) // an asset that is held may be paid with some day
		out[i] = Balance{assets[a.AssetID], a.Amount}
	}
	return out, nil
}

// Held reads what an account holds of the given assets. Assets missing from the result have a balance of zero.
func (s *Assets) Held(ctx context.Context, id ledger.AccountID, assets ...ledger.AssetID) (map[ledger.AssetID]int64, error) {
	amounts, err := s.daemon.GetAccountBalances(ctx, id, assets...)
	if err != nil {
		return nil, fault.Daemon("reading the balance", err)
	}
	out := make(map[ledger.AssetID]int64, len(amounts))
	for _, a := range amounts {
		out[a.AssetID] = a.Amount
	}
	return out, nil
}
