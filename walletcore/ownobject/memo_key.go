package ownobject

import (
	"context"
	"fmt"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/store"
)

// memoKeys are the own accounts whose memo keys were compared, as they were read then: what is read anew is compared anew.
type memoKeys struct {
	mu       sync.Mutex
	compared map[ledger.AccountID]*ledger.Account
}

func (m *memoKeys) known(a *ledger.Account) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.compared[a.ID] == a
}

func (m *memoKeys) add(a *ledger.Account) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.compared == nil {
		m.compared = map[ledger.AccountID]*ledger.Account{}
	}
	m.compared[a.ID] = a
}

// MemoKey is the memo key of an own account that something is encrypted with, and that is not the one that the wallet expects.
type MemoKey struct {
	Change ledgerview.Change
	base   *Base
	now    string
}

// MemoKeyOf compares the memo key of an own account, which something is encrypted with, with the expected one; nil: it is that, or the account
// was never seen, or several daemons vouch for it. Error: fault.File.
func (o *Objects) MemoKeyOf(ctx context.Context, a *ledger.Account) (*MemoKey, error) {
	if o.memoKeys.known(a) || o.View.Quorum.Size() > 1 {
		return nil, nil
	}
	b, err := o.Known(ctx, a.ID.Object())
	if err != nil {
		return nil, err
	}
	now := a.State()[ledger.PartMemoKey]
	if b.Expected == nil || b.Expected[ledger.PartMemoKey] == now || b.mayShow(now) {
		o.memoKeys.add(a)
		return nil, nil
	}
	b.Account = a
	c := ledgerview.StateChanges(b.name(), b.ref(), ledger.ObjectState{ledger.PartMemoKey: b.Expected[ledger.PartMemoKey]},
		ledger.ObjectState{ledger.PartMemoKey: now})[0]
	c.Since = b.since
	return &MemoKey{c, b, now}, nil
}

// mayShow reports whether the daemon may still have a memo key because the change of the expected state, or one that may not happen, is under
// way.
func (b *Base) mayShow(key string) bool {
	for i := len(b.rows) - 1; i >= 0; i-- {
		r := &b.rows[i]
		switch {
		case r.Kind == store.ObjectSigned:
			continue
		case r.State[ledger.PartMemoKey] == key:
			return true
		case r.Kind == store.ObjectAccepted || r.Payment == store.Irreversible:
			return false
		}
	}
	return false
}

// Accept records that a person accepted the key. Errors: store.ErrObjectChanged, those of the store.
func (k *MemoKey) Accept(ctx context.Context, o *Objects, now time.Time) error {
	state := k.base.Expected.With(ledger.ObjectState{ledger.PartMemoKey: k.now})
	return o.Write(ctx, k.base, []store.ObjectState{{Object: k.base.Object, Number: k.base.number + 1, Kind: store.ObjectAccepted, State: state,
		Since: now}}, nil)
}

// Refused returns the error for something that would be encrypted with a key that nobody accepted.
func (k *MemoKey) Refused(op string) *fault.Error {
	return &fault.Error{Code: fault.StateChanged, Op: op,
		Message: fmt.Sprintf("the memo key of %s changed from %.100s, as this wallet last knew, to %.100s, and the text would be encrypted with it",
			k.base.name(), k.Change.Was, k.Change.Now),
		Hint: "nothing was signed; find out who changed it, or whether the daemon lies; then send it once in the wallet, where a person sees it, run " +
			"billfold pins forget " + k.base.forgetName() + ", ask several daemons (--daemon-quorum), or start with --rpc-changed-keys=allow"}
}
