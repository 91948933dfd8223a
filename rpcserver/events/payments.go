package events

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payment"
)

// Payments are the payments of the wallet.
type Payments interface {
	States(with func(id ledger.TransactionID, s payment.State, prepared time.Time))
	Get(ctx context.Context, idOrKey string) (payment.Info, error)
}

// maxForgotten is the maximum number of payments remembered here that the wallet no longer keeps in memory.
const maxForgotten = 1000

// paymentStates is the state that was last published of each payment.
type paymentStates struct {
	from      Payments
	published map[ledger.TransactionID]string
	started   bool // the payments that existed at the start were recorded, unpublished
}

// changedPayment is a payment whose state is not the one that was published.
type changedPayment struct {
	id       ledger.TransactionID
	state    string
	prepared time.Time
}

// changes returns the payments to publish, oldest first: pending and recently settled ones whose state has changed. If heard
// is false, nobody has subscribed: it only records the states.
func (p *paymentStates) changes(ctx context.Context, subscribed bool) (infos []payment.Info) {
	for _, c := range p.changed() {
		if p.started && subscribed {
			info, err := p.from.Get(ctx, c.id.String())
			if err != nil {
				continue // the next scan tries again
			}
			c.state, info.Transaction = info.State, nil
			infos = append(infos, info)
		}
		p.published[c.id] = c.state
	}
	p.started = true
	return infos
}

func (p *paymentStates) changed() (list []changedPayment) {
	known := 0
	p.from.States(func(id ledger.TransactionID, s payment.State, prepared time.Time) {
		known++
		if state := s.String(); p.published[id] != state {
			list = append(list, changedPayment{id, state, prepared})
		}
	})
	if len(p.published) > known+maxForgotten {
		p.forget()
	}
	slices.SortFunc(list, func(a, b changedPayment) int { return a.prepared.Compare(b.prepared) })
	return list
}

// forget drops the payments that the wallet no longer keeps in memory.
func (p *paymentStates) forget() {
	kept := map[ledger.TransactionID]string{}
	p.from.States(func(id ledger.TransactionID, _ payment.State, _ time.Time) {
		if state, published := p.published[id]; published {
			kept[id] = state
		}
	})
	p.published = kept
}
