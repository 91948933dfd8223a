package events

import (
	"context"
	"encoding/binary"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/payment"
)

// listedPayments are payments in a wallet's memory.
type listedPayments map[ledger.TransactionID]payment.State

func (l listedPayments) States(with func(id ledger.TransactionID, s payment.State, prepared time.Time)) {
	for id, state := range l {
		with(id, state, time.Time{})
	}
}

func (l listedPayments) Get(_ context.Context, id string) (payment.Info, error) {
	parsed, err := ledger.ParseTransactionID(id)
	return payment.Info{TransactionID: parsed, State: l[parsed].String()}, err
}

func numbered(n int) (id ledger.TransactionID) {
	binary.BigEndian.PutUint32(id[:], uint32(n))
	return id
}

// A scan that finds no other state copies nothing, however many payments there are, and what the wallet forgot is forgotten.
func TestPaymentsAreNotCopied(t *testing.T) { // not in parallel: the allocations of all are counted
	list := listedPayments{}
	for i := range 1000 {
		list[numbered(i)] = payment.Unknown
	}
	published := 0
	p := paymentStates{from: list, published: map[ledger.TransactionID]string{}}
	scan := func() { published += len(p.changes(t.Context(), true)) }
	scan()
	if published != 0 {
		t.Errorf("what was there before is published: %d", published)
	}
	if got := testing.AllocsPerRun(20, scan); got > 5 {
		t.Errorf("a scan without changes makes %v allocations", got)
	}
	list[numbered(7)], list[numbered(5000)] = payment.InBlock, payment.Prepared
	if scan(); published != 2 {
		t.Errorf("%d of two changes are published", published)
	}
	for i := range 3 * mostForgotten {
		delete(list, numbered(i))
		list[numbered(10_000+i)] = payment.Prepared
		if scan(); len(p.published) > len(list)+mostForgotten+1 {
			t.Fatalf("%d payments are noted of %d", len(p.published), len(list))
		}
	}
}

// Where nobody has ever listened, a change is noted and not read: who listens from then on hears of the next one.
func TestPaymentsAreNotReadForNobody(t *testing.T) {
	list := listedPayments{}
	p := paymentStates{from: list, published: map[ledger.TransactionID]string{}, begun: true}
	for _, c := range []struct {
		state payment.State
		heard bool
		want  int
	}{{payment.Prepared, false, 0}, {payment.Sent, false, 0}, {payment.InBlock, true, 1}, {payment.InBlock, true, 0}} {
		list[numbered(1)] = c.state
		if got := p.changes(t.Context(), c.heard); len(got) != c.want {
			t.Errorf("%d payments are published as %s, wanted %d", len(got), c.state, c.want)
		}
	}
}
