package walletcore

import (
	"context"
	"slices"

	"billfold/ledger"
)

// payers are the accounts that pay in the operations of p: their fees at least.
func (p *payment) payers() []ledger.AccountID {
	var out []ledger.AccountID
	for _, op := range p.tx.Operations {
		if op.Body != nil {
			out = append(out, op.Body.FeePayer())
		}
	}
	return out
}

// PaymentOf is fault.NoSuchPayment unless there is a payment of this id or request
// key, and all who pay in it are allowed: whoever may not know of a payment is
// not told that there is one.
func (w *Wallet) PaymentOf(ctx context.Context, idOrKey string, allowed func(ledger.AccountID) bool) error {
	p, err := w.knownPayment(ctx, idOrKey)
	if err != nil {
		return err
	}
	who := p.payers()
	if len(who) == 0 || slices.ContainsFunc(who, func(id ledger.AccountID) bool { return !allowed(id) }) {
		return unknownPayment(idOrKey)
	}
	return nil
}

// ListPaymentsOf is ListPayments for those of the latest 1000 payments in which an
// account pays. Errors: those of ListPayments and Account.
func (w *Wallet) ListPaymentsOf(ctx context.Context, account string, limit uint32) ([]PaymentInfo, error) {
	if limit > mostPayments {
		return w.ListPayments(ctx, limit) // says that it is too many
	}
	a, err := w.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	latest, err := w.ListPayments(ctx, mostPayments)
	if err != nil {
		return nil, err
	}
	out := []PaymentInfo{}
	for _, row := range latest {
		if len(out) == int(limit) {
			break
		}
		p, err := w.knownPayment(ctx, row.TransactionID.String())
		if err != nil {
			return nil, err
		}
		if slices.Contains(p.payers(), a.ID) {
			out = append(out, row)
		}
	}
	return out, nil
}
