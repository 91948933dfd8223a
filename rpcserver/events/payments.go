package events

import (
	"context"
	"slices"
	"sync"
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

// paymentStates is the state that was last published of each payment. Nothing is kept before anybody has subscribed.
type paymentStates struct {
	from Payments

	mu        sync.Mutex
	published map[ledger.TransactionID]string
	started   bool // the payments that existed at the start were recorded, unpublished
}

// changedPayment is a payment whose state is not the one that was published.
type changedPayment struct {
	id       ledger.TransactionID
	prepared time.Time
}

// start records the payments that exist.
func (p *paymentStates) start() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.startLocked()
}

func (p *paymentStates) startLocked() {
	p.from.States(func(id ledger.TransactionID, s payment.State, _ time.Time) { p.published[id] = s.String() })
	p.started = true
}

// changes returns the payments to publish, oldest first: pending and recently settled ones whose state has changed since
// start. The first call is start, unless that was called before.
func (p *paymentStates) changes(ctx context.Context) (infos []payment.Info) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.started {
		p.startLocked()
		return nil
	}
	for _, c := range p.changed() {
		info, err := p.from.Get(ctx, c.id.String())
		if err != nil {
			continue // the next scan tries again
		}
		p.published[c.id], info.Transaction = info.State, nil
		infos = append(infos, info)
	}
	return infos
}

func (p *paymentStates) changed() (list []changedPayment) {
	known := 0
	p.from.States(func(id ledger.TransactionID, s payment.State, prepared time.Time) {
		known++
		if p.published[id] != s.String() {
			list = append(list, changedPayment{id, prepared})
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
