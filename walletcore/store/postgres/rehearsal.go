package postgres

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"time"

	"billfold/walletcore/store"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Rehearse writes what a payment writes, with the statements of execute and in their order, and takes all of it back. Locks that
// it took are given back with it.
func (t *transaction) Rehearse(r store.Rehearsal) (refusal, failure error) {
	if _, failure = t.Exec(`SAVEPOINT rehearsal`); failure != nil {
		return nil, failure
	}
	if refusal = t.rehearse(r); refusal == nil { // what is only checked with a commit
		_, refusal = t.Exec(`SET CONSTRAINTS ALL IMMEDIATE`)
	}
	if _, err := t.Exec(`ROLLBACK TO SAVEPOINT rehearsal`); err != nil {
		return nil, errors.Join(refusal, err)
	}
	return explain(t.w.config, blocked(refusal)), nil
}

func (t *transaction) rehearse(r store.Rehearsal) error {
	var version, oldestReader int
	if err := t.QueryRow(`SELECT version, oldest_reader FROM store_meta`).Scan(&version, &oldestReader); err != nil {
		return err
	}
	if err := checkVersion(version, oldestReader); err != nil {
		return err
	}
	one := []add{{entry: &r.Entry}}
	values := t.valuesOf(one)
	var added, changed pgconn.CommandTag
	if err := t.w.raw(func(c *pgx.Conn) (err error) {
		if added, err = c.Exec(context.Background(), insert, append(columnsOf(1, values), t.mark.Server)...); err == nil {
			changed, err = c.Exec(context.Background(), changeStates, updateArgs([]update{{entry: &r.Next}}, t.mark.Server)...)
		}
		return err
	}); err != nil {
		return err
	}
	var takes bool // unless it is held or another server has to compare it first, which is told elsewhere
	compared := values(0)[len(values(0))-1]
	if err := t.QueryRow(`SELECT EXISTS (SELECT 1 FROM store_meta WHERE generation = ? AND held_since = 0 AND `+sameTimeline+`)`, compared).Scan(&takes); err != nil {
		return err
	}
	if takes && added.RowsAffected() == 0 || added.RowsAffected() > changed.RowsAffected() {
		return store.ErrNotTaken
	}
	for range 2 { // the row of a token is made by the first payment, and changed by all others
		if _, err := t.Exec(lockToken, r.Entry.ID.String()); err != nil {
			return err
		}
	}
	if err := r.WriteOthers(t); err != nil {
		return err
	}
	own := &transaction{w: t.w, mark: t.mark, time: t.time} // what it knows of the audit log is taken back as well
	last, err := own.LastRecord()
	if err != nil {
		return err
	}
	own.AddRecord(store.AuditRecord{Number: last.Number + 1, Text: "{}", Hash: r.Entry.ID.String()})
	return own.writeRecords()
}

// rehearse finds out whether servers can write payments: as one of them would, in a transaction that is taken back.
func (l *readOnlyStore) rehearse(ctx context.Context) (err error) {
	c, err := l.db.Conn(ctx)
	if err != nil {
		return l.Explain(err)
	}
	defer c.Close() //nolint:errcheck // nothing in it is kept
	if _, err := c.ExecContext(ctx, `BEGIN`); err != nil {
		return l.Explain(err)
	}
	defer c.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`) //nolint:errcheck // the connection is closed
	refusal, failure := l.rehearseIn(ctx, c, store.NewRehearsal())
	return l.Explain(cmp.Or(failure, refusal))
}

// rehearseIn makes a rehearsal in the transaction of c.
func (l *readOnlyStore) rehearseIn(ctx context.Context, c *sql.Conn, r store.Rehearsal) (refusal, failure error) {
	m, err := readMeta(ctx, c)
	if err != nil {
		return nil, err
	}
	own := &core{config: l.config}
	own.health.recordMeta(m)
	t := &transaction{w: &writer{core: own, conn: c}, tokens: map[string]bool{}, time: time.Now()}
	if _, err := t.Exec(`UPDATE servers SET mark = mark, nonce = nonce, expires_at = expires_at WHERE id = ''`); err != nil {
		return nil, err
	}
	return t.Rehearse(r)
}

var (
	_ store.Rehearsing = (*transaction)(nil)
	_ store.Rehearsing = adminTx{}
)
