package store

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

// ObjectKind is how a state of an own object came to be.
type ObjectKind int64

// The kinds.
const (
	ObjectAccepted ObjectKind = iota // the first that was seen, or one that a person accepted
	ObjectChanged                    // what a payment of this journal makes of it
	ObjectSigned                     // what a transaction makes of it that was only signed: it may never be sent
)

// ObjectState is a state of an object of the ledger that the wallet's accounts control. The states of one object are
// numbered without a gap at their end: who writes the next one has seen the one before.
type ObjectState struct {
	Object      ledger.ObjectID
	Number      int64 // from 1
	Kind        ObjectKind
	State       ledger.ObjectState
	Transaction ledger.TransactionID // zero for an accepted one
	Expires     ledger.Time          // of the transaction
	Since       time.Time            // whole seconds

	Payment State  // of a changed one: how far its payment has come
	Block   uint32 // the block that its payment is in; 0 = none
}

// Dead reports whether the change of a state is known never to happen.
func (s *ObjectState) Dead() bool {
	return s.Kind == ObjectChanged && (s.Payment == Rejected || s.Payment == Expired)
}

// ErrObjectChanged means that somebody else who shares the store has changed an object since it was read. The change has
// to be built anew.
var ErrObjectChanged = errors.New("another change of the same object was made meanwhile")

// Objects stores the states of own objects. Errors are those of the database.
type Objects struct{ engine Engine }

// States reads the states of an object, the oldest first.
func (o *Objects) States(ctx context.Context, chain ledger.ChainID, object ledger.ObjectID) (list []ObjectState, err error) {
	db := o.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT o.number, o.kind, o.state, o.transaction_id, o.expires, o.since, COALESCE(p.state, ''),
		COALESCE(p.block, 0) FROM object_states o LEFT JOIN payments p ON p.id = o.transaction_id
		WHERE o.chain = ? AND o.object = ? ORDER BY o.number`, chain.String(), object.String())
	if err != nil {
		return nil, o.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		s := ObjectState{Object: object}
		var state, id string
		var expires, since int64
		if err := rows.Scan(&s.Number, &s.Kind, &state, &id, &expires, &since, &s.Payment, &s.Block); err != nil {
			return nil, o.engine.Explain(err)
		}
		if err := json.Unmarshal([]byte(state), &s.State); err != nil {
			return nil, o.engine.Explain(err)
		}
		if id != "" {
			if s.Transaction, err = ledger.ParseTransactionID(id); err != nil {
				return nil, o.engine.Explain(err)
			}
		}
		s.Expires, s.Since = ledger.Time(expires), time.Unix(since, 0)
		list = append(list, s)
	}
	return list, o.engine.Explain(rows.Err())
}

// AppendStates returns the change that writes the next states of one object, and drops those that nobody needs any more:
// those before settled. It is refused with ErrObjectChanged where one of the numbers is taken.
func AppendStates(chain ledger.ChainID, settled int64, states ...ObjectState) Change {
	return Change{Apply: func(tx Tx) (refusal, failure error) {
		for _, s := range states {
			text, err := json.Marshal(s.State)
			if err != nil {
				return nil, err
			}
			id := ""
			if s.Transaction != (ledger.TransactionID{}) {
				id = s.Transaction.String()
			}
			written, err := changedRow(tx.Exec(`INSERT INTO object_states (chain, object, number, kind, state, transaction_id, expires, since)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, chain.String(), s.Object.String(), s.Number, int64(s.Kind), string(text), id,
				int64(s.Expires), s.Since.Unix()))
			if err != nil {
				return nil, err
			}
			if !written {
				return ErrObjectChanged, nil
			}
		}
		if settled > 0 {
			_, failure = tx.Exec(`DELETE FROM object_states WHERE chain = ? AND object = ? AND number < ?`,
				chain.String(), states[0].Object.String(), settled)
		}
		return nil, failure
	}}
}

// Append writes the next states of one object: see AppendStates.
func (o *Objects) Append(ctx context.Context, chain ledger.ChainID, settled int64, states ...ObjectState) error {
	return o.engine.Write(ctx, AppendStates(chain, settled, states...))
}

// Forget removes what is stored about an object; it reports false if there was nothing.
func (o *Objects) Forget(ctx context.Context, chain ledger.ChainID, object ledger.ObjectID) (found bool, err error) {
	if o.engine.Reader() == nil {
		return false, nil
	}
	err = change(ctx, o.engine, func(tx Tx) error {
		found, err = changedRow(tx.Exec(`DELETE FROM object_states WHERE chain = ? AND object = ?`, chain.String(), object.String()))
		return err
	})
	return found, err
}
