package store

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"billfold/ledger"
)

// ObjectKind is the origin of a state of an own object.
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

// EarlierStates is the number of states before the settled one that are kept: a transaction that was made on one of them is recognized.
const EarlierStates = 64

// AppendStates returns the change that writes the next states of one object, and drops those that nobody needs any more: all but
// EarlierStates before settled. It is refused with ErrObjectChanged where one of the numbers is taken.
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
		if settled > EarlierStates {
			_, failure = tx.Exec(`DELETE FROM object_states WHERE chain = ? AND object = ? AND number < ?`,
				chain.String(), states[0].Object.String(), settled-EarlierStates)
		}
		return nil, failure
	}}
}

// Append writes the next states of one object: see AppendStates.
func (o *Objects) Append(ctx context.Context, chain ledger.ChainID, settled int64, states ...ObjectState) error {
	return o.engine.Write(ctx, AppendStates(chain, settled, states...))
}

// Numbers returns the number of the newest state of each object that has more than one.
func (o *Objects) Numbers(ctx context.Context, chain ledger.ChainID) (map[ledger.ObjectID]int64, error) {
	numbers := map[ledger.ObjectID]int64{}
	db := o.engine.Reader()
	if db == nil {
		return numbers, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT object, MAX(number) FROM object_states WHERE chain = ? AND number > 1 GROUP BY object`, chain.String())
	if err != nil {
		return nil, o.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		var number int64
		if err := rows.Scan(&text, &number); err != nil {
			return nil, o.engine.Explain(err)
		}
		object, err := ledger.ParseObjectID(text)
		if err != nil {
			return nil, o.engine.Explain(err)
		}
		numbers[object] = number
	}
	return numbers, o.engine.Explain(rows.Err())
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

// ObjectChange is a change of an own object that this wallet did not make, or one that it made knowing that it undoes others of its own.
type ObjectChange struct {
	Object      ledger.ObjectID
	Transaction string // its id, or the row of the history (1.7.N) where a proposal did it
	Block       uint32 // 0: it is not known to have happened
	TrxInBlock  uint32
	Text        string                 // what it did; names in it were chosen by others
	Undone      []ledger.TransactionID // payments of this wallet of which it undid something
	Seen        bool                   // a person has acknowledged it
	Noticed     time.Time              // whole seconds
}

// errKnownChange refuses a change that was noticed before.
var errKnownChange = errors.New("this change was noticed before")

// NoteChange returns the change that writes c, unless it was written before as one that happened.
func NoteChange(chain ledger.ChainID, c ObjectChange) Change { return noteChange(chain, c, nil) }

// noteChange is NoteChange, refused with known if it was written before.
func noteChange(chain ledger.ChainID, c ObjectChange, known error) Change {
	undone := make([]string, len(c.Undone))
	for i, id := range c.Undone {
		undone[i] = id.String()
	}
	seen := 0
	if c.Seen {
		seen = 1
	}
	return Change{Apply: func(tx Tx) (refusal, failure error) {
		written, err := changedRow(tx.Exec(`INSERT INTO object_changes (chain, object, transaction_id, block, trx_in_block, text, undone, seen, noticed_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (chain, object, transaction_id) DO UPDATE SET block = excluded.block,
			trx_in_block = excluded.trx_in_block, text = excluded.text, undone = excluded.undone, seen = excluded.seen,
			noticed_at = excluded.noticed_at WHERE object_changes.block = 0`, chain.String(), c.Object.String(), c.Transaction, int64(c.Block),
			int64(c.TrxInBlock), c.Text, strings.Join(undone, " "), seen, c.Noticed.Unix()))
		if err == nil && !written {
			return known, nil
		}
		return nil, err
	}}
}

// Notice writes a change together with with, unless it was noticed before, in this run or an earlier one, here or by another server; then
// it reports false.
func (o *Objects) Notice(ctx context.Context, chain ledger.ChainID, c ObjectChange, with ...Change) (isNew bool, err error) {
	err = o.engine.Write(ctx, append([]Change{noteChange(chain, c, errKnownChange)}, with...)...)
	if errors.Is(err, errKnownChange) {
		return false, nil
	}
	return err == nil, err
}

// maxNoticed is the maximum number of changes that are read.
const maxNoticed = 1000

// Noticed reads the latest changes, newest first. Those that are not known to have happened have the block of their payment, once that is
// irreversible.
func (o *Objects) Noticed(ctx context.Context, chain ledger.ChainID) (list []ObjectChange, err error) {
	db := o.engine.Reader()
	if db == nil {
		return nil, nil
	}
	rows, err := db.QueryContext(ctx, `SELECT c.object, c.transaction_id, CASE WHEN c.block = 0 THEN COALESCE(p.block, 0) ELSE c.block END AS at_block,
		CASE WHEN c.block = 0 THEN COALESCE(p.trx_in_block, 0) ELSE c.trx_in_block END AS at_index, c.text, c.undone, c.seen, c.noticed_at
		FROM object_changes c LEFT JOIN payments p ON p.id = c.transaction_id AND p.state = 'irreversible'
		WHERE c.chain = ? ORDER BY at_block DESC, at_index DESC LIMIT ?`, chain.String(), maxNoticed)
	if err != nil {
		return nil, o.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var c ObjectChange
		var object, undone string
		var block, index, seen, at int64
		if err := rows.Scan(&object, &c.Transaction, &block, &index, &c.Text, &undone, &seen, &at); err != nil {
			return nil, o.engine.Explain(err)
		}
		if c.Object, err = ledger.ParseObjectID(object); err != nil {
			return nil, o.engine.Explain(err)
		}
		for _, text := range strings.Fields(undone) {
			id, err := ledger.ParseTransactionID(text)
			if err != nil {
				return nil, o.engine.Explain(err)
			}
			c.Undone = append(c.Undone, id)
		}
		c.Block, c.TrxInBlock, c.Seen, c.Noticed = uint32(block), uint32(index), seen != 0, time.Unix(at, 0)
		list = append(list, c)
	}
	return list, o.engine.Explain(rows.Err())
}

// Acknowledge records that a person has seen all changes noticed so far.
func (o *Objects) Acknowledge(ctx context.Context, chain ledger.ChainID) error {
	return change(ctx, o.engine, func(tx Tx) error {
		_, err := tx.Exec(`UPDATE object_changes SET seen = 1 WHERE chain = ? AND seen = 0`, chain.String())
		return err
	})
}
