package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

type searchAccountsParams struct {
	Term  string          `json:"term" help:"a part of the name or the id"`
	Order string          `json:"order" help:"+name, -name, +id or -id"`
	From  ledger.ObjectID `json:"id" help:"the account to start at; 0.0.0 = the first"`
	Limit uint32          `json:"limit" help:"at most 1000"`
}

type proposalsParams struct {
	Account string `json:"account_or_id" help:"account name or id"`
}

func accountSearchMethods() []*Method {
	return []*Method{
		read("get_account_count", doc{Help: "Returns how many accounts there are.", Reach: ReachChain},
			func(ctx context.Context, w *Core, _ struct{}) (uint64, error) { return w.View.Accounts.Count(ctx) }),
		read(
			"search_accounts",
			doc{Help: "Finds accounts by a part of their name or id.", Reach: ReachChain, Examples: []string{`ali +name 0.0.0 10`}},
			func(ctx context.Context, w *Core, p searchAccountsParams) (rawList[ledger.Account], error) {
				return w.View.Accounts.Search(ctx, ledgerview.AccountSearch{Term: p.Term, Order: p.Order, From: p.From, Limit: p.Limit})
			},
		),
		read(
			"get_proposed_transactions",
			doc{Help: "Lists the proposals that need an account's approval, or have it.", Reach: ReachChain, Examples: []string{"alice"}},
			func(ctx context.Context, w *Core, p proposalsParams) (rawList[ledger.Proposal], error) {
				return w.View.Accounts.Proposals(ctx, p.Account)
			}),
	}
}
