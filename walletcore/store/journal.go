package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"billfold/ledger"
)

// Journal stores payments: the signed bytes before any of them leaves the program, and their outcomes.
//
// Promises: when Add returns nil, the entry survives power loss; entries change in the order in which the changes were
// requested; a request key belongs to one payment for ever. It refuses two payments under one request key, and changes
// that contradict what is known about a payment (State.CanBecome), also between two programs that share the file: a
// payment that one of them may have sent cannot be marked rejected by the other.
type Journal struct {
	Identity
	engine Engine
	ready  readiness
}

// Server returns the id of this server if several share the journal; otherwise "".
func (j *Journal) Server() string {
	if s, ok := j.engine.(Sharing); ok {
		return s.Server()
	}
	return ""
}

// TakeOver is Sharing.TakeOver; it reports false if the journal is not shared.
func (j *Journal) TakeOver(ctx context.Context) (bool, error) {
	if s, ok := j.engine.(Sharing); ok {
		return s.TakeOver(ctx)
	}
	return false, nil
}

// Report is Sharing.Report; it does nothing if the journal is not shared.
func (j *Journal) Report(ctx context.Context, able, locked bool) error {
	if s, ok := j.engine.(Sharing); ok {
		return s.Report(ctx, able, locked)
	}
	return nil
}

// Fault returns why nothing can be written or paid now, if that is known without trying.
func (j *Journal) Fault() error {
	if h, ok := j.engine.(Holding); ok {
		return h.Fault()
	}
	return nil
}

// Hold is Holding.Hold.
func (j *Journal) Hold(ctx context.Context) (Hold, error) {
	if h, ok := j.engine.(Holding); ok {
		return h.Hold(ctx)
	}
	return Hold{}, nil
}

// NoteRewritten is Recovering.NoteRewritten; it does nothing if the journal is not shared.
func (j *Journal) NoteRewritten(ctx context.Context, ambiguous string) error {
	if h, ok := j.engine.(Recovering); ok {
		return h.NoteRewritten(ctx, ambiguous)
	}
	return nil
}

// EndHold is Recovering.EndHold; it does nothing if the journal is not shared.
func (j *Journal) EndHold(ctx context.Context, hold Hold, with ...Change) error {
	if h, ok := j.engine.(Recovering); ok {
		return h.EndHold(ctx, hold, with...)
	}
	return nil
}

// Unclaimed reads the payments that were found on the ledger and not claimed yet, and the generation of the store that
// they belong to. A new payment that was compared with them records that generation (Entry.FoundGeneration).
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

// NoteAnswered records that a claimed payment is about to be returned to a request: from then on the claim cannot be
// taken back. After an error the payment must not be returned to anyone.
func (j *Journal) NoteAnswered(ctx context.Context, e *Entry) error {
	h, ok := j.engine.(Holding)
	if !ok || e.Origin != Claimed {
		return nil
	}
	return h.NoteAnswered(ctx, e.ID.String())
}

// Found reads the payments that were found on the ledger and not claimed yet, oldest first.
func (j *Journal) Found(ctx context.Context) ([]Entry, error) {
	return j.queryAll(ctx, `WHERE origin = 1 ORDER BY prepared_at, id`)
}

// Add writes a new payment together with the changes in its CallBatch and those in also. When it returns nil, all of that survives power
// loss. When it returns an error, the journal has no such payment, unless the error is a *PendingError: then it may have
// it, now or later. Other errors: ErrBadKey, ErrKeyTaken, ErrIDTaken, ErrClosed, that of ctx, and a refusal by the batch or by one of
// also, such as ErrObjectChanged.
func (j *Journal) Add(ctx context.Context, e Entry, also ...Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Key != "" && !IsKey(e.Key) {
		return ErrBadKey
	}
	batch := CallBatchOf(ctx)
	with := batch.take()
	own := Change{Add: &e, Proof: batch.tokenProof(), Apply: func(tx Tx) (refusal, failure error) { return add(tx, e) }}
	err := j.engine.Write(ctx, append(slices.Concat(also, with), own)...)
	j.ready.note(e, err)
	if _, held := errors.AsType[*HeldError](err); held {
		_, _ = j.Hold(ctx) // so that the next request sees it as it is
	}
	if errors.Is(err, ErrIDTaken) || errors.Is(err, ErrObjectChanged) { // the caller tries again with another reference block or content
		batch.putBack(with)
	}
	return err
}

