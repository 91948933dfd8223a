package events

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payment"
)

// Payments are those of the wallet.
type Payments interface {
	States(with func(id ledger.TransactionID, s payment.State, prepared time.Time))
	Get(ctx context.Context, idOrKey string) (payment.Info, error)
}

// mostForgotten is how many payments may be noted that the wallet has no longer in mind.
const mostForgotten = 1000

// paymentStates is what was last published of each payment.
type paymentStates struct {
	from      Payments
	published map[ledger.TransactionID]string
	begun     bool // what there was before is no news
}

// changedPayment is a payment whose state is not the one that was published.
type changedPayment struct {
	id       ledger.TransactionID
	state    string
	prepared time.Time
}

// changes returns the payments to publish, oldest first: of what is on its way, and of what was settled lately. Where nobody
// listens they are only noted.
func (p *paymentStates) changes(ctx context.Context, heard bool) (infos []payment.Info) {
	for _, c := range p.changed() {
		if p.begun && heard {
			info, err := p.from.Get(ctx, c.id.String())
			if err != nil {
				continue // the next scan asks again
			}
			c.state, info.Transaction = info.State, nil
			infos = append(infos, info)
		}
		p.published[c.id] = c.state
	}
	p.begun = true
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
	if len(p.published) > known+mostForgotten {
		p.forget()
	}
	slices.SortFunc(list, func(a, b changedPayment) int { return a.prepared.Compare(b.prepared) })
	return list
}

// forget drops the payments that the wallet has no longer in mind.
func (p *paymentStates) forget() {
	kept := map[ledger.TransactionID]string{}
	p.from.States(func(id ledger.TransactionID, _ payment.State, _ time.Time) {
		if state, published := p.published[id]; published {
			kept[id] = state
		}
	})
	p.published = kept
}
