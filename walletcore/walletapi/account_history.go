package walletapi

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/history"
)

type searchHistoryParams struct {
	Account string          `json:"account_name" role:"account" help:"account name or id"`
	Order   string          `json:"order" help:"+ or - before type, to, from, price, fee, nft, description or time; any other = -time"`
	From    ledger.ObjectID `json:"id" help:"the row to start at; 0.0.0 = the first"`
	Limit   int32           `json:"limit" help:"at most 1000"`
}

type searchBalancesParams struct {
	Account   string   `json:"account_name" role:"account" help:"account name or id"`
	Assets    []string `json:"assets_list" help:"symbols or ids, one of which changed; empty = any"`
	Partner   string   `json:"partner_account" help:"account name or id, for transfers only; empty = anybody"`
	FromBlock uint32   `json:"from_block" help:"the first block; 0 in both = all"`
	ToBlock   uint32   `json:"to_block" help:"the last block"`
	Skip      uint32   `json:"start_offset" help:"how many of the newest to skip"`
	Limit     int32    `json:"limit" help:"at most 1000"`
}

type balancesAtParams struct {
	Account string           `json:"account_name" role:"account" help:"account name or id"`
	Record  ledger.HistoryID `json:"operation_history_id" help:"as get_account_history shows it"`
}

// historySearchMethods returns the daemon's own searches of an account's history.
func historySearchMethods() []*Method {
	return []*Method{
		read("search_account_history", doc{Help: "Finds operations of an account, in an order of your choice.",
			Result: "memos come after the descriptions", Examples: []string{"alice -time 0.0.0 10"}},
			func(ctx context.Context, w *Core, p searchHistoryParams) ([]ledger.TransactionDetail, error) {
				return w.History.Search(ctx, history.Search(p))
			}),
		read("search_account_balance_history", doc{Help: "Finds what changed the balances of an account.",
			Result:   "newest first; amounts in smallest units",
			Examples: []string{`alice [] "" 0 0 0 10`, `alice '["DCT"]' bobby 0 0 0 10`}},
			func(ctx context.Context, w *Core, p searchBalancesParams) ([]history.BalanceChange, error) {
				return w.History.SearchBalances(ctx, history.BalanceSearch(p))
			}),
		read("get_account_balance_for_transaction", doc{Help: "Reads how one operation changed an account's balances.",
			Result:   "for the account's next older operation when it had no part in this one; null when there is none",
			Examples: []string{"alice 1.7.1"}},
			func(ctx context.Context, w *Core, p balancesAtParams) (*history.BalanceChange, error) {
				return w.History.BalancesAt(ctx, p.Account, p.Record)
			}),
	}
}
