package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"billfold/ledger"
)

// The journal knows of each payment of a payout which plan made it, for as long as it lives. A row of a plan is remembered
// by a fingerprint of payer, recipient, asset and amount, with the request key of the transaction that it is in; whether it
// counts depends on the state of the payment that has the key. Rows are numbered, so that a plan can be checked for what
// came after a person saw it.

// PayoutRows are rows of a payout that a transaction pays.
type PayoutRows struct {
	Payer        ledger.AccountID
	Plan, Key    string
	Fingerprints []string
	After        int64 // rows of other plans up to this number do not matter

	Repeats func(plan string, rows int) error // returns the refusal if a plan made so many of them since; nil = they are not compared
}

// Change records the rows, unless another plan pays some of them already. It belongs to the payment under Key.
func (r PayoutRows) Change() Change {
	return Change{Token: "payout " + r.Payer.String(), Apply: r.apply} // one plan of a payer at a time
}

func (r PayoutRows) apply(tx Tx) (refusal, failure error) {
	if r.Repeats != nil {
		rows, plan := 0, sql.NullString{}
		for _, part := range parts(r.Fingerprints) {
			var n int
			var by sql.NullString
			where, args := r.paidElsewhere(part)
			if err := tx.QueryRow(`SELECT COUNT(DISTINCT r.fingerprint), MIN(r.plan) `+where, args...).Scan(&n, &by); err != nil {
				return nil, err
			}
			if rows += n; n > 0 {
				plan = by
			}
		}
		if rows > 0 {
			return r.Repeats(plan.String, rows), nil
		}
	}
	var known, number int64
	if err := tx.QueryRow(`SELECT COUNT(*) FROM payout_rows WHERE request_key = ? AND payer = ?`, r.Key, r.payer()).
		Scan(&known); known > 0 || err != nil {
		return nil, err // the payment was signed anew
	}
	if err := tx.QueryRow(`SELECT COALESCE(MAX(number), 0) FROM payout_rows WHERE payer = ?`, r.payer()).Scan(&number); err != nil {
		return nil, err
	}
	for _, part := range parts(r.Fingerprints) {
		var args []any
		for _, fingerprint := range part {
			number++
			args = append(args, r.payer(), number, fingerprint, r.Plan, r.Key)
		}
		if _, err := tx.Exec(`INSERT INTO payout_rows (payer, number, fingerprint, plan, request_key) VALUES `+
			strings.Repeat(`, (?, ?, ?, ?, ?)`, len(part))[2:], args...); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

func (r PayoutRows) payer() int64 { return int64(r.Payer) }

// paidElsewhere selects those of the rows that other plans pay, as far as their payments may happen.
func (r PayoutRows) paidElsewhere(part []string) (where string, args []any) {
	args = []any{r.Plan, r.After}
	for _, fingerprint := range part {
		args = append(args, fingerprint)
	}
	return `FROM payout_rows r JOIN payments p ON p.request_key = r.request_key WHERE r.plan <> ? AND r.number > ? AND
		p.state <> 'rejected' AND p.state <> 'expired' AND r.fingerprint IN (` + strings.Repeat(`, ?`, len(part))[2:] + `)`, args
}

// rowsOfStatement is how many rows one statement compares or writes.
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

// PaidRows is what other plans pay of some rows.
type PaidRows struct {
	Fingerprints []string             // each once
	Plans        map[string]time.Time // those plans, with the time of the first such payment of each
	Position     int64                // number of the payer's latest row before they were compared
}

// PaidElsewhere returns which of the rows other plans pay. Key and Repeats do not matter.
func (j *Journal) PaidElsewhere(ctx context.Context, r PayoutRows) (paid PaidRows, err error) {
	paid.Plans = map[string]time.Time{}
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
	rows, err := db.QueryContext(ctx, `SELECT r.fingerprint, r.plan, MIN(p.prepared_at) `+where+
		` GROUP BY r.fingerprint, r.plan ORDER BY r.fingerprint, r.plan`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var fingerprint, plan string
		var at int64
		if err := rows.Scan(&fingerprint, &plan, &at); err != nil {
			return err
		}
		if n := len(p.Fingerprints); n == 0 || p.Fingerprints[n-1] != fingerprint {
			p.Fingerprints = append(p.Fingerprints, fingerprint)
		}
		if first, known := p.Plans[plan]; !known || fromMillis(at).Before(first) {
			p.Plans[plan] = fromMillis(at)
		}
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
