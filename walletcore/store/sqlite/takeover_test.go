//go:build unix

package sqlite

import (
	"database/sql"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// filesOfBefore writes a folder as an earlier version left it: a journal of version 5 with an
// identity and a mark, and the other files, one of them with its log and one of an earlier schema.
func filesOfBefore(t *testing.T) (folder string) {
	t.Helper()
	folder = ramdisk.Folder(t)
	make := func(name string, statements ...string) {
		db, err := database.Open(filepath.Join(folder, name), database.Durable, statements...)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	var schema []string
	for _, step := range store.Migrations()[:5] {
		schema = append(schema, step...)
	}
	id := entry(1).ID.String()
	make(Name, append(schema, `CREATE TABLE journal_version (version INTEGER NOT NULL)`, `INSERT INTO journal_version VALUES (5)`,
		`INSERT INTO journal_identity VALUES ('own-id')`, `INSERT INTO journal_commits VALUES (7, 'seven')`,
		`INSERT INTO payments VALUES ('`+id+`', 'order-1', 'sent', '0102', 5, 6, 0, 0, '', '', 7, 8, 0, '', '', 0, 9)`)...)
	mark := markFile{filepath.Join(folder, MarkName)}
	if err := mark.create(store.Mark{ID: "own-id", Commit: 7, Nonce: "seven"}); err != nil {
		t.Fatal(err)
	}
	tables := map[string]string{} // by name
	for _, statement := range store.Migrations()[5] {
		if name, ok := strings.CutPrefix(statement, "CREATE TABLE "); ok {
			tables[strings.Fields(name)[0]] = statement
		}
	}
	chain := ledger.ChainID{1}.String()
	make("wallet.db", tables["account_pins"], tables["asset_pins"], tables["seen_accounts"], // of its first version
		`INSERT INTO account_pins VALUES ('`+chain+`', 17, 'bobby', 'ws://a', 1000)`)
	make("rpc-audit.db", tables["audit"], `INSERT INTO audit VALUES (1, '{"number":1}', 'first'), (2, '{"number":2}', 'second')`)
	make("rpc-spent.db", `CREATE TABLE token_spent (id INTEGER PRIMARY KEY, token VARCHAR(16), asset VARCHAR(24), amount BIGINT, request_key VARCHAR(200), spent_at BIGINT)`,
		`INSERT INTO token_spent VALUES (3, 't', '1.3.0', 50, 'order-1', 2000000)`)
	make("rpc-deposits.db", tables["deposit_cursors"], `INSERT INTO deposit_cursors VALUES ('1.2.17', 9, 1, 2, 3)`)
	make("drafts.db", tables["saved_forms"], `INSERT INTO saved_forms VALUES (4, '1.2.16', 1000, 'sealed')`)
	return folder
}

// isTakenOver checks that a store has everything once, and is still the wallet's own.
func isTakenOver(t *testing.T, folder string) {
	t.Helper()
	f, err := openFile(filepath.Join(folder, Name), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Check(t.Context(), "own-id"); err != nil {
		t.Error("it is not the wallet's own any more:", err)
	}
	if e, err := store.New(f).Journal.ByKey(t.Context(), "order-1"); err != nil || e.ID != entry(1).ID || e.LastProven != 9 {
		t.Errorf("the payment is %+v (%v)", e, err)
	}
	for query, want := range map[string]string{
		`SELECT COUNT(*) || MAX(name || account || seen_at) FROM account_pins`:                         "1bobby171000",
		`SELECT COUNT(*) || MAX(number || hash) FROM audit`:                                            "22second",
		`SELECT COUNT(*) || MAX(id || token || amount || request_key || spent_at) FROM token_spent`:    "13t50order-12000000",
		`SELECT COUNT(*) || MAX(account || block || trx || op || virtual) FROM deposit_cursors`:        "11.2.179123",
		`SELECT COUNT(*) || MAX(id || account || saved_at || sealed) FROM saved_forms`:                 "141.2.161000sealed",
		`SELECT COUNT(*) || MIN(found) FROM taken_over`:                                                "51",
		`SELECT CAST((SELECT COUNT(*) FROM anchors) + (SELECT COUNT(*) FROM content_authors) AS TEXT)`: "0",
	} {
		var got sql.NullString
		if err := f.Reader().QueryRow(query).Scan(&got); err != nil || got.String != want {
			t.Errorf("%s: %q, want %q (%v)", query, got.String, want, err)
		}
	}
}

// takenOverIn names the variable that makes this test program take over the files in a folder, and
// takenOverUntil the step after which it kills itself.
const (
	takenOverIn    = "BILLFOLD_TEST_TAKE_OVER"
	takenOverUntil = "BILLFOLD_TEST_TAKE_OVER_UNTIL"
)

// TestTakeOverAndDie is the program that is killed.
func TestTakeOverAndDie(t *testing.T) {
	folder := os.Getenv(takenOverIn)
	if folder == "" {
		t.Skip("it is a part of another test")
	}
	path := filepath.Join(folder, Name)
	db, err := database.Open(path, database.Durable)
	if err != nil {
		t.Fatal(err)
	}
	step := takeover{path: path, after: func(did string) {
		if did == os.Getenv(takenOverUntil) {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}}
	if err := migrate(db, step); err != nil {
		t.Fatal(err)
	}
	step.afterStep("migrated")
	if err := step.run(); err != nil {
		t.Fatal(err)
	}
	t.Fatal("there is no such step")
}

// Whenever the program is killed, each file is taken over once, and renamed after that.
func TestFilesOfBeforeAreTakenOverOnce(t *testing.T) {
	steps := []string{"", "migrated", "copied", "committed", "detached", "renamed wallet.db", "renamed rpc-spent.db", "renamed drafts.db"}
	for _, step := range steps {
		t.Run("killed after "+step, func(t *testing.T) {
			t.Parallel()
			folder := filesOfBefore(t)
			if step != "" {
				program := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTakeOverAndDie$")
				program.Env = append(os.Environ(), takenOverIn+"="+folder, takenOverUntil+"="+step)
				out, err := program.CombinedOutput()
				if err == nil || program.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
					t.Fatalf("it was not killed: %s", out)
				}
			}
			isTakenOver(t, folder)
			for _, old := range oldFiles() {
				if _, err := os.Stat(filepath.Join(folder, old.name)); !os.IsNotExist(err) {
					t.Errorf("%s is still there (%v)", old.name, err)
				}
				if _, err := os.Stat(filepath.Join(folder, old.name+takenName)); err != nil {
					t.Errorf("%s was not kept: %v", old.name, err)
				}
			}
			copyBack(t, folder) // as from a backup: it is not taken twice
			isTakenOver(t, folder)
		})
	}
}

// copyBack puts the old files back in place, beside those that were kept.
func copyBack(t *testing.T, folder string) {
	t.Helper()
	for _, old := range oldFiles() {
		raw, err := os.ReadFile(filepath.Join(folder, old.name+takenName))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, old.name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A store that was begun without files of before takes none that appear later.
func TestAStoreTakesNothingThatAppearsLater(t *testing.T) {
	folder := ramdisk.Folder(t)
	j := open(t, filepath.Join(folder, Name))
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(filesOfBefore(t), "rpc-audit.db"))
	if err != nil {
		t.Fatal(err)
	}
	stranger := filepath.Join(folder, "rpc-audit.db")
	if err := os.WriteFile(stranger, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	j = open(t, filepath.Join(folder, Name))
	defer j.Close()
	var n int
	if err := j.Reader().QueryRow(`SELECT COUNT(*) FROM audit`).Scan(&n); err != nil || n != 0 {
		t.Errorf("it has %d records (%v)", n, err)
	}
	if _, err := os.Stat(stranger); err != nil {
		t.Error("it was not left alone:", err)
	}
}

// A damaged file of before stops the start before anything was taken over.
func TestADamagedFileOfBeforeStopsTheStart(t *testing.T) {
	folder := filesOfBefore(t)
	path := filepath.Join(folder, "drafts.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("this is no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openFile(filepath.Join(folder, Name), Options{}); err == nil ||
		!strings.Contains(err.Error(), path+", which belongs in it, cannot be read") {
		t.Fatalf("it is told as %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f, err := openFile(filepath.Join(folder, Name), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var n int
	if err := f.Reader().QueryRow(`SELECT COUNT(*) FROM audit`).Scan(&n); err != nil || n != 2 {
		t.Errorf("it has %d records (%v)", n, err)
	}
}
