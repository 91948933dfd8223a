package sqlite

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/storetest"
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

// While somebody reads, nothing is copied into the file, and it is as old as a backup of it. A backup has its pages in another order.
func TestABackupInPlaceOfTheFileIsNoticed(t *testing.T) {
	for name, fresh := range map[string]bool{"of one that was used before": false, "of one that was just made": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(ramdisk.Folder(t), Name)
			if !fresh {
				path, _ = claimed(t, 20)
			}
			j := open(t, path)
			defer j.Close()
			if _, err := j.Claim(t.Context(), store.NewID()); err != nil {
				t.Fatal(err)
			}
			for n := range uint32(20) {
				if err := j.Add(t.Context(), entry(50+n)); err != nil {
					t.Fatal(err)
				}
			}
			kept := filepath.Join(ramdisk.Folder(t), "bak.db")
			if _, err := Backup(t.Context(), path, kept); err != nil {
				t.Fatal(err)
			}
			reader := reads(t, path)
			for n := range uint32(50) {
				if err := j.Add(t.Context(), entry(100+n)); err != nil {
					t.Fatal(err)
				}
			}
			copyFile(t, kept, path)
			if err := j.Add(t.Context(), entry(200)); !errors.Is(err, store.ErrReplaced) {
				t.Errorf("it is told as %v", err)
			}
			_ = reader.close()
		})
	}
}

