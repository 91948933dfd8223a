package walletapi

import (
	"context"

	"billfold/walletcore"
)

func assetMethods() []Method {
	const group = "Assets"
	return []Method{
		{Name: "list_assets", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "lowerbound", Kind: Text, Help: "first symbol"}, {Name: "limit", Kind: Uint32, Help: "at most 100"}},
			Result: "list of assets", Help: "Lists assets by symbol, from a beginning on.", Examples: []string{`"" 10`},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.ListAssets(ctx, a.text(0), a.uint32(1))
			}},
		{Name: "get_asset", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "asset_name_or_id", Kind: Text}}, Result: "asset", Help: "Reads an asset by symbol or id.",
			Examples: []string{"DCT", "1.3.0"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.AssetRaw(ctx, a.text(0))
			}},
	}
}
