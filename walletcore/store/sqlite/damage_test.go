package sqlite

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"billfold/walletcore/store"
)

// A file that is not whole is named, with what to do about it, and stays as it is.
func TestADamagedJournalIsToldAndKept(t *testing.T) {
	for name, harm := range map[string]func(whole []byte) []byte{
		"cut off": func(whole []byte) []byte { return whole[:len(whole)/3] },
		"a text":  func([]byte) []byte { return bytes.Repeat([]byte("Dear diary. "), 1000) },
	} {
		t.Run(name, func(t *testing.T) {
			path, _ := claimed(t, 5)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			harmed := harm(whole)
			if err := os.WriteFile(path, harmed, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = Open(path)
			told(t, err, path)
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, harmed) {
				t.Errorf("it is another file now (%v)", err)
			}
		})
	}
}

// So is one of which only pages are damaged, by whoever reads them.
func TestADamagedPageIsTold(t *testing.T) {
	path, _ := claimed(t, 5)
	damagePage(t, path)
	s := store.New(open(t, path))
	defer s.Close()
	told(t, s.Audit.Records(t.Context(), func(store.AuditRecord) error { return nil }), path)
	told(t, s.Audit.Write(t.Context(), s.Audit.Append(func(store.Tx, store.AuditRecord) (store.AuditRecord, error) {
		return store.AuditRecord{Number: 1}, nil
	}, nil)), path)
}

// damagePage overwrites the page at which the audit log begins.
func damagePage(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	j := open(t, path)
	var page, size int
	err = errors.Join(j.db.Load().QueryRow(`SELECT rootpage FROM sqlite_master WHERE name = 'audit'`).Scan(&page),
		j.db.Load().QueryRow(`PRAGMA page_size`).Scan(&size), j.Close())
	if err != nil {
		t.Fatal(err)
	}
	copy(raw[(page-1)*size:], bytes.Repeat([]byte{0xff}, size))
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A damaged journal that still has its last change does not keep a copy from its place, which may be an older one.
func TestADamagedJournalGivesWayToACopy(t *testing.T) {
	path, id := claimed(t, 5)
	from := copyOf(t, path)
	goOn(t, path, 50, 1)
	damagePage(t, path)
	if _, err := Restore(t.Context(), path, from, Owner{ID: id}, false); err == nil {
		t.Error("an older copy is restored that nobody asked for")
	}
	done, err := Restore(t.Context(), path, from, Owner{ID: id}, true)
	if err != nil || done.Aside == "" || done.Lost == nil {
		t.Errorf("the older copy is answered %+v (%v)", done, err)
	}
}

// told checks that err says what is damaged and what to do.
func told(t *testing.T, err error, path string) {
	t.Helper()
	if !isDamaged(err) || strings.Count(err.Error(), path) != 1 || !strings.Contains(err.Error(), "billfold journal restore FILE") ||
		!strings.Contains(err.Error(), "billfold journal accept --from-block N") {
		t.Errorf("it is told as %v", err)
	}
}
