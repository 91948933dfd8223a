package walletapi

import (
	"context"

	"billfold/ledger"
)

type seedersParams struct {
	Count uint32 `json:"count" help:"at most 100"`
}

type seedersInParams struct {
	Region string `json:"region_code" help:"default, or a country's code of two letters"`
}

// seedersBy declares the operation that lists seeders in an order.
func seedersBy(order, help string) *Method {
	return read("list_seeders_by_"+order, doc{Help: help, Reach: ReachChain, Examples: []string{"10"}},
		func(ctx context.Context, w *Core, p seedersParams) (rawList[ledger.Seeder], error) {
			return w.View.Contents.SeedersBy(ctx, order, p.Count)
		})
}

func seederMethods() []*Method {
	return []*Method{
		seedersBy("price", "Lists the seeders of content, the cheapest first."),
		seedersBy("upload", "Lists the seeders of content, those with the most uploads first."),
		seedersBy("rating", "Lists the seeders of content, the best rated first."),
		read("list_seeders_by_region",
			doc{Help: "Lists the seeders of content in a region.", Reach: ReachChain, Examples: []string{"default"}},
			func(ctx context.Context, w *Core, p seedersInParams) (rawList[ledger.Seeder], error) {
				return w.View.Contents.SeedersIn(ctx, p.Region)
			}),
	}
}
