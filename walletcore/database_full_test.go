package walletcore_test

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"billfold/walletcore/database"
)

func TestFullDiskIsReportedAsSuch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := database.Open(path, database.Durable, `CREATE TABLE t (x TEXT)`, `PRAGMA max_page_count = 2`)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(`PRAGMA max_page_count = 2`); err != nil {
		t.Fatal(err)
	}
	_, full := db.Exec(`INSERT INTO t VALUES (?)`, strings.Repeat("x", 1<<16))
	_, wrong := db.Exec(`INSERT INTO nothing VALUES (1)`)
	for _, c := range []struct {
		err  error
		full bool
	}{
		{full, true},
		{&fs.PathError{Op: "write", Path: path, Err: syscall.ENOSPC}, true},
		{wrong, false},
		{errors.New("something else"), false},
		{nil, false},
	} {
		got := database.Explain(path, database.Explain(path, c.err))
		said, is := errors.AsType[*database.FullError](got)
		if is != c.full || is && !strings.HasPrefix(said.Error(), "the disk that holds "+filepath.Dir(path)+" is full; free some space") ||
			!errors.Is(got, c.err) {
			t.Errorf("%v is told as %v", c.err, got)
		}
	}
}
