package walletapi

import (
	"context"

	"billfold/walletcore/reconcile"
)

type reconcileParams struct {
	Account string `json:"account" role:"account" help:"of this wallet, name or id"`
	From    string `json:"from,omitempty" help:"first UTC day, such as 2026-11-01; empty = the first"`
	To      string `json:"to,omitempty" help:"last UTC day; empty = the last"`
}

func reconcileMethods() []*Method {
	return []*Method{
		read("reconcile",
			doc{
				Help:   "Adds up an account's history day by day and compares the sum with its balances.",
				Result: "opening + in - out - fees = closing for each day and asset, and what does not add up",
				Pace:   PaceWaits, Examples: []string{"alice 2026-11-01 2026-11-30"},
			},
			func(ctx context.Context, w *Core, p reconcileParams) (*reconcile.Report, error) {
				return reconcile.Account(ctx, w.History, p.Account, p.From, p.To)
			}),
	}
}
