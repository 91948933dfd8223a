package walletapi

import (
	"context"
	"strconv"

	"billfold/ledger"
)

type feedsParams struct {
	Account string `json:"account_name_or_id" help:"account name or id of the publisher"`
	Count   uint32 `json:"count" help:"at most 100"`
}

type priceParams struct {
	Amount string `json:"amount" help:"decimal text in the asset's precision"`
	Asset  string `json:"asset_symbol_or_id" help:"asset symbol or id"`
}

func priceMethods() []*Method {
	return []*Method{
		read(
			"get_monitored_asset_data",
			doc{
				Help:  "Reads the settings and published prices of an asset whose price miners publish.",
				Reach: ReachChain, Examples: []string{"USD"},
			},
			func(ctx context.Context, w *Core, p assetParams) (rawOf[ledger.MonitoredAssetOptions], error) {
				return raw[ledger.MonitoredAssetOptions](w.View.Prices.Monitored(ctx, p.SymbolOrID))
			},
		),
		read(
			"get_feeds_by_miner",
			doc{Help: "Lists the latest prices that an account published.", Reach: ReachChain, Examples: []string{"init0 10"}},
			func(ctx context.Context, w *Core, p feedsParams) (rawList[ledger.DatedFeed], error) {
				return w.View.Prices.FeedsBy(ctx, p.Account, p.Count)
			},
		),
		read(
			"price_to_dct",
			doc{
				Help: "Converts an amount into DCT at the asset's current rate.", Result: "smallest units of DCT",
				Reach: ReachChain, Examples: []string{"10 GOLDX"},
			},
			func(ctx context.Context, w *Core, p priceParams) (string, error) {
				units, err := w.View.Prices.InDCT(ctx, p.Amount, p.Asset)
				return strconv.FormatInt(units, 10), err
			}),
		read("get_real_supply", doc{Help: "Summarises where all DCT is.", Result: "smallest units", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (rawOf[ledger.Supply], error) {
				return raw[ledger.Supply](w.View.Prices.Supply(ctx))
			}),
	}
}
