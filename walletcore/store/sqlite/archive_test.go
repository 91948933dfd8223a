package sqlite

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/internal/stories"
	"billfold/osfile"
	"billfold/walletcore/store"
	"billfold/walletcore/storetest"
)

// day is the n-th day of the time in which these stores were used.
func day(n int) time.Time { return time.Date(2026, 1, 1+n, 0, 0, 0, 0, time.UTC) }

// usedStore is a store with ten payments and twenty records a day, for so many days, and what was answered about each of them.
type usedStore struct {
	t        testing.TB
	path     string
	payments []store.Entry
	records  []store.AuditRecord
}

func newUsedStore(t testing.TB, path string, days int) *usedStore {
	t.Helper()
	u := &usedStore{t: t, path: path}
	f, kept := u.open()
	defer f.Close()
	for n := range days {
		for i := range 10 {
			e := entry(uint32(10*n + i + 1))
			e.Key, e.Bytes, e.Prepared = fmt.Sprint("order-", n, "-", i), []byte(strings.Repeat(fmt.Sprint("tx ", n, i, " "), 30)), day(n).Add(time.Duration(i)*time.Hour)
			must(t, kept.Journal.Add(t.Context(), e))
			e.State, e.Block, e.InBlock, e.FinalAt = store.Irreversible, uint32(1000+10*n+i), e.Prepared.Add(time.Second), e.Prepared.Add(time.Minute)
			switch i {
			case 7:
				e.State, e.Block, e.InBlock, e.FinalAt, e.Reason = store.Expired, 0, time.Time{}, time.Time{}, "it was in no block"
			case 8: // a block may still hold it
				e.State, e.Block, e.InBlock, e.FinalAt, e.Code = store.Rejected, 0, time.Time{}, time.Time{}, "refused"
			case 9:
				e.State, e.Block, e.InBlock, e.FinalAt = store.Unknown, 0, time.Time{}, time.Time{}
			}
			must(t, kept.Journal.Update(t.Context(), e))
			for range 2 {
				must(t, kept.Audit.Write(t.Context(), record(kept, e.Prepared)))
			}
		}
	}
	u.payments, u.records = u.all(kept)
	return u
}

func (u *usedStore) open() (*file, *store.Store) {
	u.t.Helper()
	f, err := openFile(u.path, Options{})
	must(u.t, err)
	return f, store.New(f)
}

// record returns the change that appends a record of that time.
func record(kept *store.Store, at time.Time) store.Change {
	return kept.Audit.Append(func(_ store.Tx, last store.AuditRecord) (store.AuditRecord, error) {
		text, err := json.Marshal(map[string]any{"number": last.Number + 1, "time": at, "previous": last.Hash, "what": strings.Repeat("1 DCT to bobby ", 20)})
		sum := sha256.Sum256(text)
		return store.AuditRecord{Number: last.Number + 1, Text: string(text), Hash: hex.EncodeToString(sum[:])}, err
	}, nil)
}

// all reads everything that can be archived.
func (u *usedStore) all(kept *store.Store) (payments []store.Entry, records []store.AuditRecord) {
	u.t.Helper()
	must(u.t, kept.Journal.All(u.t.Context(), func(e store.Entry) error { payments = append(payments, e); return nil }))
	must(u.t, kept.Audit.Records(u.t.Context(), func(r store.AuditRecord) error { records = append(records, r); return nil }))
	return payments, records
}

// isAsBefore checks that every question has the answer that it had, and that no request key and no id is new.
func (u *usedStore) isAsBefore(when string) {
	u.t.Helper()
	f, kept := u.open()
	defer f.Close()
	payments, records := u.all(kept)
	if !reflect.DeepEqual(payments, u.payments) || !reflect.DeepEqual(records, u.records) {
		u.t.Fatalf("%s, %d payments and %d records are read, of %d and %d", when, len(payments), len(records), len(u.payments), len(u.records))
	}
	for n, e := range u.payments {
		byKey, err := kept.Journal.ByKey(u.t.Context(), e.Key)
		byID, other := kept.Journal.Get(u.t.Context(), e.ID)
		if errors.Join(err, other) != nil || !reflect.DeepEqual(byKey, e) || !reflect.DeepEqual(byID, e) {
			u.t.Fatalf("%s, %s is answered by %+v, %v and %+v, %v", when, e.Key, byKey, err, byID, other)
		}
		again := entry(uint32(10_000 + n))
		again.Key = e.Key
		if err := kept.Journal.Add(u.t.Context(), again); !errors.Is(err, store.ErrKeyTaken) {
			u.t.Fatalf("%s, %s is paid again: %v", when, e.Key, err)
		}
		again = entry(0)
		again.ID = e.ID
		if err := kept.Journal.Add(u.t.Context(), again); !errors.Is(err, store.ErrIDTaken) {
			u.t.Fatalf("%s, %s is made again: %v", when, e.ID, err)
		}
	}
}

