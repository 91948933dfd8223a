package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

type accountParams struct {
	NameOrID string `json:"account_name_or_id" help:"account name or id"`
}

type listAccountsParams struct {
	LowerBound string `json:"lowerbound" help:"first name"`
	Limit      uint32 `json:"limit" help:"at most 1000"`
}

type balancesParams struct {
	Account string `json:"id" role:"account" help:"account name or id"`
}

type historyParams struct {
	Account string `json:"name" role:"account" help:"account name or id"`
	Limit   int32  `json:"limit" help:"rows"`
}

type relativeHistoryParams struct {
	Account string `json:"name" role:"account" help:"account name or id"`
	Stop    uint32 `json:"stop" help:"lowest number"`
	Limit   int32  `json:"limit" help:"at most 100"`
	Start   uint32 `json:"start" help:"highest number, 0 = newest"`
}

type nameAndID struct {
	_    struct{}         `fc:"pair"`
	Name string           `json:"name"`
	ID   ledger.AccountID `json:"id"`
}

func accountMethods() []*Method {
	return []*Method{
		read("get_account", doc{Help: "Reads an account by name or id.", Reach: ReachChain, Examples: []string{"alice", "1.2.34"}},
			func(ctx context.Context, w *Core, p accountParams) (rawOf[ledger.Account], error) {
				return raw[ledger.Account](w.View.Accounts.Raw(ctx, p.NameOrID))
			}),
		read(
			"list_accounts",
			doc{
				Help: "Lists accounts in the order of their names, starting at a given one.", Reach: ReachChain,
				Examples: []string{`"" 10`},
			},
			func(ctx context.Context, w *Core, p listAccountsParams) (rawOf[[]nameAndID], error) {
				return raw[[]nameAndID](w.View.Accounts.List(ctx, p.LowerBound, p.Limit))
			},
		),
		read(
			"list_account_balances",
			doc{Help: "Lists what an account holds.", Result: "amounts in smallest units", Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p balancesParams) ([]ledgerview.PrettyBalance, error) {
				return w.View.PrettyBalances(ctx, p.Account)
			},
		),
		read(
			"get_account_history",
			doc{Help: "Reads the latest operations of an account.", Result: "newest first", Examples: []string{"alice 10"}},
			func(ctx context.Context, w *Core, p historyParams) ([]history.Detail, error) {
				return w.History.Latest(ctx, p.Account, p.Limit)
			},
		),
		read(
			"get_relative_account_history",
			doc{
				Help: "Reads operations of an account by the account's own count.", Result: "newest first",
				Examples: []string{"alice 0 10 0"},
			},
			func(ctx context.Context, w *Core, p relativeHistoryParams) ([]history.Detail, error) {
				return w.History.Relative(ctx, p.Account, p.Stop, p.Limit, p.Start)
			},
		),
		spend(
			"register_account",
			doc{
				Help:     "Creates an account with given keys.",
				Examples: []string{"newcomer " + exampleKey + " " + exampleKey + " alice true"},
			},
			txbuild.RegisterAccount,
		),
	}
}

// exampleKey stands for a public key in examples.
const exampleKey = "DCT6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