// add writes a new payment to a file. It needs a second statement only if the payment is not written. No new payment is
// written while the file is held, if it was held since the payment was compared with what was found, or if a newer program has changed
// the file. What the ledger has already is recorded anyway.
func add(tx Tx, e Entry) (refusal, failure error) {
	known := newestVersion()
	args := append(e.Values(), int64(e.Origin), string(e.State), e.FoundGeneration, e.FoundGeneration, known)
	written, err := changedRow(tx.Exec(`INSERT INTO payments (`+Columns+`, origin)
		SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?
		WHERE ? <> 'prepared' OR EXISTS (SELECT 1 FROM journal_hold WHERE held_since = 0 AND (? = 0 OR generation = ?)
			AND (SELECT version FROM journal_version) <= ?)
		ON CONFLICT DO NOTHING`, args...))
	if written || err != nil {
		return nil, err
	}
	var keys, ids, version int
	var held string
	err = tx.QueryRow(`SELECT (SELECT COUNT(*) FROM payments WHERE request_key = ?), (SELECT COUNT(*) FROM payments WHERE id = ?),
		(SELECT held_why FROM journal_hold), (SELECT version FROM journal_version)`, e.key(), e.ID.String()).Scan(&keys, &ids, &held, &version)
	switch {
	case err != nil:
		return nil, err
	case keys > 0:
		return ErrKeyTaken, nil
	case ids > 0:
		return ErrIDTaken, nil
	case version > known:
		return &NewerError{version, known}, nil
	}
	return &HeldError{Why: held, Advice: "billfold journal found lists what the journal lacked"}, nil
}

