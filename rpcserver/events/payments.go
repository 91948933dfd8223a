package events

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payment"
)

// mostForgotten is how many payments may be noted that the wallet has no longer in mind.
const mostForgotten = 1000

// changedPayment is a payment whose state is not the one that was published.
type changedPayment struct {
	id       ledger.TransactionID
	state    string
	prepared time.Time
}

// publishPayments publishes those that the wallet has in mind: what is on its way
// and what was settled lately.
func (p *Publisher) publishPayments(ctx context.Context) {
	for _, c := range p.changedPayments() {
		if p.paymentsKnown {
			info, err := p.from.Payments.Get(ctx, c.id.String())
			if err != nil {
				continue // the next scan asks again
			}
			c.state, info.Transaction = info.State, nil
			p.publish("payments", info)
		}
		p.payments[c.id] = c.state
	}
	p.paymentsKnown = true
}

// changedPayments returns the payments to publish, oldest first.
func (p *Publisher) changedPayments() (changed []changedPayment) {
	known := 0
	p.from.Payments.States(func(id ledger.TransactionID, s payment.State, prepared time.Time) {
		known++
		if state := s.String(); p.payments[id] != state {
			changed = append(changed, changedPayment{id, state, prepared})
		}
	})
	if len(p.payments) > known+mostForgotten {
		p.forgetPayments()
	}
	slices.SortFunc(changed, func(a, b changedPayment) int { return a.prepared.Compare(b.prepared) })
	return changed
}

// forgetPayments drops those that the wallet has no longer in mind.
func (p *Publisher) forgetPayments() {
	kept := map[ledger.TransactionID]string{}
	p.from.Payments.States(func(id ledger.TransactionID, _ payment.State, _ time.Time) {
		if state, published := p.payments[id]; published {
			kept[id] = state
		}
	})
	p.payments = kept
}
