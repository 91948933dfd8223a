package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"billfold/ledger"
)

// The journal knows of each payment of a payout which plan made it, under which label, for as long as it lives. A row of a plan is
// remembered by a fingerprint of payer, recipient, asset and amount, with the request key of the transaction that it is in;
// whether it counts depends on the state of the payment that has the key. Rows are numbered, so that a plan can be checked for
// what came after a person saw it.

// PayoutRows are rows of a payout that a transaction pays.
type PayoutRows struct {
	Payer        ledger.AccountID
	Plan, Key    string
	Label        sql.NullString // a fingerprint of the payout's label, "" without one; not valid = not known
	SameLabel    []string       // under which others count as paid under this label, besides Label
	Fingerprints []string

	// Rows of other plans up to this number were seen by whoever approved this one. Under the same label, and without one under any,
	// they are refused all the same unless Again.
	After int64
	Again bool
	// First says that more rows were compared up to After than these: any row that another plan has paid since is Moved.
	First bool

	Repeats func(plan string, rows int) error // returns the refusal if a plan made so many of them; nil = they are not compared
	Moved   func() error                      // returns the refusal of First
}

// Change records the rows, unless another plan pays some of them already. It belongs to the payment under Key.
func (r PayoutRows) Change() Change {
	return Change{Token: r.token(), Apply: r.apply} // one plan of a payer at a time
}

func (r PayoutRows) token() string { return "payout " + r.Payer.String() }

// lock does what Change does with its Token, for a change that knows its rows only within the transaction.
func (r PayoutRows) lock(tx Tx) error {
	if shared, is := tx.(locking); is {
		return shared.LockToken(r.token())
	}
	return nil
}

func (r PayoutRows) apply(tx Tx) (refusal, failure error) {
	if refusal, failure = r.compare(tx); refusal != nil || failure != nil {
		return refusal, failure
	}
	return nil, r.add(tx)
}

// add records the rows, whoever else pays them.
func (r PayoutRows) add(tx Tx) error {
	if err := r.lock(tx); err != nil {
		return err
	}
	var known, number int64
	if err := tx.QueryRow(`SELECT COUNT(*) FROM payout_rows WHERE request_key = ? AND payer = ?`, r.Key, r.payer()).
		Scan(&known); known > 0 || err != nil {
		return err // the payment was signed anew
	}
	if err := tx.QueryRow(`SELECT COALESCE(MAX(number), 0) FROM payout_rows WHERE payer = ?`, r.payer()).Scan(&number); err != nil {
		return err
	}
	for _, part := range parts(r.Fingerprints) {
		var args []any
		for _, fingerprint := range part {
			number++
			args = append(args, r.payer(), number, fingerprint, r.Plan, r.Key, r.Label)
		}
		if _, err := tx.Exec(`INSERT INTO payout_rows (payer, number, fingerprint, plan, request_key, label) VALUES `+
			strings.Repeat(`, (?, ?, ?, ?, ?, ?)`, len(part))[2:], args...); err != nil {
			return err
		}
	}
	return nil
}

// planParts returns the transactions of the plan in a request key that the journal has.
func planParts(tx Tx, key, plan string) (all []PlanPart, err error) {
	before, _, _ := strings.Cut(key, plan)
	end := before + plan + "0" // the first text after all that go on with a slash
	for last := before + plan + "/"; ; {
		var one PlanPart
		var payer, happens int64
		err := tx.QueryRow(`SELECT r.request_key, MIN(r.payer), COUNT(*), MIN(CASE WHEN `+mayHappen+` THEN 1 ELSE 0 END)
			FROM payout_rows r JOIN payments p ON p.request_key = r.request_key WHERE r.plan = ? AND r.request_key > ? AND r.request_key < ?
			GROUP BY r.request_key ORDER BY r.request_key LIMIT 1`, plan, last, end).
			Scan(&one.Key, &payer, &one.Rows, &happens)
		if errors.Is(err, sql.ErrNoRows) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		one.Payer, one.Never = ledger.AccountID(payer), happens == 0 //nolint:gosec // it was written from one
		all, last = append(all, one), one.Key
	}
}

