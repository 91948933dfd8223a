package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/walletcore/store"
)

// copyStore copies the file and its log as they are while they are used.
func copyStore(t *testing.T, path, to string) string {
	t.Helper()
	for _, end := range []string{"", "-wal"} {
		if err := copyTo(to+end, path+end); err != nil && !isMissing(err) {
			t.Fatal(err)
		}
	}
	return to
}

// A file with the log of another time is refused, and left as it is: what both are together lacks payments. All pairs of moments
// are tried, with a log that begins anew in between.
func TestAFileIsNotReadWithTheLogOfAnotherTime(t *testing.T) {
	folder := ramdisk.Folder(t)
	path := filepath.Join(folder, "payments.db")
	var at []string
	moment := func() { at = append(at, copyStore(t, path, filepath.Join(folder, fmt.Sprint("moment", len(at))))) }
	n, commits := uint32(0), int64(0)
	paid := map[int64]uint32{} // how many payments there were after each commit
	write := func(j *book, times int) {
		for range times {
			if n++; j.Add(t.Context(), entry(n)) != nil {
				t.Fatal("a payment was not written")
			}
			commits++
			paid[commits] = n
		}
	}
	rest := func(j *book) { // something is written that is no payment
		if _, err := store.New(j.file).Cursors.Advance(t.Context(), 1, store.Cursor{Block: uint32(commits)}); err != nil {
			t.Fatal(err)
		}
		commits++
		paid[commits] = n
	}
	j := open(t, path)
	write(j, 3)
	moment() // in the first log
	write(j, 3)
	moment() // later in it
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	write(j, 1)
	moment() // one commit in the second log
	write(j, 4)
	moment()
	if _, err := j.Reader().Exec(`PRAGMA wal_checkpoint(PASSIVE)`); err != nil {
		t.Fatal(err)
	}
	moment() // all of it is in the file
	rest(j)
	moment() // the third log
	rest(j)
	moment()
	write(j, 2)
	moment()
	defer j.Close()
	for a := range at {
		for b := range at {
			pair := filepath.Join(folder, fmt.Sprintf("pair-%d-%d.db", a, b))
			if err := copyTo(pair, at[a]); err != nil {
				t.Fatal(err)
			}
			if err := copyTo(pair+"-wal", at[b]+"-wal"); err != nil {
				t.Fatal(err)
			}
			// What belongs together: a file and a log of one time, or of times between which the file did not change.
			same := contents(t, at[a]) == contents(t, at[b])
			f, err := openFile(pair, Options{})
			if err == nil {
				err = f.Close()
			}
			if a == b || same {
				if err != nil {
					t.Errorf("the file and the log of moment %d, %d: %v", a, b, err)
				}
				continue
			}
			if errors.Is(err, errOtherLog) {
				continue
			}
			if commit, have := holds(t, pair); uint32(len(have)) != paid[commit] { //nolint:gosec // a few
				t.Errorf("the file of moment %d with the log of %d is at change %d and has payments %v of %d: %v",
					a, b, commit, have, paid[commit], err)
			}
		}
	}
}

// holds returns how far a file has come and which payments it has, looked up by their ids.
func holds(t *testing.T, path string) (commit int64, list []uint32) {
	t.Helper()
	f, err := openFile(path, Options{})
	if err != nil {
		return 0, nil
	}
	defer f.Close()
	at, err := f.Position(t.Context())
	for n := uint32(1); n < 30 && err == nil; n++ {
		var one int
		err = f.db.Load().QueryRow(`SELECT COUNT(*) FROM payments WHERE id = ?`, entry(n).ID.String()).Scan(&one)
		if one > 0 {
			list = append(list, n)
		}
	}
	return at.Commit, list
}

func contents(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
