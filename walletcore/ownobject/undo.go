package ownobject

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// Numbers are the numbers of the newest states of objects at some time. An object that is missing had at most its first one.
type Numbers = map[ledger.ObjectID]int64

// Numbers returns those of all objects whose states changed. Error: fault.File.
func (o *Objects) Numbers(ctx context.Context) (Numbers, error) {
	numbers, err := o.Store.Numbers(ctx, o.View.Pins.Chain())
	if err != nil {
		return nil, fault.Store(err)
	}
	return numbers, nil
}

// undo is a part of an object that a transaction, which somebody made before, would set back.
type undo struct {
	part string
	by   ledger.TransactionID // of this wallet, which set it as it is now; zero: not known
}

// undoes returns the parts that a transaction would set back: the wallet changed them after the transaction was made, and it says otherwise.
// On which state it was made is known of one under construction (begun), and of one that this wallet made and that only was signed or did
// not happen. Of any other, a part as an earlier state had it counts as written back.
func (b *Base) undoes(set ledger.ObjectState, begun Numbers) (out []undo) {
	if b.Expected == nil {
		return nil
	}
	for _, part := range set.Differences(b.Expected) {
		if !b.undoesPart(part, set, begun) {
			continue
		}
		out = append(out, undo{part, b.madeBy(part)})
	}
	return out
}

// madeBy returns the transaction of this wallet that set a part as it is expected; zero if none did, or if its state is gone.
func (b *Base) madeBy(part string) ledger.TransactionID {
	var by *store.ObjectState
	for i := range slices.Backward(b.rows) {
		r := &b.rows[i]
		if !b.isState(r) {
			continue
		}
		if r.State[part] != b.Expected[part] {
			return by.Transaction
		}
		by = r
	}
	return ledger.TransactionID{} // the oldest state that is known may have written it back
}

// UnderWay returns the transaction of this wallet that set a part as it is expected, if that is not known to have happened yet.
func (b *Base) UnderWay(part string) (id ledger.TransactionID, is bool) {
	id = b.madeBy(part)
	return id, id != (ledger.TransactionID{}) && slices.ContainsFunc(b.rows, func(r store.ObjectState) bool {
		return r.Transaction == id && r.Kind == store.ObjectChanged && r.Payment != store.InBlock && r.Payment != store.Irreversible
	})
}

func (b *Base) undoesPart(part string, set ledger.ObjectState, begun Numbers) bool {
	if begun != nil && b.stateAt(max(begun[b.Object], 1))[part] != b.Expected[part] {
		return true
	}
	for _, r := range slices.Backward(b.rows) {
		switch {
		case b.isState(&r):
			if r.State[part] == set[part] {
				return begun == nil
			}
		case len(set.Differences(r.State)) == 0: // this wallet made it, on the state before
			return b.stateAt(r.Number)[part] != b.Expected[part]
		}
	}
	return false
}

// stateAt returns the state that a change was built on which saw rows up to number; the oldest that is known, if those are gone.
func (b *Base) stateAt(number int64) ledger.ObjectState {
	var found ledger.ObjectState
	for i := range b.rows {
		if r := &b.rows[i]; b.isState(r) && (found == nil || r.Number <= number) {
			found = r.State
		}
	}
	return found
}

// isState reports whether an object had the state of a row, or will have it: not that of a transaction that was only signed or that never
// happened.
func (b *Base) isState(r *store.ObjectState) bool {
	return r.Kind != store.ObjectSigned && !r.Dead() && r.Number <= b.expected
}

// Undoes returns the parts of an object that an operation given whole would set back, as changes for a review.
func (b *Base) Undoes(set ledger.ObjectState, begun Numbers) (out []ledgerview.Change) {
	for _, u := range b.undoes(set, begun) {
		c := ledgerview.StateChanges(b.name(), b.ref(), ledger.ObjectState{u.part: b.Expected[u.part]}, set)[0]
		c.Since, c.Undoes = b.since, "an earlier change of it"
		if u.by != (ledger.TransactionID{}) {
			c.Undoes = "transaction " + u.by.String() + " of this wallet"
		}
		out = append(out, c)
	}
	return out
}

// Known returns the base of an object as the wallet expects it, without asking a daemon; Expected is nil if it was never seen. Error: fault.File.
func (o *Objects) Known(ctx context.Context, object ledger.ObjectID) (*Base, error) {
	chain := o.View.Pins.Chain()
	rows, err := o.states(ctx, chain, object)
	if err != nil {
		return nil, err
	}
	b := &Base{Object: object, chain: chain, at: o.Now(), rows: rows}
	if id := ledger.AccountID(object.Instance()); id.Object() == object {
		name, _ := o.View.Accounts.Name(id)
		b.Account = &ledger.Account{ID: id, Name: name}
	}
	for i := range rows {
		b.number = rows[i].Number
		if r := &rows[i]; r.Kind != store.ObjectSigned && !r.Dead() {
			b.Expected, b.since, b.expected = r.State, r.Since, r.Number
		}
	}
	return b, nil
}

// Undoing returns what the journal notes together with a transaction that undoes changes of this wallet, which somebody permitted; nil if it
// undoes none. Nothing tells of it before the transaction is irreversible.
func (b *Base) Undoing(set ledger.ObjectState, begun Numbers, id ledger.TransactionID, now time.Time) *store.ObjectChange {
	var undone []ledger.TransactionID
	was := ledger.ObjectState{}
	for _, u := range b.undoes(set, begun) {
		was[u.part] = b.Expected[u.part]
		if u.by != (ledger.TransactionID{}) && !slices.Contains(undone, u.by) {
			undone = append(undone, u.by)
		}
	}
	if len(undone) == 0 {
		return nil
	}
	return &store.ObjectChange{Object: b.Object, Transaction: id.String(), Undone: undone, Seen: true, Noticed: now,
		Text: "it was made before that change, and somebody permitted it: " + partsText(was, set)}
}

// partsText returns in words how parts of an object changed.
func partsText(was, now ledger.ObjectState) string {
	var out []string
	for _, c := range ledgerview.StateChanges("", ledgerview.AccountRef{}, was, now) {
		out = append(out, fmt.Sprintf("the %s changed from %.200s to %.200s", c.What, c.Was, c.Now))
	}
	return strings.Join(out, "; ")
}

// RefusedUndoing returns the error for a transaction that would undo a change of this wallet.
func RefusedUndoing(op string, c ledgerview.Change) *fault.Error {
	return &fault.Error{Code: fault.StateChanged, Op: op,
		Message: fmt.Sprintf("it would undo %s: the %s of %s would change from %.300s to %.300s", c.Undoes, c.What, c.Of, c.Was, c.Now),
		Hint: "nothing was signed; read the object again and make it anew; if that is meant, use the wallet's own operation for it, set it in a " +
			"transaction under construction that is begun now, or start with --rpc-changed-keys=allow"}
}
