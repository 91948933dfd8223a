package store_test

import (
	"fmt"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"

	"github.com/jackc/pgx/v5"
)

// A server of a shared store says that it can write payments exactly if it can, and so does the status: with a trigger that raises on
// each table in turn, and with each of the ways in which operators break a database.
func TestAServerIsReadyIfAPaymentIsWritten(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	o := postgres.Options{MayLose: true, Folder: t.TempDir()}
	kept, err := o.Open(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = kept.Close() })
	p := &payer{Store: kept}
	must(t, p.pay(t.Context()))
	db, err := pgx.Connect(t.Context(), url)
	must(t, err)
	t.Cleanup(func() { _ = db.Close(t.Context()) })
	do := func(statement string) {
		t.Helper()
		if _, err := db.Exec(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	agrees := func(what string) bool {
		t.Helper()
		made := p.agrees(t, what)
		if at, err := o.Status(t.Context(), url); err == nil && (at.Refuses == nil) != made && what != "UPDATE on servers" {
			t.Errorf("%s: the status says %v", what, at.Refuses)
		}
		return made
	}
	rows, err := db.Query(t.Context(), `SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'`)
	must(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	do(`CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''no more''; END'`)
	failed := 0
	for _, table := range tables {
		for _, event := range []string{"INSERT", "UPDATE"} {
			do(fmt.Sprintf(`CREATE TRIGGER no BEFORE %s ON %s FOR EACH ROW EXECUTE FUNCTION no()`, event, table))
			if !agrees(event + " on " + table) {
				failed++
			}
			do(`DROP TRIGGER no ON ` + table)
		}
	}
	if failed < 7 {
		t.Errorf("%d triggers stopped payments, so this test shows nothing", failed)
	}
	for _, way := range []struct{ what, begin, end string }{
		{"a column renamed", `ALTER TABLE payments RENAME COLUMN reason TO reasons`, `ALTER TABLE payments RENAME COLUMN reasons TO reason`},
		{"a CHECK", `ALTER TABLE payments ADD CONSTRAINT nope CHECK (prepared_at < 5) NOT VALID`, `ALTER TABLE payments DROP CONSTRAINT nope`},
		{"the head of the audit log lost", `CREATE TABLE head AS SELECT * FROM audit_head; DELETE FROM audit_head`, `INSERT INTO audit_head SELECT * FROM head; DROP TABLE head`},
		{"a row that is not kept", `CREATE FUNCTION silent() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
			CREATE TRIGGER silent BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION silent()`, `DROP TRIGGER silent ON payments`},
		{"a state that is not kept", `CREATE TRIGGER silent BEFORE UPDATE ON payments FOR EACH ROW EXECUTE FUNCTION silent()`, `DROP TRIGGER silent ON payments`},
		{"what is only checked with the commit", `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON payments DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION no()`,
			`DROP TRIGGER late ON payments`},
		{"a newer program", `UPDATE store_meta SET version = version + 90, oldest_reader = oldest_reader + 90`,
			`UPDATE store_meta SET version = version - 90, oldest_reader = oldest_reader - 90`},
		{"a table lost", `ALTER TABLE token_spent RENAME TO gone`, `ALTER TABLE gone RENAME TO token_spent`},
	} {
		do(way.begin)
		if agrees(way.what) {
			t.Errorf("%s: a payment is written", way.what)
		}
		if err := p.pay(t.Context()); store.IsAway(err) {
			t.Errorf("%s: the database answers, and a payment is told: %v", way.what, err)
		}
		do(way.end)
	}
	if !agrees("whole again") {
		t.Error("nothing is broken, and no payment is written")
	}
}

// A program beside the servers, such as billfold doctor, also finds out whether a payment is written: with nothing that the database would
// report as an error, and without keeping anything.
func TestAStoreIsReadyBesideItsServers(t *testing.T) {
	t.Parallel()
	c := storetest.Start(t)
	url := newStore(t, c)
	const failed = "SELECT xact_rollback FROM pg_stat_database WHERE datname = current_database()" // each error of a statement counts
	before := mustSQL(t, url, failed)
	desk, err := postgres.Options{MayLose: true}.OpenAside(t.Context(), url)
	must(t, err)
	must(t, desk.Journal.Ready(t.Context()))
	if rows := mustSQL(t, url, "SELECT (SELECT COUNT(*) FROM payments) + (SELECT COUNT(*) FROM audit) + (SELECT number FROM audit_head)"); rows != "0" {
		t.Error("it left", rows)
	}
	must(t, desk.Close()) // which reports its counts
	if after := mustSQL(t, url, failed); after != before {
		t.Error("of its transactions the database refused some:", before, "and then", after)
	}
	desk, err = postgres.Options{MayLose: true}.OpenAside(t.Context(), url)
	must(t, err)
	defer desk.Close()
	mustSQL(t, url, "ALTER TABLE object_states ADD CHECK (number = 0)")
	if err := desk.Journal.Ready(t.Context()); err == nil {
		t.Error("it is ready where a payment is refused")
	}
}
