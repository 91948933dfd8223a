package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
)

// transaction makes one batch. What every batch needs is locked last: payments under their keys, then tokens, then the
// rest, then the audit log, each in a fixed order.
type transaction struct {
	w        *writer
	mark     mark // the one that the commit makes
	time     time.Time
	tokens   map[string]bool // those that are locked
	withdraw []string        // ids of payments that were written and then refused

	last    *store.AuditRecord // nil until the audit log is locked
	records []store.AuditRecord
}

// errFence means that another program has written as this server.
var errFence = errors.New("the row of this server has moved on")

// LockToken keeps other servers from counting against limits of the token until the commit. Statements after this one
// see what they counted before.
func (t *transaction) LockToken(token string) error {
	if t.tokens[token] {
		return nil
	}
	t.tokens[token] = true
	_, err := t.Exec(lockToken, token)
	return err
}

const lockToken = `INSERT INTO token_locks (token, uses) VALUES (?, 1) ON CONFLICT (token) DO UPDATE SET uses = token_locks.uses + 1`

var errNoHead = errors.New("the row of audit_head, which says how the audit log ends, is missing; restore it from the last row of audit")

// LastRecord returns the latest record of the audit log, to which nobody else appends until the commit.
func (t *transaction) LastRecord() (store.AuditRecord, error) {
	if t.last == nil {
		var last store.AuditRecord
		err := t.QueryRow(`UPDATE audit_head SET number = number WHERE one = 1 RETURNING number, hash`).Scan(&last.Number, &last.Hash)
		if errors.Is(err, sql.ErrNoRows) {
			err = errNoHead
		}
		if err != nil {
			return last, err
		}
		t.last = &last
	}
	return *t.last, nil
}

// AddRecord appends a record.
func (t *transaction) AddRecord(r store.AuditRecord) {
	t.records = append(t.records, r)
	t.last = &r
}

// writeRecords writes the records of the batch.
func (t *transaction) writeRecords() error {
	if len(t.records) == 0 {
		return nil
	}
	numbers, texts, hashes := make([]int64, len(t.records)), make([]string, len(t.records)), make([]string, len(t.records))
	for i, r := range t.records {
		numbers[i], texts[i], hashes[i] = r.Number, r.Text, r.Hash
	}
	return t.w.raw(func(c *pgx.Conn) error {
		both := new(pgx.Batch)
		both.Queue(
			`INSERT INTO audit (number, entry, hash) SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[])`,
			numbers,
			texts,
			hashes,
		)
		both.Queue(`UPDATE audit_head SET number = $1, hash = $2 WHERE one = 1`, t.last.Number, t.last.Hash)
		return c.SendBatch(context.Background(), both).Close()
	})
}

// Exec runs a statement.
func (t *transaction) Exec(query string, args ...any) (sql.Result, error) {
	return t.w.conn.ExecContext(context.Background(), query, args...)
}

// QueryRow reads a row.
func (t *transaction) QueryRow(query string, args ...any) *sql.Row {
	return t.w.conn.QueryRowContext(context.Background(), query, args...)
}

var _ store.SharedTx = (*transaction)(nil)
