package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"billfold/ledger"
)

// Journal keeps payments: the signed bytes before the first of them leaves the
// program, and what became of them.
//
// Promises: when Add returns nil the entry survives power loss; entries change
// in the order in which changes were asked for; a request key stands for one
// payment for ever. Refuses two payments under one request key, and changes that
// would contradict what a payment is known to be (State.May), also between two
// programs that share the file: a payment that one of them may have sent cannot be called
// rejected by the other.
type Journal struct {
	Identity
	engine Engine
}

// Server returns the id of this server where several share the journal; "" where it is alone.
func (j *Journal) Server() string {
	if s, ok := j.engine.(Sharing); ok {
		return s.Server()
	}
	return ""
}

// TakeOver is that of Sharing; false where the journal is this program's alone.
func (j *Journal) TakeOver(ctx context.Context) (bool, error) {
	if s, ok := j.engine.(Sharing); ok {
		return s.TakeOver(ctx)
	}
	return false, nil
}

// Follow is that of Sharing.
func (j *Journal) Follow(ctx context.Context, able bool) error {
	if s, ok := j.engine.(Sharing); ok {
		return s.Follow(ctx, able)
	}
	return nil
}

// Fault returns why nothing can be written now, where that is known before it is tried.
func (j *Journal) Fault() error {
	if s, ok := j.engine.(Sharing); ok {
		return s.Fault()
	}
	return nil
}

// Hold is that of Holding; the zero Hold where the journal is this program's alone.
func (j *Journal) Hold(ctx context.Context) (Hold, error) {
	if h, ok := j.engine.(Holding); ok {
		return h.Hold(ctx)
	}
	return Hold{}, nil
}

// NoteRewritten is that of Holding.
func (j *Journal) NoteRewritten(ctx context.Context, ambiguous string) error {
	if h, ok := j.engine.(Holding); ok {
		return h.NoteRewritten(ctx, ambiguous)
	}
	return nil
}

// EndHold is that of Holding.
func (j *Journal) EndHold(ctx context.Context, hold Hold, with ...Change) error {
	if h, ok := j.engine.(Holding); ok {
		return h.EndHold(ctx, hold, with...)
	}
	return nil
}

// Unclaimed reads the payments that were found on the ledger and that nobody has claimed yet, and the generation of the
// store that they belong to: a new payment that was compared with them says so (Entry.Compared).
func (j *Journal) Unclaimed(ctx context.Context) (list []Entry, generation int64, err error) {
	h, ok := j.engine.(Holding)
	if !ok {
		return nil, 0, nil
	}
	generation, found := h.Generation()
	if !found {
		return nil, generation, nil
	}
	list, err = j.Found(ctx)
	return list, generation, err
}

// NoteAnswered notes that a payment which somebody claimed is about to be the answer to a request: the claim cannot be taken back then.
// When it returns an error nobody may be told of the payment.
func (j *Journal) NoteAnswered(ctx context.Context, e *Entry) error {
	h, ok := j.engine.(Holding)
	if !ok || e.Origin != Claimed {
		return nil
	}
	return h.NoteAnswered(ctx, e.ID.String())
}

// Found reads the payments that were found on the ledger and that nobody has claimed yet, the oldest first.
func (j *Journal) Found(ctx context.Context) ([]Entry, error) {
	return j.queryAll(ctx, `WHERE origin = 1 ORDER BY prepared_at, id`)
}

// Add writes a new payment, together with what the call's Unit holds. When it returns nil all of it
// survives power loss. When it returns an error there is no such payment in the journal, unless
// that is a *PendingError: then it may be there, now or later. Other errors:
// ErrKeyTaken, ErrIDTaken, ErrClosed, that of ctx, and a refusal of the unit.
func (j *Journal) Add(ctx context.Context, e Entry) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Key != "" && !IsKey(e.Key) {
		return ErrBadKey
	}
	unit := UnitOf(ctx)
	with := unit.take()
	own := Change{Add: &e, Proof: unit.tokenProof(), Apply: func(tx Tx) (refusal, failure error) { return add(tx, e) }}
	err := j.engine.Write(ctx, append(with[:len(with):len(with)], own)...)
	if errors.Is(err, ErrIDTaken) { // the caller tries again with another stamp
		unit.putBack(with)
	}
	return err
}

// add writes a new payment. Only one that is there already costs a second statement.
func add(tx Tx, e Entry) (refusal, failure error) {
	written, err := changedRow(tx.Exec(`INSERT INTO payments (`+Columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, e.Values()...))
	if written || err != nil {
		return nil, err
	}
	var taken int
	if err := tx.QueryRow(`SELECT COUNT(*) FROM payments WHERE request_key = ?`, e.key()).Scan(&taken); err != nil {
		return nil, err
	}
	if taken > 0 {
		return ErrKeyTaken, nil
	}
	return ErrIDTaken, nil
}

