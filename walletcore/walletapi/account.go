package walletapi

import (
	"context"

	"billfold/walletcore"
)

func accountMethods() []Method {
	const group = "Accounts"
	return []Method{
		{Name: "get_account", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "account_name_or_id", Kind: Text}}, Result: "account", Help: "Reads an account by name or id.",
			Examples: []string{"alice", "1.2.34"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.AccountRaw(ctx, a.text(0))
			}},
		{Name: "list_accounts", Group: group, Touches: Reads, Reach: ReachChain, Params: []Param{{Name: "lowerbound", Kind: Text, Help: "first name"}, {Name: "limit", Kind: Uint32, Help: "at most 1000"}},
			Result: "list of [name, id]", Help: "Lists accounts by name, from a beginning on.", Examples: []string{`"" 10`},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.ListAccounts(ctx, a.text(0), a.uint32(1))
			}},
		{Name: "list_account_balances", Group: group, Touches: Reads, Reach: ReachAccount, Params: []Param{{Name: "id", Kind: Text, Help: "account name or id", Role: RoleAccount}},
			Result: "list of {amount in smallest units, asset_id, pretty_amount}", Help: "Lists what an account holds.", Examples: []string{"alice"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.ListBalances(ctx, a.text(0))
			}},
		{Name: "get_account_history", Group: group, Touches: Reads, Reach: ReachAccount, Params: []Param{{Name: "name", Kind: Text, Role: RoleAccount}, {Name: "limit", Kind: Int32, Help: "rows"}},
			Result: "list of {memo, description, op}, newest first", Help: "Reads the latest operations of an account.", Examples: []string{"alice 10"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.AccountHistory(ctx, a.text(0), a.int32(1))
			}},
		{Name: "get_relative_account_history", Group: group, Touches: Reads, Reach: ReachAccount,
			Params: []Param{{Name: "name", Kind: Text, Role: RoleAccount}, {Name: "stop", Kind: Uint32, Help: "lowest number"}, {Name: "limit", Kind: Int32, Help: "at most 100"}, {Name: "start", Kind: Uint32, Help: "highest number, 0 = newest"}},
			Result: "list of {memo, description, op}, newest first", Help: "Reads operations of an account by the account's own count.", Examples: []string{"alice 0 10 0"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.RelativeAccountHistory(ctx, a.text(0), a.uint32(1), a.int32(2), a.uint32(3))
			}},
		{Name: "register_account", Group: group, Touches: Signs | Spends, Reach: ReachAccount, NeedsUnlock: true,
			Params: []Param{{Name: "name", Kind: Text}, {Name: "owner", Kind: Key}, {Name: "active", Kind: Key, Help: "also the memo key"}, {Name: "registrar_account", Kind: Text, Help: "pays the fee", Role: RoleAccount}, {Name: "broadcast", Kind: Bool, Role: RoleBroadcast}, requestKey},
			Result: "signed transaction with transaction_id", Help: "Creates an account with given keys.",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.RegisterAccount(ctx, a.text(0), a.key(1), a.key(2), a.text(3), a.sending(4))
			}},
	}
}