// A program that ends after its file was written over leaves its log where it is: brought into the other file, it would make a mixture
// in which payments are missing, and which nothing tells from a journal. It need not have paid since, nor have noticed.
func TestAProgramThatEndsBringsNoLogIntoAnotherFile(t *testing.T) {
	for name, c := range map[string]struct{ pays, notices bool }{
		"that has paid":                        {true, false},
		"that has noticed":                     {true, true},
		"that only read, after another's kill": {false, false},
	} {
		t.Run(name, func(t *testing.T) {
			path, id := claimed(t, 2)
			older := copyOf(t, path)
			goOn(t, path, 10, 5)
			if c.pays {
				j := open(t, path)
				for i := range 5 {
					if err := j.Add(t.Context(), entry(uint32(20+i))); err != nil {
						t.Fatal(err)
					}
				}
				copyFile(t, older, path)
				if c.notices {
					if err := j.Add(t.Context(), entry(40)); !errors.Is(err, store.ErrReplaced) {
						t.Errorf("it is told as %v", err)
					}
				}
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
			} else {
				killed := open(t, path)
				for i := range 5 {
					if err := killed.Add(t.Context(), entry(uint32(20+i))); err != nil {
						t.Fatal(err)
					}
				}
				left := copyStore(t, path, filepath.Join(ramdisk.Folder(t), "payments.db"))
				if err := killed.Close(); err != nil {
					t.Fatal(err)
				}
				path = left
				j := open(t, path)
				if _, err := j.Latest(t.Context(), 10); err != nil {
					t.Fatal(err)
				}
				copyFile(t, older, path)
				if err := j.Close(); err != nil {
					t.Fatal(err)
				}
			}
			if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
				t.Errorf("the log is gone: %v", err)
			}
			f, err := openFile(path, Options{})
			if err == nil {
				err = errors.Join(f.Check(t.Context(), id), f.Close())
				if _, lost := errors.AsType[*store.LostError](err); !lost {
					t.Errorf("the next start takes it for the wallet's own: %v", err)
				}
			}
		})
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
				copied(t, path)
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

// While somebody reads, pages that others overwrote since stay out of the file, and one that was used before has its earlier contents
// there: the file alone then seems to end with an earlier commit. That is no other file, for whoever uses it nor for a program that begins.
func TestAReaderDoesNotMakeTheFileOlder(t *testing.T) {
	path, id := claimed(t, 2)
	j := open(t, path)
	n := uint32(100)
	add := func() {
		t.Helper()
		if err := j.Add(t.Context(), entry(n)); err != nil {
			t.Fatalf("payment %d: %v", n, err)
		}
		n++
	}
	for range commitsKept / 2 {
		add()
	}
	if err := j.Close(); err != nil { // so that everything is in the file
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	add()
	copied(t, path)
	reader := reads(t, path)
	add()
	ageCommits(t, path)
	add()
	late := open(t, path)
	if err := errors.Join(late.Add(t.Context(), entry(n)), late.Close()); err != nil {
		t.Errorf("a program that begins now: %v", err)
	}
	n++
	copied(t, path)
	add()
	if err := reader.close(); err != nil {
		t.Fatal(err)
	}
	add()
	copied(t, path)
	add()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	restored(t, path, id, 100) // as many as it looks at
	f, err := openFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var have uint32
	if err := f.Reader().QueryRow(`SELECT COUNT(*) FROM payments`).Scan(&have); err != nil || have != n-100+2 {
		t.Errorf("it has %d payments, not %d: %v", have, n-100+2, err)
	}
}

// ageCommits puts into the last page of the numbers of commits, in the file alone, what the first one has.
func ageCommits(t *testing.T, path string) {
	t.Helper()
	db, err := database.OpenFrozen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var root, size int
	if err := db.QueryRow(`SELECT rootpage, (SELECT * FROM pragma_page_size) FROM sqlite_master WHERE name = 'journal_commits'`).Scan(&root, &size); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := func(number int) []byte { return raw[(number-1)*size : number*size] }
	const inner, header = 5, 12
	if page(root)[0] != inner {
		t.Fatal("the numbers fit one page")
	}
	last := int(binary.BigEndian.Uint32(page(root)[8:]))
	first := int(binary.BigEndian.Uint32(page(root)[binary.BigEndian.Uint16(page(root)[header:]):]))
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(page(first), int64(last-1)*int64(size))
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// reads returns a reader for whom everything that is written from now on stays out of the file.
func reads(t *testing.T, path string) (reader *connection) {
	t.Helper()
	reader, err := connect(path)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := errors.Join(reader.run(`BEGIN DEFERRED`), reader.QueryRow(`SELECT COUNT(*) FROM payments`).Scan(&n)); err != nil {
		t.Fatal(err)
	}
	return reader
}

// copied copies of the log what readers let be copied.
func copied(t *testing.T, path string) {
	t.Helper()
	other, err := connect(path)
	if err != nil {
		t.Fatal(err)
	}
	other.checkpoint()
	if err := other.close(); err != nil {
		t.Fatal(err)
	}
}

// tear leaves a reader behind for whom a part of the log stays out of the file, so that it cannot be read without it.
func tear(t *testing.T, path string, add func(count int)) (reader *connection) {
	t.Helper()
	for range 400 {
		add(20)
		reader := reads(t, path)
		add(3)
		copied(t, path)
		db, err := database.OpenFrozen(path)
		if err != nil {
			t.Fatal(err)
		}
		_, err = rawPosition(db)
		if err := db.Close(); err != nil {
			t.Fatal(err)
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

// Ready means that a payment could be read as well: it is looked for before it is written.
func TestAJournalThatCannotBeReadIsNotReady(t *testing.T) {
	path, _ := claimed(t, 2)
	faults := new(storetest.Faults)
	book, err := Options{Between: faults.Between}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	faults.ArmAt("SELECT id, request_key", 1, false)
	if err := book.Journal.Ready(t.Context()); !errors.Is(err, storetest.ErrFault) {
		t.Errorf("it is ready: %v", err)
	}
	if faults.Disarm() == "" {
		t.Error("no payment was looked for")
	}
}

// mixable leaves a journal with the copy older of its file from before its latest payments, which are all over its index of ids. The log of
// what is paid from then on does not have all pages of that.
func mixable(t *testing.T) (path, older string) {
	t.Helper()
	path, _ = claimed(t, 0)
	j := open(t, path)
	for n := range uint32(1500) {
		addTo(t, j, 100*n)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	older = copyOf(t, path)
	j = open(t, path)
	addTo(t, j, 10_050, 50_050, 90_050)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	return path, older
}

func addTo(t *testing.T, j *book, numbers ...uint32) {
	t.Helper()
	for _, n := range numbers {
		if err := j.Add(t.Context(), entry(n)); err != nil {
			t.Fatal(err)
		}
	}
}

// Another program that opens an older file beside the log of the newer one makes a mixture of them, in which payments are not found.
func TestAMixtureOfAnotherProgramIsRefused(t *testing.T) {
	path, older := mixable(t)
	j := open(t, path)
	addTo(t, j, 200_000, 200_001, 200_002)
	killed := copyStore(t, path, filepath.Join(ramdisk.Folder(t), Name))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	copyFile(t, older, killed)
	copied(t, killed)
	f, err := openFile(killed, Options{})
	if !isDamaged(err) {
		t.Errorf("it is opened: %v", err)
	}
	if err == nil {
		_ = f.Close()
	}
}

// So does one that copies the log into an older file which was put in place while the wallet runs. What is paid next is refused.
func TestAMixtureUnderARunningJournalIsRefused(t *testing.T) {
	path, older := mixable(t)
	j := open(t, path)
	addTo(t, j, 200_000, 200_001, 200_002)
	copyFile(t, older, path)
	copied(t, path)
	if err := j.Add(t.Context(), entry(200_003)); !errors.Is(err, store.ErrReplaced) {
		t.Errorf("a payment is answered %v", err)
	}
	_ = j.Close() // it may say the same
}