// compare refuses what other plans pay already.
func (r PayoutRows) compare(tx Tx) (refusal, failure error) {
	if r.Repeats == nil {
		return nil, nil
	}
	rows, plan := 0, sql.NullString{}
	for _, part := range parts(r.Fingerprints) {
		var n int
		var by sql.NullString
		where, args := r.paidElsewhere(part)
		counts, more := r.counts()
		if err := tx.QueryRow(`SELECT COUNT(DISTINCT r.fingerprint), MIN(r.plan) `+where+` AND `+counts, append(args, more...)...).
			Scan(&n, &by); err != nil {
			return nil, err
		}
		if rows += n; n > 0 {
			plan = by
		}
	}
	if rows > 0 {
		return r.Repeats(plan.String, rows), nil
	}
	if r.First {
		var moved bool
		if err := tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM payout_rows r JOIN payments p ON p.request_key = r.request_key
			WHERE r.payer = ? AND r.number > ? AND `+notOwn+` AND `+mayHappen+`)`, r.payer(), r.After, r.Plan).Scan(&moved); err != nil {
			return nil, err
		}
		if moved {
			return r.Moved(), nil
		}
	}
	return nil, nil
}

func (r PayoutRows) payer() int64 { return int64(r.Payer) }

// mayHappen holds for the payments p that were made or still can be.
const mayHappen = `p.state <> 'rejected' AND p.state <> 'expired'`

// notOwn holds for the rows r that are not known to be of the plan. The key of a claimed payment p is what a person said it was, and may
// name the plan wrongly.
const notOwn = `(r.plan <> ? OR p.origin IN (2, 3))`

// paidElsewhere selects those of the rows that other plans pay, or claimed payments, as far as their payments may happen.
func (r PayoutRows) paidElsewhere(part []string) (where string, args []any) {
	args = []any{r.Plan}
	for _, fingerprint := range part {
		args = append(args, fingerprint)
	}
	return `FROM payout_rows r JOIN payments p ON p.request_key = r.request_key WHERE ` + notOwn + ` AND ` + mayHappen +
		` AND r.fingerprint IN (` + strings.Repeat(`, ?`, len(part))[2:] + `)`, args
}

// counts selects the rows of paidElsewhere that are not paid again. Claimed ones of the plan itself were looked at up to After.
func (r PayoutRows) counts() (where string, args []any) {
	if r.Again {
		return `r.number > ?`, []any{r.After}
	}
	same, args := r.sameLabel()
	return `(r.number > ? OR r.plan <> ? AND ` + same + `)`, append([]any{r.After, r.Plan}, args...)
}

// sameLabel selects the rows that count as paid under the label: without one, all. A label that is not known may be this one. For what
// an earlier version paid, only until the same payment was made under another: whoever had that made has looked at it. What was claimed stays
// what it was claimed for, perhaps wrongly.
func (r PayoutRows) sameLabel() (where string, args []any) {
	if r.Label.String == "" {
		return `0 = 0`, nil
	}
	args = []any{r.Label.String}
	for _, label := range r.SameLabel {
		args = append(args, label)
	}
	these := `(` + strings.Repeat(`, ?`, len(args))[2:] + `)`
	return `(r.label IN ` + these + ` OR r.label IS NULL AND (p.origin <> 0 OR NOT EXISTS (SELECT 1 FROM payout_rows s JOIN payments q ON q.request_key = s.request_key
		WHERE s.fingerprint = r.fingerprint AND s.number > r.number AND s.label NOT IN ` + these + ` AND q.origin = 0 AND q.state <> 'rejected' AND q.state <> 'expired')))`,
		slices.Concat(args, args)
}

// rowsOfStatement is the maximum number of rows that one statement compares or writes.
const rowsOfStatement = 200

func parts(of []string) (out [][]string) {
	for len(of) > rowsOfStatement {
		out, of = append(out, of[:rowsOfStatement]), of[rowsOfStatement:]
	}
	if len(of) > 0 {
		out = append(out, of)
	}
	return out
}

// PaidRow is a row that another plan pays, or a claimed payment.
type PaidRow struct {
	Fingerprint, Plan string
	Key               string    // of a claimed payment; "" of others
	Pays              int       // payments of the transaction of a claimed one
	ID                string    // of the transaction; of the first, if the plan pays the row several times
	At                time.Time // when that was signed
	Counts            bool      // it is not paid again, unless a person wants that: it is under the same label, or there is none
	Labelled          bool      // its label is known
}

// PaidRows holds what other plans pay of some rows.
type PaidRows struct {
	Rows     []PaidRow // by fingerprint and plan
	Position int64     // number of the payer's latest row before they were compared
}

// PaidElsewhere returns which of the rows other plans pay, as far as they came after After. Key, Again, First and Repeats do not matter.
func (j *Journal) PaidElsewhere(ctx context.Context, r PayoutRows) (paid PaidRows, err error) {
	db := j.engine.Reader()
	if db == nil {
		return paid, nil
	}
	if err := db.QueryRowContext(ctx, `SELECT COALESCE(MAX(number), 0) FROM payout_rows WHERE payer = ?`, r.payer()).
		Scan(&paid.Position); err != nil {
		return paid, j.engine.Explain(err)
	}
	for _, part := range parts(r.Fingerprints) {
		if err := paid.read(ctx, db, r, part); err != nil {
			return paid, j.engine.Explain(err)
		}
	}
	return paid, nil
}

func (p *PaidRows) read(ctx context.Context, db *sql.DB, r PayoutRows, part []string) error {
	where, args := r.paidElsewhere(part)
	same, of := r.sameLabel()
	args = append(of, append(args, r.After)...)
	const claimed = `CASE WHEN p.origin IN (2, 3) THEN r.request_key ELSE '' END`
	rows, err := db.QueryContext(ctx, `SELECT r.fingerprint, r.plan, MIN(p.id), MIN(p.prepared_at), MAX(CASE WHEN `+same+` THEN 1 ELSE 0 END),
		COUNT(r.label), `+claimed+`, MAX((SELECT COUNT(*) FROM payout_rows c WHERE c.request_key = r.request_key)) `+where+` AND r.number > ?
		GROUP BY r.fingerprint, r.plan, `+claimed+` ORDER BY r.fingerprint, r.plan, `+claimed, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var one PaidRow
		var at, counts, labels int64
		if err := rows.Scan(&one.Fingerprint, &one.Plan, &one.ID, &at, &counts, &labels, &one.Key, &one.Pays); err != nil {
			return err
		}
		one.At, one.Counts, one.Labelled = fromMillis(at), counts > 0, labels > 0
		p.Rows = append(p.Rows, one)
	}
	return rows.Err()
}

// UnlistedPayouts reads the payments under request keys from begin to before end that have no rows: those of versions that
// did not keep them, and those that a store got back after it had lost them.
func (j *Journal) UnlistedPayouts(ctx context.Context, begin, end string) ([]Entry, error) {
	return j.queryAll(ctx, `WHERE request_key >= ? AND request_key < ? AND state <> 'rejected' AND state <> 'expired' AND
		NOT EXISTS (SELECT 1 FROM payout_rows r WHERE r.request_key = payments.request_key) ORDER BY prepared_at, id`, begin, end)
}

// ListPayouts records rows of payments that the journal has.
func (j *Journal) ListPayouts(ctx context.Context, all ...PayoutRows) error {
	changes := make([]Change, len(all))
	for i, r := range all {
		r.Repeats = nil
		changes[i] = r.Change()
	}
	return j.engine.Write(ctx, changes...)
}

// LabelPayout records the label of those rows of r's plan that were claimed and whose label is not known. Their request keys are those from begin to before end.
func (j *Journal) LabelPayout(ctx context.Context, r PayoutRows, begin, end string) error {
	db, unknown := j.engine.Reader(), false
	if db == nil {
		return nil
	}
	const which = `payout_rows WHERE request_key >= ? AND request_key < ? AND payer = ? AND plan = ? AND label IS NULL AND
		EXISTS (SELECT 1 FROM payments p WHERE p.request_key = payout_rows.request_key AND p.origin IN (2, 3))`
	args := []any{begin, end, r.payer(), r.Plan}
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+which+`)`, args...).Scan(&unknown); err != nil || !unknown {
		return j.engine.Explain(err)
	}
	return j.engine.Write(ctx, Change{Token: r.token(), Apply: func(tx Tx) (refusal, failure error) {
		_, err := tx.Exec(`UPDATE `+strings.Replace(which, ` WHERE`, ` SET label = ? WHERE`, 1), append([]any{r.Label}, args...)...)
		return nil, err
	}})
}
