package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

type listMinersParams struct {
	LowerBound string `json:"lowerbound" help:"first name"`
	Limit      uint32 `json:"limit" help:"at most 1000"`
}

type minerParams struct {
	Owner string `json:"owner_account" help:"account name or id, or the id of the miner"`
}

type vestingParams struct {
	Account string `json:"account_name" role:"account" help:"account name or id, or the id of a vesting balance"`
}

type minerVotingParams struct {
	Account string `json:"account_id" help:"name or id of the account whose votes are shown; empty = nobody's"`
	Term    string `json:"term" help:"a part of the miner's name"`
	Mine    bool   `json:"only_my_votes" help:"true: only those that the account votes for"`
	Order   string `json:"order" help:"+name, -name, +link, -link, +votes or -votes"`
	From    string `json:"id" help:"the miner to start at; empty = the first"`
	Count   uint32 `json:"count" help:"at most 1000"`
}

func minerMethods() []*Method {
	return []*Method{
		read(
			"list_miners",
			doc{Help: "Lists miners in the order of their names, starting at a given one.", Reach: ReachChain, Examples: []string{`"" 20`}},
			func(ctx context.Context, w *Core, p listMinersParams) (rawOf[[]ledger.NamedMiner], error) {
				return raw[[]ledger.NamedMiner](w.View.Miners.List(ctx, p.LowerBound, p.Limit))
			}),
		read("get_miner", doc{Help: "Reads a miner by its account or its own id.", Reach: ReachChain, Examples: []string{"init0", "1.4.1"}},
			func(ctx context.Context, w *Core, p minerParams) (rawOf[ledger.Miner], error) {
				return raw[ledger.Miner](w.View.Miners.Get(ctx, p.Owner))
			}),
		read(
			"search_miner_voting",
			doc{Help: "Finds miners by a part of their name, and shows whether an account votes for them.", Reach: ReachChain,
				Examples: []string{`alice "" true +name "" 10`}},
			func(ctx context.Context, w *Core, p minerVotingParams) (rawList[ledger.MinerVoting], error) {
				return w.View.Miners.Search(ctx,
					ledgerview.MinerSearch{Voter: p.Account, Term: p.Term, Voted: p.Mine, Order: p.Order, From: p.From, Count: p.Count})
			},
		),
		read(
			"get_vesting_balances",
			doc{Help: "Lists the vesting balances of an account, with what may be withdrawn now.", Examples: []string{"init0"}},
			func(ctx context.Context, w *Core, p vestingParams) (rawList[ledgerview.VestingBalance], error) {
				return w.View.Vesting.List(ctx, p.Account)
			}),
	}
}
