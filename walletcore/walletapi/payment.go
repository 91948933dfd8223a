package walletapi

import (
	"context"

	"billfold/walletcore"
)

func paymentMethods() []Method {
	const group = "Payments"
	which := Param{Name: "id_or_key", Kind: Text, Help: "transaction id or request key", Role: RolePayment}
	return []Method{
		{Name: "get_payment", Group: group, Touches: Reads, Reach: ReachWallet, Params: []Param{which}, Help: "Tells what became of a payment of this wallet.",
			Result: "{transaction_id, request_key, state, reason, block_num, trx_in_block, expiration, prepared, sent, in_block, transaction}",
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.GetPayment(ctx, a.text(0))
			}},
		{Name: "list_payments", Group: group, Touches: Reads, Reach: ReachWallet, Help: "Lists the latest payments of this wallet.",
			Params: []Param{{Name: "limit", Kind: Uint32, Help: "at most 1000"},
				{Name: "account", Kind: Text, Optional: true, Help: "name or id; those of the latest 1000 that this account pays", Role: RoleAccount}},
			Result: "list as of get_payment without transactions, newest first", Examples: []string{"10"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				if a.text(1) != "" {
					return w.ListPaymentsOf(ctx, a.text(1), a.uint32(0))
				}
				return w.ListPayments(ctx, a.uint32(0))
			}},
		{Name: "wait_payment", Group: group, Pace: PaceWaits, Touches: Reads, Reach: ReachWallet, Help: "Waits until a payment is in_block or irreversible, or will never be.",
			Params: []Param{which, {Name: "state", Kind: Text, Help: "in_block or irreversible"}, {Name: "seconds", Kind: Uint32, Help: "the longest wait, at most 3600"}},
			Result: "as of get_payment", Examples: []string{"order-77 irreversible 50"},
			handle: func(ctx context.Context, w *walletcore.Wallet, _ *Catalogue, a args) (any, error) {
				return w.WaitPayment(ctx, a.text(0), a.text(1), a.uint32(2))
			}},
	}
}
