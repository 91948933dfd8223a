package postgres

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// Whatever a store in a file has goes into a shared one: a table that is added there must be named here.
func TestEveryTableOfAFileIsTransferred(t *testing.T) {
	path := filepath.Join(t.TempDir(), sqlite.Name)
	kept, err := sqlite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Journal.Renew(t.Context()); err != nil { // makes the file
		t.Fatal(err)
	}
	if err := kept.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(path, database.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	// What a store is and how it came to be is its own.
	var schema strings.Builder
	for _, step := range migrations() {
		schema.WriteString(strings.Join(step, "\n"))
	}
	own := []string{"archives", "journal_commits", "journal_hold", "journal_identity", "journal_log", "journal_moved", "signer_keys", store.VersionTable,
		"taken_over"}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(own, name) {
			continue
		}
		if !slices.ContainsFunc(tables(), func(one table) bool { return one.name == name }) {
			t.Errorf("%s stays behind: name it in tables", name)
		}
		if !strings.Contains(schema.String(), "CREATE TABLE "+name+" ") {
			t.Errorf("%s has no place in a shared store: create it in migrations", name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
}
