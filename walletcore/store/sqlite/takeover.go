package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"billfold/osfile"
	"billfold/walletcore/database"
)

// takeover moves what earlier versions kept in separate files into the store beside them: once for each store, in one
// commit. Once that commit is on disk, a file that was taken over is renamed, and is not read again. A file that appears
// later under an old name is left alone.
type takeover struct {
	path  string            // the store
	after func(name string) // called after each step; nil outside of tests
}

// takenName is appended to the name of a file that was taken over.
const takenName = ".taken-over"

// oldFile is a file of an earlier version, with its tables and their columns.
type oldFile struct {
	name   string
	tables []oldTable
}

type oldTable struct{ name, columns string }

func oldFiles() []oldFile {
	return []oldFile{
		{"wallet.db", []oldTable{
			{"account_pins", "chain, account, name, source, seen_at"},
			{"asset_pins", "chain, asset, symbol, precision_digits, source, seen_at"},
			{"seen_accounts", "chain, account, memo_key, active, owner, seen_at"},
			{"anchors", "chain, block, anchor"},
			{"content_authors", "chain, content, author, source, seen_at"},
		}},
		{"rpc-audit.db", []oldTable{{"audit", "number, entry, hash"}}},
		{"rpc-spent.db", []oldTable{{"token_spent", "id, token, asset, amount, request_key, spent_at"}}},
		{"rpc-deposits.db", []oldTable{{"deposit_cursors", "account, block, trx, op, virtual"}}},
		{"drafts.db", []oldTable{{"saved_forms", "id, account, saved_at, sealed"}}},
	}
}

func (t takeover) oldPath(name string) string { return filepath.Join(filepath.Dir(t.path), name) }

// isPending reports whether there is any file of an earlier version.
func (t takeover) isPending() bool { return len(t.present()) > 0 }

// present returns the files of earlier versions that exist.
func (t takeover) present() (list []oldFile) {
	for _, old := range oldFiles() {
		if info, err := os.Stat(t.oldPath(old.name)); err == nil && info.Mode().IsRegular() {
			list = append(list, old)
		}
	}
	return list
}

// run takes over the files of earlier versions, if that was not done yet, and renames them.
func (t takeover) run() error {
	present := t.present()
	if len(present) == 0 {
		return nil
	}
	c, err := connect(t.path)
	if err != nil {
		return err
	}
	done, err := t.done(c)
	if err == nil && !done {
		err = t.copyAll(c, present)
	}
	var takenOver []string
	if err == nil {
		takenOver, err = t.takenOver(c)
	}
	if err = errors.Join(err, c.close()); err != nil {
		return err
	}
	for _, name := range takenOver {
		t.putAside(name)
	}
	return nil
}

// done reports whether this store has taken over already, or was created when there was nothing to take over.
func (t takeover) done(c *connection) (bool, error) {
	var n int
	err := c.QueryRow(`SELECT COUNT(*) FROM taken_over`).Scan(&n)
	return n > 0, err
}

// copyAll copies the files into the store in one commit. Programs of earlier versions that have
// them open cannot write to them meanwhile.
func (t takeover) copyAll(c *connection, present []oldFile) error {
	for i, old := range present {
		if err := t.attach(c, old, i); err != nil {
			return fmt.Errorf("%s, which belongs in it, cannot be read: %w; put a whole copy of that file in its place, "+
				"or move it away if what is in it may be lost", t.oldPath(old.name), database.Explain(t.path, err))
		}
	}
	tx, err := c.begin()
	if err != nil {
		return err
	}
	err = t.copyTables(c, present)
	if err == nil {
		t.afterStep("copied")
		_, err = tx.numberCommit()
	}
	if err == nil {
		err = tx.commit()
	}
	if err != nil {
		tx.rollback()
		return err
	}
	t.afterStep("committed")
	for i := range present {
		if err := c.run(`DETACH DATABASE ` + schemaOf(i)); err != nil {
			return err
		}
	}
	t.afterStep("detached")
	return nil
}

// schemaOf returns the schema name of an attached file.
func schemaOf(i int) string { return fmt.Sprintf("old_%d", i) }

// attach attaches an old file, with its log, to the store's connection and checks that it is undamaged.
func (t takeover) attach(c *connection, old oldFile, i int) error {
	if _, err := c.Exec(`ATTACH DATABASE ? AS `+schemaOf(i), t.oldPath(old.name)); err != nil {
		return err
	}
	var whole string
	if err := c.QueryRow(`PRAGMA ` + schemaOf(i) + `.quick_check(1)`).Scan(&whole); err != nil {
		return err
	}
	if whole != "ok" {
		return errors.New("it is damaged")
	}
	return nil
}

func (t takeover) copyTables(c *connection, present []oldFile) error {
	if done, err := t.done(c); done || err != nil { // another program was faster
		return err
	}
	for i, old := range present {
		for _, table := range old.tables {
			if err := copyTable(c, schemaOf(i), table); err != nil {
				return fmt.Errorf("%s cannot be taken over: %w", t.oldPath(old.name), err)
			}
		}
	}
	return t.record(c, present)
}

// copyTable copies a table, unless the file is from before that table existed.
func copyTable(c *connection, from string, table oldTable) error {
	var n int
	err := c.QueryRow(`SELECT COUNT(*) FROM `+from+`.sqlite_master WHERE type = 'table' AND name = ?`, table.name).Scan(&n)
	if err != nil || n == 0 {
		return err
	}
	return c.run(`INSERT INTO main.` + table.name + ` (` + table.columns + `) SELECT ` + table.columns + ` FROM ` + from + `.` + table.name)
}

// record records that this store has taken over the files in present, and that there were no others.
func (t takeover) record(to interface {
	Exec(query string, args ...any) (sql.Result, error)
}, present []oldFile) error {
	for _, old := range oldFiles() {
		found := 0
		for _, there := range present {
			if there.name == old.name {
				found = 1
			}
		}
		if _, err := to.Exec(`INSERT INTO taken_over (name, found, taken_at) VALUES (?, ?, ?)`,
			old.name, found, time.Now().Unix()); err != nil {
			return err
		}
	}
	return nil
}

// takenOver reads the names of the files that were taken over.
func (t takeover) takenOver(c *connection) (names []string, err error) {
	for _, old := range oldFiles() {
		var found int
		err := c.QueryRow(`SELECT found FROM taken_over WHERE name = ?`, old.name).Scan(&found)
		if err != nil {
			return nil, err
		}
		if found != 0 {
			names = append(names, old.name)
		}
	}
	return names, nil
}

// putAside renames a file that was taken over, once. If it cannot be renamed now, the next start tries
// again; it is not read again in any case.
func (t takeover) putAside(name string) {
	path := t.oldPath(name)
	aside := path + takenName
	if _, err := os.Lstat(aside); err == nil {
		return // done before; this is another file
	}
	for _, end := range []string{"-wal", "-shm", ""} { // the file itself last: until then the next start finds it again
		if err := os.Rename(path+end, aside+end); err != nil && !isMissing(err) {
			return
		}
		t.afterStep("renamed " + name + end)
	}
	_ = osfile.SyncFolder(filepath.Dir(path))
}

func (t takeover) afterStep(what string) {
	if t.after != nil {
		t.after(what)
	}
}