func (u *usedStore) archive(before time.Time) (store.Archive, error) {
	made, _, err := Archiver{Path: u.path, Before: before, Keep: 5, pause: 1}.Run(u.t.Context())
	return made, err
}

// counted returns how many payments in the store have their bytes there, and how many records it has.
func (u *usedStore) counted() (whole, records int) {
	u.t.Helper()
	f, _ := u.open()
	defer f.Close()
	must(u.t, f.Reader().QueryRow(`SELECT (SELECT COUNT(*) FROM payments WHERE bytes NOT LIKE '@%'), (SELECT COUNT(*) FROM audit)`).Scan(&whole, &records))
	return whole, records
}

func TestWhatWasArchivedIsAnsweredAsBefore(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 20)
	for _, step := range []struct {
		before, payments, records, whole, left int
	}{
		{0, 0, 0, 200, 400},    // nothing is older
		{5, 40, 100, 160, 300}, // of each day eight are final
		{5, 0, 0, 160, 300},    // and archived already
		{12, 56, 140, 104, 160},
		{30, 61, 159, 43, 1}, // the newest five payments and the last record stay
		{30, 0, 0, 43, 1},
	} {
		made, err := u.archive(day(step.before))
		must(t, err)
		whole, left := u.counted()
		if made.Payments != int64(step.payments) || made.Records != int64(step.records) || whole != step.whole || left != step.left {
			t.Errorf("before day %d %d payments and %d records are archived, %d and %d stay; want %+v", step.before, made.Payments, made.Records, whole, left, step)
		}
		if step.payments > 0 {
			info, err := os.Stat(filepath.Join(filepath.Dir(u.path), made.Name))
			if err != nil || info.Mode().Perm()&0o077 != 0 || info.Size() != made.Size || !ArchiveName.MatchString(made.Name) {
				t.Errorf("%s is %v, %v", made.Name, info, err)
			}
		}
		u.isAsBefore(fmt.Sprint("before day ", step.before))
	}
	// What is new goes on behind what was archived, and what may still change does.
	f, kept := u.open()
	e := u.payments[8]
	e.State, e.Block, e.InBlock, e.Code = store.InBlock, 2000, day(30), ""
	must(t, kept.Journal.Update(t.Context(), e))
	next := entry(20_000)
	next.Key = "next"
	must(t, kept.Journal.Add(t.Context(), next))
	must(t, kept.Audit.Write(t.Context(), record(kept, day(31))))
	u.payments, u.records = u.all(kept)
	if open, err := kept.Journal.Open(t.Context()); err != nil || len(open) != 41 || len(open[0].Bytes) == 0 {
		t.Errorf("%d payments are open, %v", len(open), err)
	}
	must(t, f.Close())
	_, err := u.archive(day(40))
	must(t, err)
	u.isAsBefore("at the end")
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(u.path), archiveWork+"*"))
	if len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}

// Pages that archived payments and records had are used again: a store that is archived again and again does not grow as one that is not.
func TestArchivingMakesRoom(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 60)
	pages := func() (used, free int) {
		f, _ := u.open()
		defer f.Close()
		must(t, f.Reader().QueryRow(`SELECT (SELECT page_count FROM pragma_page_count), (SELECT freelist_count FROM pragma_freelist_count)`).Scan(&used, &free))
		return used, free
	}
	all, none := pages()
	_, err := u.archive(day(59))
	must(t, err)
	used, free := pages()
	t.Logf("of %d pages, %d of them free, %d are free once all was archived, and the file has %d", all, none, free, used)
	if free < all/2 {
		t.Errorf("of %d pages %d become free", all, free)
	}
}

