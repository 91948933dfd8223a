package walletapi

import (
	"context"

	"billfold/ledger"
)

type listAssetsParams struct {
	LowerBound string `json:"lowerbound" help:"first symbol"`
	Limit      uint32 `json:"limit" help:"at most 100"`
}

type assetParams struct {
	SymbolOrID string `json:"asset_name_or_id" help:"asset symbol or id"`
}

func assetMethods() []*Method {
	return []*Method{
		read(
			"list_assets",
			doc{
				Help: "Lists assets in the order of their symbols, starting at a given one.", Reach: ReachChain,
				Result:   "an asset that no longer matches its pin has the reason in the member in_doubt",
				Examples: []string{`"" 10`},
			},
			func(ctx context.Context, w *Core, p listAssetsParams) (rawList[ledger.Asset], error) {
				return w.View.Assets.List(ctx, p.LowerBound, p.Limit)
			}),
		read("get_asset", doc{Help: "Reads an asset by symbol or id.", Reach: ReachChain, Examples: []string{"DCT", "1.3.0"}},
			func(ctx context.Context, w *Core, p assetParams) (rawOf[ledger.Asset], error) {
				return raw[ledger.Asset](w.View.Assets.Raw(ctx, p.SymbolOrID))
			}),
	}
}
