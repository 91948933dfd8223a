package walletapi

import (
	"context"

	"billfold/walletcore"
)

// requestKey makes a spending call safe to repeat.
var requestKey = Param{Name: "request_key", Kind: Text, Optional: true, Role: RoleRequestKey,
	Help: "the same key and content give the first outcome again instead of a second payment"}

func transferMethods() []Method {
	return []Method{
		{Name: "transfer", Group: "Transfers", Touches: Signs | Spends, Reach: ReachAccount, NeedsUnlock: true, Secret: true,
			Params: []Param{{Name: "from", Kind: Text, Help: "account name or id", Role: RoleAccount}, {Name: "to", Kind: Text, Help: "account name or id, or a content id 2.13.N", Role: RoleDestination},
				{Name: "amount", Kind: Text, Help: "decimal text in the asset's precision", Role: RoleAmount}, {Name: "asset_symbol", Kind: Text, Help: "symbol or id", Role: RoleAsset},
				{Name: "memo", Kind: Text, Help: "encrypted for the recipient; empty = none"}, {Name: "broadcast", Kind: Bool, Help: "false: only sign", Role: RoleBroadcast}, requestKey},
			Result: "signed transaction with transaction_id", Help: "Pays an amount to an account.",
			Examples: []string{`alice bobby 12.25 DCT "thank you" true`},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				req := walletcore.TransferRequest{From: a.text(0), To: a.text(1), Amount: a.text(2), Asset: a.text(3), Memo: a.text(4)}
				return w.Transfer(ctx, req, a.sending(5))
			}},
	}
}
