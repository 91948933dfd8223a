package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
)

// The connections of package database keep their statements: a text may be asked for while its rows are read, after its table
// changed, and beside any number of others.
func TestStatementsThatAreKept(t *testing.T) {
	db, err := Tables(filepath.Join(ramdisk.Folder(t), "kept.db"))
	must(t, err)
	defer func() { must(t, db.Close()) }()
	conn, err := db.Conn(t.Context())
	must(t, err)
	defer func() { must(t, conn.Close()) }()
	run := func(query string, args ...any) {
		t.Helper()
		_, err := conn.ExecContext(context.Background(), query, args...)
		must(t, err)
	}
	sum := func() (n int) {
		t.Helper()
		const text = `SELECT n FROM numbers WHERE n > ? ORDER BY n`
		outer, err := conn.QueryContext(t.Context(), text, 0)
		must(t, err)
		defer outer.Close()
		for outer.Next() {
			var above, one int
			must(t, outer.Scan(&above))
			inner, err := conn.QueryContext(t.Context(), text, above)
			must(t, err)
			for inner.Next() {
				must(t, inner.Scan(&one))
				n += one
			}
			must(t, inner.Err())
			must(t, inner.Close())
		}
		must(t, outer.Err())
		return n
	}
	run(`CREATE TABLE numbers (n INTEGER PRIMARY KEY)`)
	for n := range 4 {
		run(`INSERT INTO numbers VALUES (?)`, n)
	}
	if got := sum(); got != 2+3+3 {
		t.Errorf("1, 2 and 3, each with those above it, make %d", got)
	}
	if _, err := conn.ExecContext(t.Context(), `INSERT INTO numbers VALUES (?)`, 3); err == nil {
		t.Error("a number is there twice")
	}
	run(`ALTER TABLE numbers ADD COLUMN name TEXT`)
	for n := range 200 {
		run(fmt.Sprintf(`UPDATE numbers SET name = 'x%d' WHERE n = ?`, n), n)
	}
	run(`INSERT INTO numbers (n) VALUES (?)`, 4)
	if got := sum(); got != 2+3+3+4*3 {
		t.Errorf("with 4, they make %d", got)
	}
	var name string
	must(t, conn.QueryRowContext(t.Context(), `SELECT name FROM numbers WHERE n = ?`, 3).Scan(&name))
	if name != "x3" {
		t.Errorf("3 is called %q", name)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
