package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/database"
	"billfold/walletcore/store"
	"billfold/walletcore/store/commits"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// book is a file as its users see it, and as it is.
type book struct {
	*file
	*store.Journal
}

func open(t testing.TB, path string) *book {
	t.Helper()
	f, err := openFile(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return &book{f, store.New(f).Journal}
}

func entry(n uint32) store.Entry {
	e := store.Entry{
		State: store.Prepared, Bytes: []byte{1, 2, byte(n)}, Expiration: 1_800_000_000, RefBlock: 24,
		Prepared: time.UnixMilli(1_800_000_000_000 + int64(n)).UTC(),
	}
	binary.BigEndian.PutUint32(e.ID[:], n)
	return e
}

func TestAFileOfAnyNameIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments ?#%.db")
	j := open(t, path)
	if err := errors.Join(j.Add(t.Context(), entry(1)), j.Close()); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	if _, err := j.Get(t.Context(), entry(1).ID); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v (%v)", info.Mode(), err)
	}
}

func TestTheFileIsMadeWithTheFirstPayment(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	defer j.Close()
	if list, err := j.Latest(ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("an empty journal has %+v (%v)", list, err)
	}
	if _, err := j.Get(ctx, entry(1).ID); !errors.Is(err, store.ErrNotFound) {
		t.Error(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was made before there was a payment")
	}
	if err := j.Add(ctx, entry(1)); err != nil {
		t.Fatal(err)
	}
	if list, err := j.Latest(ctx, 10); err != nil || len(list) != 1 {
		t.Errorf("the first payment is not there: %+v (%v)", list, err)
	}
}

// After a fault of the file nothing of a commit may be there: each caller was
// told that it is not.
func TestAFaultFailsTheWholeCommit(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(ramdisk.Folder(t), "payments.db")
	before := open(t, path)
	if err := errors.Join(before.Add(ctx, entry(1)), before.Close()); err != nil {
		t.Fatal(err)
	}
	j := open(t, path) // whose writer sleeps, while this test writes in its place
	defer j.Close()
	fine := func(n uint32) *commits.Change {
		return commits.New([]store.Change{{Apply: func(tx store.Tx) (error, error) {
			_, err := tx.Exec(`INSERT INTO payments (id, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at, sent_at, in_block_at)
				SELECT ?, state, bytes, expiration, ref_block, block, trx_in_block, code, reason, prepared_at, sent_at, in_block_at FROM payments`,
				entry(n).ID.String())
			return nil, err
		}}})
	}
	broken := commits.New([]store.Change{{Apply: func(tx store.Tx) (error, error) {
		if _, err := tx.Exec(`ROLLBACK`); err != nil { // as SQLite does itself when the disk is full
			t.Error(err)
		}
		return nil, errors.New("disk full")
	}}})
	batch := []*commits.Change{fine(2), broken, fine(3)}
	j.writeBatch(batch)
	for i, c := range batch {
		if err := c.Await(ctx, nil); err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if err := j.Add(ctx, entry(4)); err != nil {
		t.Errorf("the journal does not recover: %v", err)
	}
	if list, err := j.Latest(ctx, 10); err != nil || len(list) != 2 || list[0].ID != entry(4).ID || list[1].ID != entry(1).ID {
		t.Errorf("there are %+v (%v)", list, err)
	}
}

// A caller who leaves is told the truth: it is written, it is not, or that is not known
// yet.
func TestACallerWhoLeavesDoesNotTakeThePaymentBack(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	defer j.Close()
	if err := j.Add(t.Context(), entry(100)); err != nil {
		t.Fatal(err)
	}
	for n := range uint32(50) {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		err := j.Add(ctx, entry(n+1))
		if left, ok := errors.AsType[*store.PendingError](err); ok {
			err = left.Outcome()
		}
		if _, missing := j.Get(t.Context(), entry(n+1).ID); (err == nil) != (missing == nil) {
			t.Errorf("add said %v, get says %v", err, missing)
		}
		cancel()
	}
	other, err := database.Open(path, database.Durable)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	busy, err := other.Begin()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	left, ok := errors.AsType[*store.PendingError](j.Add(ctx, entry(200)))
	if !ok || !errors.Is(left, context.DeadlineExceeded) {
		t.Fatalf("while the disk is busy it is told as %v", left)
	}
	if err := busy.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := left.Outcome(); err != nil {
		t.Error(err)
	}
	if _, err := j.Get(t.Context(), entry(200).ID); err != nil {
		t.Error(err)
	}
}

func TestAFileOfVersion1IsUpgraded(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	e := entry(1)
	old := append([]string{`CREATE TABLE journal_version (version INTEGER NOT NULL)`}, store.Migrations()[0]...)
	old = append(old, `INSERT INTO journal_version (version) VALUES (1)`,
		`INSERT INTO payments VALUES ('`+e.ID.String()+`', 'k', 'sent', '0102', 5, 6, 0, 0, '', '', 7, 8, 0)`)
	for _, statement := range old {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time there is nothing to do
		j := open(t, path)
		if got, err := j.ByKey(t.Context(), "k"); err != nil || got.ID != e.ID || got.Chain != (ledger.ChainID{}) || got.Request != "" ||
			!got.Proven ||
			got.State != store.Sent {
			t.Errorf("it is %+v (%v)", got, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFileOfANewerVersionIsRefused(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.db.Load().Exec(`UPDATE journal_version SET version = version + 1`); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil || !strings.Contains(err.Error(), "newer version") {
		t.Errorf("opened: %v", err)
	}
}

func TestAFileThatIsNoJournalIsRefusedAndLeftAlone(t *testing.T) {
	path := filepath.Join(ramdisk.Folder(t), "payments.db")
	garbage := []byte(strings.Repeat("this is no database ", 100))
	if err := os.WriteFile(path, garbage, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err == nil {
		t.Error("garbage was opened")
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(garbage) {
		t.Error("the file was changed")
	}
}

func TestAClosedJournalSaysSo(t *testing.T) {
	j := open(t, filepath.Join(ramdisk.Folder(t), "payments.db"))
	for range 2 {
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Add(context.Background(), entry(1)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("added: %v", err)
	}
}

// Many callers share one fsync.
func BenchmarkAdd(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(map[int]string{1: "callers=1", 64: "callers=64"}[callers], func(b *testing.B) {
			j := open(b, filepath.Join(b.TempDir(), "payments.db"))
			defer j.Close()
			next := make(chan uint32)
			go func() {
				for n := range b.N {
					next <- uint32(n + 1)
				}
				close(next)
			}()
			b.ResetTimer()
			var wg sync.WaitGroup
			for range callers {
				wg.Go(func() {
					for n := range next {
						if err := j.Add(context.Background(), entry(n)); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "payments/s")
		})
	}
}
