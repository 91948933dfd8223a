package payment

import (
	"context"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
	"billfold/walletcore/txbuild"
)

// Recent returns the payments that are on their way and recent ones, newest first.
func (p *Payments) Recent() []Payment {
	p.list.mu.Lock()
	out := make([]Payment, 0, len(p.list.byID))
	closed := map[int][]ledger.Operation{}
	for _, e := range slices.Backward(inOrder(p.list.byID)) {
		if e.Review.Closed() {
			closed[len(out)] = e.tx.Operations
		}
		out = append(out, e.Payment)
	}
	p.list.mu.Unlock()
	for i := range out {
		nameParties(p.View, &out[i].Review)
		p.Build.Reopen(&out[i].Review, closed[i])
	}
	return out
}

// FinalAt returns when a payment of this wallet was seen to be irreversible, by the time of the head block; zero if unknown.
func FinalAt(ctx context.Context, p *Payments, id ledger.TransactionID) time.Time {
	if e := p.list.read(id); e != nil && !e.Final.IsZero() {
		return e.Final
	}
	if p.Journal == nil {
		return time.Time{}
	}
	kept, err := p.Journal.Get(ctx, id)
	if err != nil { // it is not this wallet's, or the journal's fault is reported elsewhere
		return time.Time{}
	}
	return kept.FinalAt
}

// OutcomeOf returns how far a payment has come that this program follows, and the block that it is in; "" for any other.
func OutcomeOf(p *Payments, id ledger.TransactionID) (store.State, uint32) {
	e := p.list.read(id)
	if e == nil {
		return "", 0
	}
	return states[e.State], e.Block
}

// maxSent is the maximum number of the journal's payments that a new one is compared with.
const maxSent = 1000

// SentFrom returns the payments from an account, made by this program and, among the journal's latest, by earlier runs.
// Payments that may never have happened are left out: they are not paid again before that is known. Error: fault.File.
func SentFrom(ctx context.Context, p *Payments, from ledger.AccountID) (out []txbuild.Underway, err error) {
	add := func(e *entry) {
		if e.State < Unknown && e.Review.From.ID == from && e.onChain(p.View.Pins.Chain()) {
			out = append(out, txbuild.Underway{Review: e.Review, Time: ledger.TimeOf(e.Prepared), Block: e.Block, TrxInBlock: e.TrxInBlock})
		}
	}
	here := map[ledger.TransactionID]bool{}
	p.list.mu.Lock()
	for _, e := range inOrder(p.list.byID) {
		here[e.ID] = true
		add(e)
	}
	p.list.mu.Unlock()
	if p.Journal == nil {
		return out, nil
	}
	kept, err := p.Journal.Latest(ctx, maxSent)
	if err != nil {
		return nil, unreadable("review", err)
	}
	for _, row := range kept {
		if here[row.ID] || stateOf(row.State) >= Unknown {
			continue
		}
		e, err := p.entryOfJournal(row)
		if err != nil {
			return nil, err
		}
		add(e)
	}
	return out, nil
}

// States calls with for each payment that Recent lists and for those that other servers follow, in no order and without
// copying them. with must be quick and must not call Payments.
func (p *Payments) States(with func(id ledger.TransactionID, s State, prepared time.Time)) {
	p.list.mu.Lock()
	defer p.list.mu.Unlock()
	for id, e := range p.list.byID {
		with(id, e.State, e.Prepared)
	}
	p.foreign.each(func(id ledger.TransactionID, s State) {
		if p.list.byID[id] == nil {
			with(id, s, time.Time{})
		}
	})
}

// nameParties fills in names that were not known when the review was made.
func nameParties(view *ledgerview.View, r *txbuild.Review) {
	for _, a := range []*ledgerview.AccountRef{&r.From, &r.To} {
		if a.IsUnnamed() {
			*a = view.Accounts.Ref(a.ID)
		}
	}
	r.Gets = slices.Clone(r.Gets) // others read the journal's slice
	for i := range r.Gets {
		if r.Gets[i].IsUnnamed() {
			r.Gets[i] = view.Accounts.Ref(r.Gets[i].ID)
		}
	}
	for _, a := range []*ledgerview.AssetRef{&r.Asset, &r.FeeAsset} {
		if a.Symbol == a.ID.String() {
			*a = view.Pins.AssetOr(*a)
		}
	}
}

// Places returns the positions of transactions in blocks whose id begins with these hexadecimal digits.
func (p *Payments) Places(digits string) (out []historyindex.TrxPosition) {
	for _, known := range p.Recent() {
		if known.Block != 0 && strings.HasPrefix(known.ID.String(), digits) {
			out = append(out, historyindex.TrxPosition{Block: known.Block, Trx: known.TrxInBlock})
		}
	}
	return out
}
