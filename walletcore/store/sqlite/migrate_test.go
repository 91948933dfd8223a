package sqlite

import (
	"path/filepath"
	"slices"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// A store of the version before, which noted that nothing was to be taken over, becomes one of this version.
func TestAStoreOfTheVersionBeforeIsOpened(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := database.Open(path, database.Durable,
		// What a step after version 6 makes is dropped here.
		`CREATE INDEX payments_by_state ON payments (state)`, `DROP TABLE contacts`, `DROP TABLE labels`, `DROP TABLE message_marks`,
		`DROP TABLE backup_checks`, `DROP TABLE constructions`, `ALTER TABLE payments DROP COLUMN final_at`,
		`DROP INDEX payments_found`, `ALTER TABLE payments DROP COLUMN origin`, `DROP TABLE journal_hold`, `DROP TABLE only_signed`,
		`DROP TABLE journal_log`, `DROP TABLE journal_moved`, `DROP TABLE payout_rows`, `DROP TABLE accepted_facts`,
		`DROP TABLE object_states`, `DROP TABLE object_changes`, `DROP TABLE signer_keys`, `DROP TABLE archives`,
		`UPDATE journal_version SET version = 6`)
	if err != nil {
		t.Fatal(err)
	}
	if err := before.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		j = open(t, path)
		if _, err := j.Get(t.Context(), entry(1).ID); err != nil {
			t.Error(err)
		}
		var indexes int
		err := j.Reader().QueryRow(`SELECT COUNT(*) FROM sqlite_master WHERE name = 'payments_by_state'`).Scan(&indexes)
		if err != nil || indexes != 0 {
			t.Error(indexes, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// The records of a store whose audit log had an index of its own are all there, in their order, and the next follows them.
func TestAuditRecordsOfTheVersionBeforeAreKept(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	const before = 12
	schema := []string{`CREATE TABLE journal_version (version INTEGER NOT NULL)`, `INSERT INTO journal_version (version) VALUES (12)`}
	for _, step := range store.Migrations()[:before] {
		schema = append(schema, step...)
	}
	old, err := database.Open(path, database.Durable, append(schema,
		`INSERT INTO audit (number, entry, hash) VALUES (2, 'second', 'b'), (1, 'first', 'a'), (3, 'third', 'c')`)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Audit.Write(t.Context(), s.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
		return store.AuditRecord{Number: last.Number + 1, Text: "after " + last.Hash, Hash: "d"}, nil
	}, nil)); err != nil {
		t.Fatal(err)
	}
	var all []store.AuditRecord
	if err := s.Audit.Records(t.Context(), func(r store.AuditRecord) error {
		all = append(all, r)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []store.AuditRecord{{Number: 1, Text: "first", Hash: "a"}, {Number: 2, Text: "second", Hash: "b"},
		{Number: 3, Text: "third", Hash: "c"}, {Number: 4, Text: "after c", Hash: "d"}}
	if !slices.Equal(all, want) {
		t.Error(all)
	}
}

// Of a payment that was irreversible before it was kept when, no time is made up, now or later.
func TestWhenAPaymentOfBeforeBecameIrreversibleIsNotKnown(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	const before = 13
	schema := []string{`CREATE TABLE journal_version (version INTEGER NOT NULL)`, `INSERT INTO journal_version (version) VALUES (13)`}
	for _, step := range store.Migrations()[:before] {
		schema = append(schema, step...)
	}
	was := entry(1)
	old, err := database.Open(path, database.Durable, append(schema,
		`INSERT INTO payments (id, state, bytes, expiration, ref_block, block, trx_in_block, code, reason,
				prepared_at, sent_at, in_block_at)
			VALUES ('`+was.ID.String()+`', 'irreversible', '00', 5, 1, 2, 0, '', '', 1000, 2000, 3000)`)...)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	j := open(t, path)
	defer j.Close()
	got, err := j.Get(t.Context(), was.ID)
	if err != nil || got.State != store.Irreversible || !got.FinalAt.IsZero() || got.InBlock.IsZero() {
		t.Errorf("%+v, %v", got, err)
	}
}