// changedRow reports whether a statement changed a row.
func changedRow(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// Update writes the outcome of payments: everything but id, chain, key, request and bytes. Errors: *RefusedError for
// those that may not change to that state (State.CanBecome) and for unknown ones (ErrNotFound); *PendingError, as in Add.
func (j *Journal) Update(ctx context.Context, entries ...Entry) error {
	return j.ready.noteUpdate(j.engine.Write(ctx, updateOf(entries)))
}

// UpdateSoon is Update for what blocks and daemons can tell again: it waits a moment to join another commit.
func (j *Journal) UpdateSoon(ctx context.Context, entries ...Entry) error {
	return j.ready.noteUpdate(j.engine.WriteSoon(ctx, updateOf(entries)))
}

func updateOf(entries []Entry) Change {
	return Change{Update: entries, Apply: func(tx Tx) (refusal, failure error) {
		var refused *RefusedError
		for part := range slices.Chunk(entries, UpdateAtOnce) {
			if written, err := updateAll(tx, part); written || err != nil {
				if err != nil {
					return nil, err
				}
				continue
			}
			for i := range part {
				why, err := update(tx, &part[i])
				if err != nil {
					return nil, err
				}
				if why == nil {
					continue
				}
				if refused == nil {
					refused = &RefusedError{Why: why}
				}
				refused.IDs = append(refused.IDs, part[i].ID)
			}
		}
		if refused != nil {
			return refused, nil
		}
		return nil, nil
	}}
}

// UpdateAtOnce is the number of payments of a file that one statement updates.
const UpdateAtOnce = 32

// updateAllStatement returns the statement of updateAll. A row has the id, the values of OutcomeValues, and the states before, each
// between commas.
var updateAllStatement = sync.OnceValue(func() string {
	row := `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	return `UPDATE payments SET state = to_be.column2, block = to_be.column3, trx_in_block = to_be.column4, code = to_be.column5,
		reason = to_be.column6, sent_at = to_be.column7, in_block_at = to_be.column8, proven = to_be.column9, final_at = to_be.column10
		FROM (VALUES ` + row + strings.Repeat(`, `+row, UpdateAtOnce-1) + `) AS to_be
		WHERE payments.id = to_be.column1 AND INSTR(to_be.column11, ',' || payments.state || ',') > 0`
})

// updateAll writes UpdateAtOnce payments in one statement. It reports false if there are fewer, or if not all were written: update then
// finds out which may not be, and writes the others again as they are.
func updateAll(tx Tx, entries []Entry) (bool, error) {
	if len(entries) < UpdateAtOnce {
		return false, nil
	}
	args := make([]any, 0, 11*UpdateAtOnce)
	for i := range entries {
		e := &entries[i]
		args = append(append(append(args, e.ID.String()), e.OutcomeValues()...), ","+strings.Join(e.PriorStates(), ",")+",")
	}
	result, err := tx.Exec(updateAllStatement(), args...)
	if err != nil {
		return false, err
	}
	written, err := result.RowsAffected()
	return written == UpdateAtOnce, err
}

// update writes one payment unless it may not change to that state; then why says so. Only a refusal needs a second
// statement. The states are not a list after IN, because SQLite would build a table for it each time.
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

// Disown records that a payment which nobody has sent yet is not the wallet's: another wallet made the same transaction. It
// becomes rejected without a proof, and its request key is free again. Errors: *RefusedError if somebody may have sent it,
// and those of Update.
func (j *Journal) Disown(ctx context.Context, id ledger.TransactionID, code, reason string) error {
	mine, args := ``, []any{code, reason, id.String()}
	if me := j.Server(); me != "" {
		mine, args = ` AND owner = ?`, append(args, me)
	}
	return j.engine.Write(ctx, Change{Apply: func(tx Tx) (refusal, failure error) {
		written, err := changedRow(tx.Exec(`UPDATE payments SET state = 'rejected', code = ?, reason = ?, request_key = NULL, request = '',
			proven = 0 WHERE id = ? AND state = 'prepared'`+mine, args...))
		if !written && err == nil {
			refusal = &RefusedError{IDs: []ledger.TransactionID{id}, Why: fmt.Errorf("payment %s may have been sent", id)}
		}
		return refusal, err
	}})
}

// OutcomeValues returns the values of the columns that Update writes.
func (e *Entry) OutcomeValues() []any {
	return []any{string(e.State), int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Sent), millis(e.InBlock), e.proven(),
		millis(e.FinalAt)}
}

// PriorStates returns one string per state: its name if a payment in that state may become e, otherwise "", which no payment has.
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

// TransitionError returns the refusal for a payment in a state that cannot become e's.
func (e *Entry) TransitionError(state State) error {
	return fmt.Errorf("payment %s is %s, it cannot become %s", e.ID, state, e.State)
}

// OpenPayments is the SQL condition for the payments that blocks are searched for.
const OpenPayments = `(state NOT IN ('irreversible', 'rejected', 'expired') OR (state = 'rejected' AND proven = 0))`

// Get reads one payment. Error: ErrNotFound.
func (j *Journal) Get(ctx context.Context, id ledger.TransactionID) (Entry, error) {
	return j.queryOne(ctx, `WHERE id = ?`, id.String())
}

// ByKey reads the payment under a request key. Error: ErrNotFound.
func (j *Journal) ByKey(ctx context.Context, key string) (Entry, error) {
	if !IsKey(key) {
		return Entry{}, ErrNotFound
	}
	return j.queryOne(ctx, `WHERE request_key = ?`, key)
}

// Open reads the payments that blocks are searched for, oldest first: those whose outcome is not final, and rejected
// ones that a block may still hold. If several servers share the journal, it reads those that this server follows.
func (j *Journal) Open(ctx context.Context) ([]Entry, error) {
	if me := j.Server(); me != "" {
		return j.queryAll(ctx, `WHERE owner = ? AND `+OpenPayments+` ORDER BY prepared_at, id`, me)
	}
	return j.queryAll(ctx, `WHERE `+OpenPayments+` ORDER BY prepared_at, id`)
}

// OpenSince is Open for payments that were signed since a time, whoever follows them. newest is the time at which the latest payment was signed.
func (j *Journal) OpenSince(ctx context.Context, since time.Time) (list []Entry, newest time.Time, err error) {
	latest, err := j.Latest(ctx, 1)
	if err != nil || len(latest) == 0 {
		return nil, newest, err
	}
	list, err = j.queryAll(ctx, `WHERE prepared_at >= ? AND `+OpenPayments+` ORDER BY prepared_at, id`, millis(since))
	return list, latest[0].Prepared, err
}

// Latest reads up to limit payments, newest first.
func (j *Journal) Latest(ctx context.Context, limit int) ([]Entry, error) {
	return j.queryAll(ctx, `ORDER BY prepared_at DESC, id LIMIT ?`, limit)
}

// LatestOf reads up to limit payments whose request key starts with keyPrefix, newest first.
func (j *Journal) LatestOf(ctx context.Context, keyPrefix string, limit int) ([]Entry, error) {
	if !IsKey(keyPrefix) {
		return nil, nil
	}
	return j.queryAll(ctx, `WHERE SUBSTR(request_key, 1, ?) = ? ORDER BY prepared_at DESC, id LIMIT ?`,
		utf8.RuneCountInString(keyPrefix), keyPrefix, limit)
}

// columns returns the columns that scan reads. Payments of a journal that is not shared have no owner.
func (j *Journal) columns() string {
	if j.Server() == "" {
		return Columns + `, '', origin`
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
	if err != nil {
		return e, j.engine.Explain(err)
	}
	return e, e.hydrate(ctx, j.engine)
}

// All calls visit for every payment, oldest first, until visit returns an error.
func (j *Journal) All(ctx context.Context, visit func(Entry) error) error {
	return j.queryEach(ctx, visit, `ORDER BY prepared_at, id`)
}

func (j *Journal) queryAll(ctx context.Context, where string, args ...any) (list []Entry, err error) {
	err = j.queryEach(ctx, func(e Entry) error {
		list = append(list, e)
		return nil
	}, where, args...)
	return list, err
}

func (j *Journal) queryEach(ctx context.Context, visit func(Entry) error, where string, args ...any) error {
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
			err = e.hydrate(ctx, j.engine)
		}
		if err == nil {
			err = visit(e)
		}
		if err != nil {
			return err
		}
	}
	return j.engine.Explain(rows.Err())
}