// Whatever statement of the store fails, nothing is lost, and the next archiving completes it.
func TestArchivingThatFailsIsCompleted(t *testing.T) {
	t.Parallel()
	archiveWithFaults(t, false)
}

// The same is so where everything after it fails, too.
func TestArchivingOnADiskThatIsGoneIsCompleted(t *testing.T) {
	stories.Long(t)
	t.Parallel()
	archiveWithFaults(t, true)
}

func archiveWithFaults(t *testing.T, rest bool) {
	model := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 1)
	for n := 1; ; n++ {
		folder := filepath.Join(ramdisk.Folder(t), "copy")
		must(t, os.CopyFS(folder, os.DirFS(filepath.Dir(model.path))))
		u := &usedStore{t, filepath.Join(folder, Name), model.payments, model.records}
		faults := new(storetest.Faults)
		faults.Arm(n, rest)
		_, _, err := Archiver{Path: u.path, Before: day(1), Keep: 3, between: faults.Between, pause: 1}.Run(t.Context())
		hit := faults.Disarm()
		if hit == "" {
			must(t, err)
			if n < 40 {
				t.Errorf("only %d statements failed", n-1)
			}
			return
		}
		when := fmt.Sprintf("without %q, which is told as %v", hit, err)
		u.isAsBefore(when)
		_, err = u.archive(day(1))
		must(t, err)
		if whole, records := u.counted(); whole > 5 || records != 1 {
			t.Fatalf("%s, %d payments and %d records stay", when, whole, records)
		}
		u.isAsBefore(when + ", again")
	}
}

// An archive that is away or altered is told as that, and no request key is new meanwhile.
func TestAnArchiveThatIsAwayIsToldAsThat(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 4)
	made, err := u.archive(day(3))
	must(t, err)
	path := filepath.Join(filepath.Dir(u.path), made.Name)
	whole, err := os.ReadFile(path)
	must(t, err)
	other := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 5)
	theirs, err := other.archive(day(2))
	must(t, err)
	others, err := os.ReadFile(filepath.Join(filepath.Dir(other.path), theirs.Name))
	must(t, err)
	for what, spoil := range map[string]func() error{
		"away": func() error { return os.Remove(path) }, "cut": func() error { return os.WriteFile(path, whole[:len(whole)/2], 0o600) },
		"that of another store": func() error { return os.WriteFile(path, others, 0o600) },
		"empty":                 func() error { return os.WriteFile(path, nil, 0o600) }, "another file": func() error { return os.WriteFile(path, []byte("Dear diary"), 0o600) },
	} {
		must(t, spoil())
		f, kept := u.open()
		_, err := kept.Journal.ByKey(t.Context(), "order-0-0")
		other := kept.Audit.Records(t.Context(), func(store.AuditRecord) error { return nil })
		if what == "that of another store" { // which has the same payments, and bytes prove themselves
			err = other
		}
		for _, err := range []error{err, other} {
			if away, is := errors.AsType[*store.ArchiveError](err); !is || away.Path != path {
				t.Errorf("%s it is told as %v", what, err)
			}
		}
		again := entry(9000)
		again.Key = "order-0-0"
		if err := kept.Journal.Add(t.Context(), again); !errors.Is(err, store.ErrKeyTaken) {
			t.Errorf("%s it is paid again: %v", what, err)
		}
		if _, err := kept.Journal.ByKey(t.Context(), "order-3-0"); err != nil {
			t.Errorf("%s what is in the store is told as %v", what, err)
		}
		must(t, f.Close())
		must(t, os.WriteFile(path, whole, 0o600))
	}
	u.isAsBefore("once it is back")
}

