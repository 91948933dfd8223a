package sqlite

import (
	"path/filepath"
	"testing"

	"billfold/walletcore/database"
)

// A store of the version before, which noted that nothing was to be taken over, becomes one of this version.
func TestAStoreOfTheVersionBeforeIsOpened(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := database.Open(path, database.Durable,
		`CREATE INDEX payments_by_state ON payments (state)`, `DROP TABLE contacts`, `DROP TABLE labels`, `DROP TABLE message_marks`,
		`DROP TABLE backup_checks`,
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
