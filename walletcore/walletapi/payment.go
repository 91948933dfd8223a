package walletapi

import (
	"context"

	"billfold/walletcore/payment"
)

type paymentParams struct {
	IDOrKey string `json:"id_or_key" role:"payment" help:"transaction id or request key"`
}

type listPaymentsParams struct {
	Limit   uint32 `json:"limit" help:"at most 1000"`
	Account string `json:"account,omitempty" role:"account" help:"name or id; only payments by this account, among the latest 1000"`
	Keys    string `json:"keys,omitempty" byname:"only" help:"only payments whose request key begins with this"`
}

type waitPaymentParams struct {
	IDOrKey string `json:"id_or_key" role:"payment" help:"transaction id or request key"`
	State   string `json:"state" help:"in_block or irreversible"`
	Seconds uint32 `json:"seconds" help:"the longest wait, at most 3600"`
}

func paymentMethods() []*Method {
	return []*Method{
		read("get_payment", doc{Help: "Returns the state of a payment of this wallet.", Examples: []string{"order-77"}},
			func(ctx context.Context, w *Core, p paymentParams) (payment.Info, error) {
				return w.Payments.Get(ctx, p.IDOrKey)
			}),
		read(
			"list_payments",
			doc{
				Help: "Lists the latest payments of this wallet.", Result: "without transactions, newest first",
				Reach: ReachWallet, Examples: []string{"10"},
			},
			listPayments,
		),
		read(
			"wait_payment",
			doc{
				Help: "Waits until a payment is in_block or irreversible, or never will be.", Pace: PaceWaits,
				Examples: []string{"order-77 irreversible 50"},
			},
			func(ctx context.Context, w *Core, p waitPaymentParams) (payment.Info, error) {
				return w.Payments.Wait(ctx, p.IDOrKey, p.State, p.Seconds)
			}),
	}
}

func listPayments(ctx context.Context, w *Core, p listPaymentsParams) ([]payment.Info, error) {
	if p.Account != "" {
		return w.Payments.ListOf(ctx, p.Account, p.Keys, p.Limit)
	}
	return w.Payments.ListKeyed(ctx, p.Keys, p.Limit)
}
