package payment

import (
	"context"
	"slices"

	"billfold/ledger"
)

// payers returns the accounts that pay for the operations of the payment: at least their fees.
func (e *entry) payers() []ledger.AccountID {
	var out []ledger.AccountID
	for _, op := range e.tx.Operations {
		if op.Body != nil {
			out = append(out, op.Body.FeePayer())
		}
	}
	return out
}

// CheckPayers returns fault.NoSuchPayment unless there is a payment with this id or request key and every account that
// pays in it is allowed. A caller who may not see a payment cannot find out whether it exists.
func (p *Payments) CheckPayers(ctx context.Context, idOrKey string, allowed func(ledger.AccountID) bool) error {
	e, err := p.knownPayment(ctx, idOrKey)
	if err != nil {
		return err
	}
	who := e.payers()
	if len(who) == 0 || slices.ContainsFunc(who, func(id ledger.AccountID) bool { return !allowed(id) }) {
		return notFound(ctx, p, idOrKey)
	}
	return nil
}

// ListOf is ListKeyed for one account: it returns those of the latest 1000 payments in which the account
// pays. Errors: those of List and Account.
func (p *Payments) ListOf(ctx context.Context, account, keyPrefix string, limit uint32) ([]Info, error) {
	if limit > maxPayments {
		return p.List(ctx, limit) // returns the error about the limit
	}
	a, err := p.View.Accounts.Get(ctx, account)
	if err != nil {
		return nil, err
	}
	latest, err := p.ListKeyed(ctx, keyPrefix, maxPayments)
	if err != nil {
		return nil, err
	}
	out := []Info{}
	for _, row := range latest {
		if len(out) == int(limit) {
			break
		}
		e, err := p.knownPayment(ctx, row.TransactionID.String())
		if err != nil {
			return nil, err
		}
		if slices.Contains(e.payers(), a.ID) {
			out = append(out, row)
		}
	}
	return out, nil
}
