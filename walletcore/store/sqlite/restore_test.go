package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// folderOf reads every file of a folder, and of those in it, but for what SQLite makes again.
func folderOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		files[path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// copyOf copies a closed journal elsewhere.
func copyOf(t *testing.T, path string) string {
	t.Helper()
	to := filepath.Join(ramdisk.Folder(t), "backup.db")
	copyFile(t, path, to)
	return to
}

// restored checks that the journal at path is the owner's, with n payments.
func restored(t *testing.T, path, id string, n int) {
	t.Helper()
	j := open(t, path)
	defer j.Close()
	if err := j.Check(t.Context(), id); err != nil {
		t.Error(err)
	}
	if list, err := j.Latest(t.Context(), 100); err != nil || len(list) != n {
		t.Errorf("it has %d payments (%v), it should have %d", len(list), err, n)
	}
}

// A copy that is not the wallet's whole journal changes nothing, however often it is tried.
func TestAWrongCopyTakesNoPlace(t *testing.T) {
	var chain ledger.ChainID
	chain[0] = 7
	for name, c := range map[string]struct {
		make func(t *testing.T, path string) (from string)
		want string
	}{
		"no database": {func(t *testing.T, _ string) string {
			from := filepath.Join(ramdisk.Folder(t), "letter")
			if err := os.WriteFile(from, []byte(strings.Repeat("Dear diary ", 1000)), 0o600); err != nil {
				t.Fatal(err)
			}
			return from
		}, "is not a payment journal, or"},
		"nothing in it": {func(t *testing.T, _ string) string {
			from := filepath.Join(ramdisk.Folder(t), "empty")
			if err := os.WriteFile(from, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			return from
		}, "is not a payment journal, or"},
		"another database": {func(t *testing.T, _ string) string {
			from := filepath.Join(ramdisk.Folder(t), "other.db")
			db, err := database.Open(from, database.Durable, `CREATE TABLE diary (text TEXT)`)
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			return from
		}, "is not a payment journal, or"},
		"damaged": {func(t *testing.T, path string) string {
			from := copyOf(t, path)
			info, err := os.Stat(from)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(from, info.Size()-3*4096); err != nil {
				t.Fatal(err)
			}
			return from
		}, "damaged"},
		"missing":          {func(t *testing.T, path string) string { return path + ".gone" }, "cannot be read: "},
		"a folder":         {func(t *testing.T, path string) string { return filepath.Dir(path) }, "is not a file; name"},
		"itself":           {func(t *testing.T, path string) string { return path }, "is the journal in use; name"},
		"another wallet's": {func(t *testing.T, _ string) string { from, _ := claimed(t, 9); return from }, "name another one"},
		"an older one": {func(t *testing.T, path string) string {
			from := copyOf(t, path)
			goOn(t, path, 50, 3)
			return from
		}, "it has 6 of the 9 changes that were written; look for a later one"},
		"of another chain": {func(t *testing.T, path string) string {
			j := open(t, path)
			e := entry(70)
			e.Chain[0] = 8
			if err := errors.Join(j.Add(t.Context(), e), j.Close()); err != nil {
				t.Fatal(err)
			}
			return copyOf(t, path)
		}, "of another chain than this wallet's; name"},
	} {
		t.Run(name, func(t *testing.T) {
			path, id := claimed(t, 5)
			from := c.make(t, path)
			before := folderOf(t, filepath.Dir(path))
			for range 2 {
				_, err := Restore(t.Context(), path, from, Owner{ID: id, Chain: chain}, false)
				if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "restoring") ||
					strings.Contains(err.Error(), "\n") {
					t.Errorf("it is told as %v", err)
				}
			}
			after := folderOf(t, filepath.Dir(path))
			for file, raw := range before {
				if after[file] != raw {
					t.Errorf("%s was changed", file)
				}
			}
			if len(after) != len(before) {
				t.Errorf("there are %d files, there were %d", len(after), len(before))
			}
		})
	}
}

// What was there is never overwritten, also when a copy is put back twice in a second.
func TestACopyTakesThePlaceOfTheJournal(t *testing.T) {
	path, id := claimed(t, 5)
	from := copyOf(t, path)
	aside := map[string]bool{}
	for _, wrong := range []string{"first", "second", "third"} {
		if err := os.WriteFile(path, []byte(wrong), 0o600); err != nil {
			t.Fatal(err)
		}
		done, err := Restore(t.Context(), path, from, Owner{ID: id}, false)
		if err != nil || done.Lost != nil || aside[done.Aside] {
			t.Fatalf("%+v (%v)", done, err)
		}
		aside[done.Aside] = true
		if raw, err := os.ReadFile(filepath.Join(done.Aside, "payments.db")); err != nil || string(raw) != wrong {
			t.Errorf("put aside was %q (%v)", raw, err)
		}
		restored(t, path, id, 5)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if done, err := Restore(t.Context(), path, from, Owner{ID: id}, false); err != nil || done.Aside != "" {
		t.Errorf("%+v (%v)", done, err)
	}
	restored(t, path, id, 5)
}

// A program that was killed leaves its latest changes in the log beside the file.
func TestTheLogOfACopyIsTakenAlong(t *testing.T) {
	path, id := claimed(t, 2)
	j := open(t, path)
	for i := range 3 {
		if err := j.Add(t.Context(), entry(uint32(50+i))); err != nil {
			t.Fatal(err)
		}
	}
	from := copyOf(t, path)
	copyFile(t, path+"-wal", from+"-wal")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	before := folderOf(t, filepath.Dir(from))
	if _, err := Restore(t.Context(), path, from, Owner{ID: id}, false); err != nil {
		t.Fatal(err)
	}
	restored(t, path, id, 5)
	for file, raw := range folderOf(t, filepath.Dir(from)) {
		if before[file] != raw {
			t.Errorf("%s of the copy was changed", file)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(from + "-wal"); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), path, from, Owner{ID: id}, false); err == nil ||
		!strings.Contains(err.Error(), "(with its -wal file)") {
		t.Errorf("without its log it is told as %v", err)
	}
}

// An older copy is better than nothing, but not than the wallet's own journal.
func TestAnOlderCopyIsPutBackWhenItIsAskedFor(t *testing.T) {
	path, id := claimed(t, 5)
	from := copyOf(t, path)
	goOn(t, path, 50, 3)
	if _, err := Restore(t.Context(), path, from, Owner{ID: id}, true); err == nil ||
		!strings.Contains(err.Error(), "the journal in use is the wallet's own") {
		t.Errorf("it is told as %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	done, err := Restore(t.Context(), path, from, Owner{ID: id}, true)
	if lost, ok := errors.AsType[*store.LostError](done.Lost); err != nil || !ok || lost.Kind != store.Older {
		t.Errorf("%+v (%v)", done, err)
	}
}