// An archive that was given up is done without: its payments are known by id, key and outcome, and the audit log has a gap there. If it comes
// back, it is read again.
func TestAnArchiveThatIsGivenUp(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 8)
	folder := filepath.Dir(u.path)
	if err := GiveUp(t.Context(), u.path, "payments-before-2026-01-03.db", nil); err == nil || err.Error() != "the store has no archives" {
		t.Errorf("a store without archives is told as %v", err)
	}
	first, err := u.archive(day(2))
	must(t, err)
	second, err := u.archive(day(4))
	must(t, err)
	path := filepath.Join(folder, second.Name)
	for name, want := range map[string]string{
		second.Name:                     "the archive " + second.Name + " is beside the store, as it was made; there is nothing to give up",
		"payments-before-2025-01-01.db": `the store has no archive "payments-before-2025-01-01.db"; its archives are ` + first.Name + ", " + second.Name,
	} {
		if err := GiveUp(t.Context(), u.path, name, nil); err == nil || err.Error() != want {
			t.Errorf("%s is told as %v", name, err)
		}
	}
	must(t, os.Rename(path, path+".away"))
	must(t, GiveUp(t.Context(), u.path, second.Name, func(kept *store.Store) store.Change { return record(kept, day(9)) }))
	if err := GiveUp(t.Context(), u.path, second.Name, nil); err == nil || !strings.HasSuffix(err.Error(), "was given up already") {
		t.Errorf("it is given up twice: %v", err)
	}
	if sums, err := ArchivesOf(t.Context(), u.path); err != nil || len(sums) != 1 {
		t.Errorf("a backup has to have %v, %v", sums, err)
	}
	_, err = u.archive(day(6))
	must(t, err)
	f, kept := u.open()
	defer f.Close()
	payments, records := u.all(kept)
	var gaps []store.AuditRecord
	records = slices.DeleteFunc(records, func(r store.AuditRecord) bool {
		if r.Lost != "" {
			gaps = append(gaps, r)
		}
		return r.Lost != ""
	})
	if want := []store.AuditRecord{{Number: second.Last, Lost: second.Name}}; !reflect.DeepEqual(gaps, want) || len(records) != len(u.records)-int(second.Records)+1 {
		t.Errorf("%d of %d records are read, and the gaps %v", len(records), len(u.records), gaps)
	}
	lost := 0
	for n, e := range payments {
		was := u.payments[n]
		if e.GivenUp != "" {
			lost++
			was.Bytes, was.GivenUp = nil, second.Name
		}
		if !reflect.DeepEqual(e, was) {
			t.Errorf("%+v is read, and was %+v", e, was)
		}
		again := entry(uint32(10_000 + n))
		again.Key = e.Key
		if err := kept.Journal.Add(t.Context(), again); !errors.Is(err, store.ErrKeyTaken) {
			t.Errorf("%s is paid again: %v", e.Key, err)
		}
	}
	if lost != int(second.Payments) {
		t.Errorf("of %d payments the bytes are not known, of %d that were lost", lost, second.Payments)
	}
	must(t, os.Rename(path+".away", path))
	payments, records = u.all(kept)
	if !reflect.DeepEqual(payments, u.payments) || len(records) != len(u.records)+1 {
		t.Errorf("once it is back, %d payments and %d records are read", len(payments), len(records))
	}
}

// An archive that is lost before all that it has was taken out of the store is given up as far as it was.
func TestAnArchiveIsGivenUpHalfWay(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 4)
	made, err := u.archive(day(3))
	must(t, err)
	archive := filepath.Join(filepath.Dir(u.path), made.Name)
	f, kept := u.open()
	for _, r := range u.records[20:made.Last] { // as if the last ones had not been taken out
		must(t, f.Write(t.Context(), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
			_, failure = tx.Exec(`INSERT INTO audit (number, entry, hash) VALUES (?, ?, ?)`, r.Number, r.Text, r.Hash)
			return nil, failure
		}}))
	}
	must(t, f.Write(t.Context(), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		_, failure = tx.Exec(`UPDATE archives SET done = 0`)
		return nil, failure
	}}))
	must(t, os.Remove(archive))
	if _, err := u.archive(day(3)); err == nil {
		t.Error("it is completed without its file")
	}
	must(t, GiveUp(t.Context(), u.path, made.Name, nil))
	for range 2 { // before and after the rest is archived
		_, records := u.all(kept)
		if len(records) != len(u.records)-20+1 || !reflect.DeepEqual(records[1:], u.records[20:]) || records[0] != (store.AuditRecord{Number: 20, Lost: made.Name}) {
			t.Errorf("%d records are read, first %+v", len(records), records[0])
		}
		_, err = u.archive(day(3))
		must(t, err)
	}
	must(t, f.Close())
}