// changedRow reports whether a statement changed a row.
func changedRow(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Update writes what became of payments: everything but id, chain, key,
// request and bytes. Errors: *RefusedError, for those whose state may not become that
// (State.May) and for unknown ones (ErrNotFound); *PendingError, as in Add.
func (j *Journal) Update(ctx context.Context, entries ...Entry) error {
	return j.engine.Write(ctx, updateOf(entries))
}

// UpdateSoon is Update for what blocks and daemons will say again: it waits a moment for
// another commit to go along with.
func (j *Journal) UpdateSoon(ctx context.Context, entries ...Entry) error {
	return j.engine.WriteSoon(ctx, updateOf(entries))
}

func updateOf(entries []Entry) Change {
	return Change{Update: entries, Apply: func(tx Tx) (refusal, failure error) {
		var refused *RefusedError
		for i := range entries {
			why, err := update(tx, &entries[i])
			if err != nil {
				return nil, err
			}
			if why == nil {
				continue
			}
			if refused == nil {
				refused = &RefusedError{Why: why}
			}
			refused.IDs = append(refused.IDs, entries[i].ID)
		}
		if refused != nil {
			return refused, nil
		}
		return nil, nil
	}}
}

// update writes one payment unless it may not become that: why says so. Only a refusal
// costs a second statement. Of a list behind IN, SQLite would make a table each time.
func update(tx Tx, e *Entry) (why, failure error) {
	args := append(e.OutcomeValues(), e.ID.String())
	for _, before := range states() {
		if !e.canFollow(before) {
			before = ""
		}
		args = append(args, string(before))
	}
	written, err := changedRow(tx.Exec(`UPDATE payments SET state = ?, block = ?, trx_in_block = ?, code = ?, reason = ?,
		sent_at = ?, in_block_at = ?, proven = ?, final_at = ? WHERE id = ? AND
		(state = ? OR state = ? OR state = ? OR state = ? OR state = ? OR state = ? OR state = ?)`, args...))
	if written || err != nil {
		return nil, err
	}
	var state State
	err = tx.QueryRow(`SELECT state FROM payments WHERE id = ?`, e.ID.String()).Scan(&state)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ErrNotFound, nil
	case err != nil:
		return nil, err
	}
	return e.TransitionError(state), nil
}

// OutcomeValues are the columns that Update writes.
func (e *Entry) OutcomeValues() []any {
	return []any{string(e.State), int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Sent), millis(e.InBlock), e.proven(),
		millis(e.FinalAt)}
}

// PriorStates are the states that may become that of e, and "", which no payment has, in the places of the others.
func (e *Entry) PriorStates() []string {
	var out []string
	for _, before := range states() {
		if !e.canFollow(before) {
			before = ""
		}
		out = append(out, string(before))
	}
	return out
}

// TransitionError is the refusal of a payment that is in a state which cannot become e's.
func (e *Entry) TransitionError(state State) error {
	return fmt.Errorf("payment %s is %s, it cannot become %s", e.ID, state, e.State)
}

// OpenPayments is the condition of those that blocks are to be searched for.
const OpenPayments = `(state NOT IN ('irreversible', 'rejected', 'expired') OR (state = 'rejected' AND proven = 0))`

// Get reads one payment. Error: ErrNotFound.
func (j *Journal) Get(ctx context.Context, id ledger.TransactionID) (Entry, error) {
	return j.queryOne(ctx, `WHERE id = ?`, id.String())
}

// ByKey reads the payment of a request key. Error: ErrNotFound.
func (j *Journal) ByKey(ctx context.Context, key string) (Entry, error) {
	if !IsKey(key) {
		return Entry{}, ErrNotFound
	}
	return j.queryOne(ctx, `WHERE request_key = ?`, key)
}

// Open reads the payments that blocks are to be searched for, oldest first: those
// whose outcome is not final, and the rejected ones that a block may still hold. Where several servers share the
// journal, it is those that this one follows.
func (j *Journal) Open(ctx context.Context) ([]Entry, error) {
	if me := j.Server(); me != "" {
		return j.queryAll(ctx, `WHERE owner = ? AND `+OpenPayments+` ORDER BY prepared_at, id`, me)
	}
	return j.queryAll(ctx, `WHERE `+OpenPayments+` ORDER BY prepared_at, id`)
}

// Latest reads up to limit payments, newest first.
func (j *Journal) Latest(ctx context.Context, limit int) ([]Entry, error) {
	return j.queryAll(ctx, `ORDER BY prepared_at DESC, id LIMIT ?`, limit)
}

// LatestOf reads up to limit payments whose request key begins so, newest first.
func (j *Journal) LatestOf(ctx context.Context, keyPrefix string, limit int) ([]Entry, error) {
	if !IsKey(keyPrefix) {
		return nil, nil
	}
	return j.queryAll(ctx, `WHERE SUBSTR(request_key, 1, ?) = ? ORDER BY prepared_at DESC, id LIMIT ?`,
		utf8.RuneCountInString(keyPrefix), keyPrefix, limit)
}

// columns are those that scan reads: of payments that one program alone has, the owner is nobody's name.
func (j *Journal) columns() string {
	if j.Server() == "" {
		return Columns + `, '', 0`
	}
	return Columns + `, owner, origin`
}

func (j *Journal) queryOne(ctx context.Context, where string, args ...any) (Entry, error) {
	db := j.engine.Reader()
	if db == nil {
		return Entry{}, ErrNotFound
	}
	e, err := scan(db.QueryRowContext(ctx, `SELECT `+j.columns()+` FROM payments `+where, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return e, ErrNotFound
	}
	return e, j.engine.Explain(err)
}

// All passes every payment to see, oldest first, until that returns an error.
func (j *Journal) All(ctx context.Context, see func(Entry) error) error {
	return j.queryEach(ctx, see, `ORDER BY prepared_at, id`)
}

func (j *Journal) queryAll(ctx context.Context, where string, args ...any) (list []Entry, err error) {
	err = j.queryEach(ctx, func(e Entry) error {
		list = append(list, e)
		return nil
	}, where, args...)
	return list, err
}

func (j *Journal) queryEach(ctx context.Context, see func(Entry) error, where string, args ...any) error {
	db := j.engine.Reader()
	if db == nil {
		return nil
	}
	rows, err := db.QueryContext(ctx, `SELECT `+j.columns()+` FROM payments `+where, args...)
	if err != nil {
		return j.engine.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scan(rows)
		if err == nil {
			err = see(e)
		}
		if err != nil {
			return err
		}
	}
	return j.engine.Explain(rows.Err())
}
