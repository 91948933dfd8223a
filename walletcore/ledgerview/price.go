package ledgerview

import (
	"context"
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// feedReader is the daemon as published prices are read from it.
type feedReader interface {
	FeedsByMiner(ctx context.Context, publisher ledger.AccountID, count uint32) ([]json.RawMessage, error)
	PriceToDCT(ctx context.Context, amount ledger.AssetAmount) (ledger.AssetAmount, error)
	RealSupply(ctx context.Context) (json.RawMessage, error)
}

// Prices reads published prices, and where all DCT lies.
type Prices struct {
	daemon   feedReader
	accounts *Accounts
	assets   *Assets
}

// FeedsBy lists [time, price] of what an account, by name or id, published last, at most count (100).
func (s *Prices) FeedsBy(ctx context.Context, publisher string, count uint32) ([]json.RawMessage, error) {
	account, err := s.accounts.Get(ctx, publisher)
	if err != nil {
		return nil, err
	}
	feeds, err := s.daemon.FeedsByMiner(ctx, account.ID, count)
	return feeds, daemonFault("reading published prices", err)
}

// InDCT returns what an amount of an asset is worth in smallest units of DCT.
func (s *Prices) InDCT(ctx context.Context, amount, symbolOrID string) (int64, error) {
	asset, err := s.assets.Get(ctx, symbolOrID)
	if err != nil {
		return 0, err
	}
	units, err := ledger.ParseAmountOf(amount, asset.Symbol, asset.Precision)
	if err != nil {
		return 0, &fault.Error{Code: fault.BadAmount, Op: "price_to_dct", Err: err,
			Message: fault.Quote(amount) + " is not an amount of " + asset.Symbol, Hint: "write digits with at most one point"}
	}
	worth, err := s.daemon.PriceToDCT(ctx, ledger.AssetAmount{Amount: units, AssetID: asset.ID})
	return worth.Amount, daemonFault("converting into DCT", err)
}

// Monitored returns the settings and published prices of an asset whose price is fed.
// Errors: those of Assets.Get, fault.AssetNotMonitored.
func (s *Prices) Monitored(ctx context.Context, symbolOrID string) (json.RawMessage, error) {
	raw, err := s.assets.Raw(ctx, symbolOrID)
	if err != nil {
		return nil, err
	}
	var asset struct {
		Symbol  string          `json:"symbol"`
		Options json.RawMessage `json:"monitored_asset_opts"`
	}
	if err := codec.Unmarshal(raw, &asset); err != nil {
		return nil, fault.Daemon("reading the asset", err)
	}
	if IsNull(asset.Options) {
		return nil, &fault.Error{Code: fault.AssetNotMonitored, Op: "get_monitored_asset_data",
			Message: "nobody publishes prices of " + fault.Quote(asset.Symbol), Hint: "get_asset shows its exchange rate"}
	}
	return asset.Options, nil
}

// Supply returns where all DCT lies.
func (s *Prices) Supply(ctx context.Context) (json.RawMessage, error) {
	raw, err := s.daemon.RealSupply(ctx)
	return raw, daemonFault("reading the supply", err)
}