// Whoever reads the audit log while more of it is archived reads each record once, in order.
func TestRecordsThatAreArchivedMeanwhile(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 6)
	_, err := u.archive(day(2))
	must(t, err)
	f, kept := u.open()
	defer f.Close()
	var read []store.AuditRecord
	must(t, kept.Audit.Records(t.Context(), func(r store.AuditRecord) error {
		read = append(read, r)
		if n := len(read); n == 1 || n == 45 { // while the first archive is read, and while the second one is
			_, err := u.archive(day(4 + n/40))
			return err
		}
		return nil
	}))
	if whole, _ := u.counted(); whole == 0 || !reflect.DeepEqual(read, u.records) {
		t.Errorf("%d of %d records are read", len(read), len(u.records))
	}
	broken := errors.New("enough")
	if err := kept.Audit.Records(t.Context(), func(store.AuditRecord) error { return broken }); !errors.Is(err, broken) {
		t.Errorf("a reader that has enough is told %v", err)
	}
}

// A copy numbers the rows of payments anew. It is answered as the store was, and is archived further, as often as it is copied.
func TestACopyOfAnArchivedStore(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 12)
	for n := range 4 {
		made, err := u.archive(day(3 * (n + 1)))
		must(t, err)
		if made.Payments == 0 || made.Records == 0 {
			t.Fatalf("%d payments and %d records are archived", made.Payments, made.Records)
		}
		u.isAsBefore(fmt.Sprint("after archive ", n+1))
		folder := ramdisk.Folder(t)
		copied := filepath.Join(folder, Name)
		_, err = Backup(t.Context(), u.path, copied)
		must(t, err)
		archives, err := filepath.Glob(filepath.Join(filepath.Dir(u.path), archivePrefix+"*"))
		must(t, err)
		for _, path := range archives {
			must(t, copyTo(filepath.Join(folder, filepath.Base(path)), path))
		}
		u.path = copied
		u.isAsBefore(fmt.Sprint("in copy ", n+1))
		f, kept := u.open()
		e := entry(uint32(30_000 + n))
		e.Key = fmt.Sprint("new ", n)
		must(t, kept.Journal.Add(t.Context(), e))
		u.payments, u.records = u.all(kept)
		must(t, f.Close())
	}
}

// Readers of archived payments use a connection of the store each, and wait for no second one: as many as there may be end.
func TestManyReadersOfAnArchive(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 6)
	f, kept := u.open()
	defer f.Close()
	_, err := u.archive(day(5))
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	begin, done := make(chan struct{}), make(chan error)
	const readers = 4 * maxConnections
	for range readers {
		go func() {
			<-begin
			list, err := kept.Journal.LatestOf(ctx, "order-", 1000)
			if err == nil && len(list) != len(u.payments) {
				err = fmt.Errorf("%d of %d are read", len(list), len(u.payments))
			}
			done <- err
		}()
	}
	close(begin)
	for range readers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Two programs do not archive at once, and a store that moved or whose log has a gap is not archived.
func TestArchivingIsRefused(t *testing.T) {
	t.Parallel()
	u := newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 3)
	refused := func(what, want string) {
		t.Helper()
		if _, err := u.archive(day(2)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s it ends with %v", what, err)
		}
	}
	release, err := osfile.LockFile(filepath.Join(filepath.Dir(u.path), archiveLock), 0)
	must(t, err)
	refused("beside another", "another billfold store archive is at work on this store; let it end, and run it again")
	release()
	f, _ := u.open()
	must(t, f.Write(t.Context(), store.Change{Apply: func(tx store.Tx) (refusal, failure error) {
		_, err := tx.Exec(`DELETE FROM audit WHERE number = 7`)
		return nil, err
	}}))
	must(t, f.Close())
	refused("with a gap in the log", "nothing was archived: the audit log lacks record 7; billfold audit verify says more")
	missing := Archiver{Path: u.path + "x", Before: day(2)}
	if _, _, err := missing.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "there is no payment journal") {
		t.Errorf("without a store it ends with %v", err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(u.path), archivePrefix+"*"))
	if len(left) > 0 {
		t.Errorf("%v are made", left)
	}
	u = newUsedStore(t, filepath.Join(ramdisk.Folder(t), Name), 1)
	made, err := u.archive(day(1))
	must(t, err)
	own, err := Seize(t.Context(), u.path)
	if err == nil {
		must(t, own.Close())
	}
	if err == nil || !strings.Contains(err.Error(), "a part of the store "+u.path+" is in "+made.Name+" beside it") {
		t.Errorf("it is moved into a database: %v", err)
	}
}
