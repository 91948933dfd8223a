package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

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

// execute writes a batch; the caller commits it.
func (t *transaction) execute(batch []*commits.Change) error {
	for _, c := range batch {
		c.Err = nil
	}
	o := opening{adds: addsOf(batch), updates: updatesOf(batch), tokens: tokensOf(batch)}
	if err := t.openRound(&o); err != nil {
		return err
	}
	t.refuseUnproven(batch, o.found)
	if err := t.lockTokens(batch); err != nil {
		return err
	}
	for _, c := range batch {
		if err := t.apply(c); err != nil {
			return err
		}
	}
	if err := t.deleteWithdrawn(); err != nil {
		return err
	}
	for _, c := range batch {
		if err := t.applyLast(c); err != nil {
			return err
		}
	}
	return t.writeRecords()
}

// apply makes those parts of a change that are neither payments nor marked Last. If one is refused, the others are undone.
func (t *transaction) apply(c *commits.Change) error {
	var parts []store.Change
	for _, part := range c.Parts {
		if part.Add == nil && part.Update == nil && !part.Last {
			parts = append(parts, part)
		}
	}
	if c.Err != nil || len(parts) == 0 {
		return nil
	}
	if len(parts) > 1 {
		if _, err := t.Exec(`SAVEPOINT parts`); err != nil {
			return err
		}
	}
	for _, part := range parts {
		refusal, failure := part.Apply(t)
		if failure != nil {
			return failure
		}
		if c.Err = refusal; refusal != nil {
			break
		}
	}
	if c.Err == nil {
		return nil
	}
	t.withdrawAdds(c)
	if len(parts) > 1 {
		_, err := t.Exec(`ROLLBACK TO SAVEPOINT parts`)
		return err
	}
	return nil
}

func (t *transaction) applyLast(c *commits.Change) error {
	for _, part := range c.Parts {
		if c.Err != nil || !part.Last {
			continue
		}
		refusal, failure := part.Apply(t)
		if failure == nil {
			failure = refusal // Last promises that there is none
		}
		if failure != nil {
			return failure
		}
	}
	return nil
}

// deleteWithdrawn removes payments whose other parts were refused; nobody else has seen them.
func (t *transaction) deleteWithdrawn() error {
	if len(t.withdraw) == 0 {
		return nil
	}
	return t.w.raw(func(c *pgx.Conn) error {
		_, err := c.Exec(context.Background(), `DELETE FROM payments WHERE id = ANY($1)`, t.withdraw)
		return err
	})
}

// lockTokens locks the tokens that limits are counted against, in the same order on all servers.
func (t *transaction) lockTokens(batch []*commits.Change) error {
	tokens := map[string]bool{}
	for _, c := range batch {
		for _, part := range c.Parts {
			if c.Err == nil && part.Token != "" {
				tokens[part.Token] = true
			}
		}
	}
	for _, token := range slices.Sorted(maps.Keys(tokens)) {
		if err := t.LockToken(token); err != nil {
			return err
		}
	}
	return nil
}

// addsOf returns the new payments of a batch in an order that all servers share: two that write the same keys must not deadlock.
func addsOf(batch []*commits.Change) (adds []add) {
	for _, c := range batch {
		for _, part := range c.Parts {
			if part.Add != nil {
				adds = append(adds, add{c, part.Add})
			}
		}
	}
	slices.SortStableFunc(adds, func(a, b add) int {
		return cmp.Or(cmp.Compare(a.entry.Key, b.entry.Key), slices.Compare(a.entry.ID[:], b.entry.ID[:]))
	})
	return adds
}

// updatesOf returns the new states ordered by payment; those of one payment stay in the order of the batch.
func updatesOf(batch []*commits.Change) (updates []update) {
	for _, c := range batch {
		for _, part := range c.Parts {
			for i := range part.Update {
				updates = append(updates, update{c, &part.Update[i]})
			}
		}
	}
	slices.SortStableFunc(updates, func(a, b update) int { return slices.Compare(a.entry.ID[:], b.entry.ID[:]) })
	return updates
}
