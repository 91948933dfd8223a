package sqlite

import (
	"errors"
	"os"
	"testing"

	"billfold/walletcore/database"
	"billfold/walletcore/store"
)

// A file that is not what the next run will find takes no payment any more.
func TestAJournalThatWasTakenAwayTakesNothing(t *testing.T) {
	remove := func(t *testing.T, paths ...string) {
		for _, p := range paths {
			if err := os.Remove(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, harm := range map[string]func(t *testing.T, path, older string){
		"removed":         func(t *testing.T, path, _ string) { remove(t, path) },
		"its log removed": func(t *testing.T, path, _ string) { remove(t, path+"-wal") },
		"written over": func(t *testing.T, path, older string) {
			copyFile(t, older, path)
			remove(t, path+"-wal", path+"-shm")
		},
		"written over, with its log left": func(t *testing.T, path, older string) { copyFile(t, older, path) },
		"written over by another wallet's": func(t *testing.T, path, _ string) {
			other, _ := claimed(t, 30)
			copyFile(t, other, path)
		},
		"written over by a text": func(t *testing.T, path, _ string) {
			if err := os.WriteFile(path, []byte("Dear diary"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"replaced": func(t *testing.T, path, older string) {
			remove(t, path)
			copyFile(t, older, path)
		},
	} {
		for when, before := range map[string]int{"before its first payment": 0, "after payments": 5} {
			if before == 0 && name == "its log removed" {
				continue // it was empty, and another is made
			}
			t.Run(name+" "+when, func(t *testing.T) {
				path, _ := claimed(t, 2)
				older := copyOf(t, path)
				goOn(t, path, 10, 3)
				j := open(t, path)
				defer j.Close()
				for i := range before {
					if err := j.Add(t.Context(), entry(uint32(20+i))); err != nil {
						t.Fatal(err)
					}
				}
				harm(t, path, older)
				for range 2 {
					if err := j.Add(t.Context(), entry(40)); !errors.Is(err, store.ErrReplaced) {
						t.Errorf("it is told as %v", err)
					}
				}
				if _, err := os.Stat(path); (err != nil) != (name == "removed") {
					t.Errorf("there is a file: %v", err)
				}
			})
		}
	}
}

// The log that another program brings into the file, or this one, does not make it another.
func TestALogThatIsBroughtInIsNoOtherFile(t *testing.T) {
	path, id := claimed(t, 2)
	j, other := open(t, path), open(t, path)
	defer j.Close()
	defer other.Close()
	for i := range 40 {
		if err := errors.Join(j.Add(t.Context(), entry(uint32(100+i))), other.Add(t.Context(), entry(uint32(200+i)))); err != nil {
			t.Fatal(err)
		}
		if i%10 == 3 {
			if _, err := other.db.Load().Exec(`PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
				t.Fatal(err)
			}
		}
		if i%10 == 7 {
			if _, err := j.db.Load().Exec(`PRAGMA wal_checkpoint(RESTART)`); err != nil {
				t.Fatal(err)
			}
		}
	}
	restored(t, path, id, 82)
}

// While somebody reads, however long, a part of the log stays out of the file, which cannot be read without it: that is no other file.
// One that is put in its place meanwhile is.
func TestAReaderDoesNotStopTheJournal(t *testing.T) {
	for name, replaced := range map[string]bool{"the file stays": false, "the file is written over": true} {
		t.Run(name, func(t *testing.T) {
			path, id := claimed(t, 2)
			older := copyOf(t, path)
			goOn(t, path, 10, 3)
			j := open(t, path)
			defer j.Close()
			n := uint32(100)
			add := func(count int) {
				t.Helper()
				for range count {
					if err := j.Add(t.Context(), entry(n)); err != nil {
						t.Fatal(err)
					}
					n++
				}
			}
			reader := tear(t, path, add)
			for range 5 { // each copies what it can
				add(3)
				other, err := connect(path)
				if err != nil {
					t.Fatal(err)
				}
				other.checkpoint()
				if err := other.close(); err != nil {
					t.Fatal(err)
				}
			}
			add(1)
			if replaced {
				late := open(t, path) // it has never seen the file whole
				defer late.Close()
				if err := late.Add(t.Context(), entry(n)); err != nil {
					t.Fatal(err)
				}
				n++
				stranger, _ := claimed(t, 30)
				copyFile(t, stranger, path)
				if err := late.Add(t.Context(), entry(n)); !errors.Is(err, store.ErrReplaced) {
					t.Errorf("another journal in its place is told as %v", err)
				}
				copyFile(t, older, path)
				if err := j.Add(t.Context(), entry(n)); !errors.Is(err, store.ErrReplaced) {
					t.Errorf("it is told as %v", err)
				}
				_ = reader.close()
				return
			}
			if err := reader.close(); err != nil {
				t.Fatal(err)
			}
			add(3)
			restored(t, path, id, int(n-100)+5)
		})
	}
}

// tear leaves a reader behind for whom a part of the log stays out of the file, so that it cannot be read without it.
func tear(t *testing.T, path string, add func(count int)) (reader *connection) {
	t.Helper()
	for range 400 {
		add(20)
		reader, err := connect(path)
		if err != nil {
			t.Fatal(err)
		}
		var n int
		if err := errors.Join(reader.run(`BEGIN DEFERRED`), reader.QueryRow(`SELECT COUNT(*) FROM payments`).Scan(&n)); err != nil {
			t.Fatal(err)
		}
		add(3)
		other, err := connect(path)
		if err != nil {
			t.Fatal(err)
		}
		other.checkpoint()
		_, _, err = markWithoutLog(path, store.Mark{})
		if closing := other.close(); closing != nil {
			t.Fatal(closing)
		}
		if database.Torn(err) {
			return reader
		}
		if err := reader.close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("the file was never torn")
	return nil
}
