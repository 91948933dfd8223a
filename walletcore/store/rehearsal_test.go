package store_test

import (
	"context"
	stdsql "database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// payer makes payments with everything that may be written with one.
type payer struct {
	*store.Store
	n uint32
}

// pay writes a payment with its approval, its sum, its rows of a payout and the states of objects that it changes, and then that
// it was sent.
func (p *payer) pay(ctx context.Context) error {
	p.n++
	e := entry(p.n)
	e.Key, e.Prepared = fmt.Sprint("key ", p.n), e.Prepared.UTC()
	ctx = store.WithCallBatch(ctx)
	if err := p.Limits.Reserve(ctx, store.CallBatchOf(ctx), &store.Reservation{
		Spend: store.Spend{Token: "till", Key: e.Key, Amount: 1}, Limit: 1 << 40, At: e.Prepared, Over: errors.New("over"),
	}); err != nil {
		return err
	}
	store.CallBatchOf(ctx).Add(p.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
		return store.AuditRecord{Number: last.Number + 1, Text: "{}", Hash: e.ID.String()}, nil
	}, nil))
	rows := store.PayoutRows{Payer: 16, Plan: "june", Key: e.Key, Fingerprints: []string{e.Key}}
	state := store.ObjectState{Object: ledger.AccountID(p.n).Object(), Number: 1, Transaction: e.ID}
	if err := p.Journal.Add(ctx, e, rows.Change(), store.AppendStates(chain, 0, state)); err != nil {
		return err
	}
	e.State, e.Sent = store.Sent, e.Prepared
	return p.Journal.Update(ctx, e)
}

// agrees compares what the journal says of the next payment with what becomes of one, and returns whether it was made. The journal
// is asked before anything was tried, and again after that.
func (p *payer) agrees(t *testing.T, what string) (made bool) {
	t.Helper()
	p.Journal.ForgetReady()
	before := p.Journal.Ready(t.Context())
	err := p.pay(t.Context())
	after := p.Journal.Ready(t.Context())
	if (before == nil) != (err == nil) || (after == nil) != (err == nil) {
		t.Errorf("%s: it was ready: %v; a payment: %v; it is ready: %v", what, before, err, after)
	}
	return err == nil
}

// A journal says that it takes payments exactly if it does: with a trigger that raises on each table in turn, and with each column of
// each table renamed. A table or column that payments use from now on is among them by itself.
func TestReadyMeansThatAPaymentIsWritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	kept, err := sqlite.Open(path)
	must(t, err)
	p := &payer{Store: kept}
	must(t, p.pay(t.Context()))
	db, err := stdsql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	do := func(statement string) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	columns := columnsOf(t, db, `SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%'`)
	broken := map[string]bool{}
	for table, names := range columns {
		for _, event := range []string{"INSERT", "UPDATE", "DELETE"} {
			do(fmt.Sprintf(`CREATE TRIGGER no BEFORE %s ON %s BEGIN SELECT RAISE(ABORT, 'no more'); END`, event, table))
			if !p.agrees(t, event+" on "+table) {
				broken[table] = true
			}
			do(`DROP TRIGGER no`)
		}
		for _, name := range names {
			do(fmt.Sprintf(`ALTER TABLE %s RENAME COLUMN %s TO renamed`, table, name))
			if !p.agrees(t, table+"."+name+" renamed") {
				broken[table] = true
			}
			do(fmt.Sprintf(`ALTER TABLE %s RENAME COLUMN renamed TO %s`, table, name))
		}
	}
	for _, table := range []string{"payments", "audit", "token_spent", "payout_rows", "object_states", "journal_commits"} {
		if !broken[table] {
			t.Errorf("no payment failed with %s broken, so this test shows nothing", table)
		}
	}
	if !p.agrees(t, "whole again") {
		t.Error("nothing is broken, and no payment is written")
	}
	do(`UPDATE journal_version SET version = version + 1`)
	if made := p.agrees(t, "a newer program"); made {
		t.Error("a payment is written to what a newer program has changed")
	}
	if err := p.Journal.Ready(t.Context()); err == nil || store.CauseOf(err) == "" {
		t.Errorf("a file of a newer version: %v", err)
	}
	must(t, kept.Close())
}

// What refuses one payment and no rehearsal, as a condition on its amount would, is known from that payment on, until one like it is taken.
func TestThePaymentThatFailedIsRehearsed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	kept, err := sqlite.Open(path)
	must(t, err)
	defer kept.Close()
	p := &payer{Store: kept}
	must(t, p.pay(t.Context()))
	db, err := stdsql.Open("sqlite", path)
	must(t, err)
	defer db.Close()
	_, err = db.Exec(`CREATE TRIGGER no BEFORE INSERT ON payments WHEN new.request_key LIKE 'key %' BEGIN SELECT RAISE(ABORT, 'no key'); END`)
	must(t, err)
	if err := p.pay(t.Context()); err == nil {
		t.Fatal("it was written")
	}
	for range 3 {
		if err := p.Journal.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "no key") {
			t.Fatalf("after a payment that could not be written: %v", err)
		}
		p.Journal.ForgetReady()
	}
	_, err = db.Exec(`DROP TRIGGER no`)
	must(t, err)
	p.Journal.ForgetReady()
	must(t, p.Journal.Ready(t.Context()))
	must(t, p.pay(t.Context()))
	kinds := map[string]int{}
	must(t, p.Journal.All(t.Context(), func(e store.Entry) error {
		kinds[strings.Fields(e.Key)[0]]++
		return nil
	}))
	if kinds["key"] != 2 || len(kinds) != 1 {
		t.Errorf("the journal has %v", kinds)
	}
}

// A question whether payments can be written leaves nothing behind: a copy from before it is as whole as one from after, beside the mark as it is.
func TestARehearsalIsNoChange(t *testing.T) {
	t.Parallel()
	folder := ramdisk.Folder(t)
	path := filepath.Join(folder, "payments.db")
	kept, err := sqlite.Open(path)
	must(t, err)
	id, err := kept.Journal.Claim(t.Context(), store.NewID())
	must(t, err)
	p := &payer{Store: kept}
	must(t, p.pay(t.Context()))
	copied := filepath.Join(ramdisk.Folder(t), "monday.db")
	_, err = sqlite.Backup(t.Context(), path, copied)
	must(t, err)
	at, err := kept.Journal.Position(t.Context())
	must(t, err)
	for range 50 { // also over the beginning of a log
		p.Journal.ForgetReady()
		must(t, p.Journal.Ready(t.Context()))
	}
	if now, err := kept.Journal.Position(t.Context()); err != nil || now != at {
		t.Errorf("it had %+v and has %+v, %v", at, now, err)
	}
	must(t, kept.Close())
	if _, err := sqlite.Restore(t.Context(), path, copied, sqlite.Owner{ID: id}, false); err != nil {
		t.Errorf("a whole copy: %v", err)
	}
	for range 2 {
		again, err := sqlite.Open(path)
		must(t, err)
		must(t, again.Journal.Check(t.Context(), id))
		p.Store = again
		must(t, p.pay(t.Context()))
		must(t, p.Journal.Ready(t.Context()))
		must(t, again.Close())
	}
}

func columnsOf(t *testing.T, db *stdsql.DB, query string) map[string][]string {
	t.Helper()
	rows, err := db.Query(query)
	must(t, err)
	defer rows.Close()
	all := map[string][]string{}
	for rows.Next() {
		var table, column string
		must(t, rows.Scan(&table, &column))
		all[table] = append(all[table], column)
	}
	must(t, rows.Err())
	return all
}
