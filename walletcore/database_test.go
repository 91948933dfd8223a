package walletcore_test

import (
	"os"
	"path/filepath"
	"testing"

	"billfold/walletcore/database"
)

func TestDatabaseKeepsWhatWasWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a #1? 100%.db")
	const schema = `CREATE TABLE IF NOT EXISTS words (word TEXT NOT NULL)`
	db, err := database.Open(path, database.Durable, schema)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO words (word) VALUES ('kept')`); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if db, err = database.Open(path, database.Durable, schema); err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var word string
	if err := db.QueryRow(`SELECT word FROM words`).Scan(&word); err != nil || word != "kept" {
		t.Error(word, err)
	}
}

func TestReadOnlyConnectionCannotWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	write, err := database.Open(path, database.Relaxed, `CREATE TABLE words (word TEXT NOT NULL)`)
	if err != nil {
		t.Fatal(err)
	}
	defer write.Close()
	read, err := database.Open(path, database.ReadOnly)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	if _, err := read.Exec(`INSERT INTO words (word) VALUES ('x')`); err == nil {
		t.Error("it writes")
	}
}

func TestFileThatIsNoDatabaseIsNotUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, []byte("this is a letter, not a database, and long enough to be looked at"), 0o600); err != nil {
		t.Fatal(err)
	}
	if db, err := database.Open(path, database.Durable, `CREATE TABLE IF NOT EXISTS words (word TEXT NOT NULL)`); err == nil {
		t.Error("it was opened:", db)
	}
	if _, err := database.Open(filepath.Join(path, "none"), database.Durable); err == nil {
		t.Error("a file in a file was made")
	}
}
