package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, path string) *Journal {
	t.Helper()
	j, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func entry(n uint32) Entry {
	e := Entry{State: Prepared, Bytes: []byte{1, 2, byte(n)}, Expiration: 1_800_000_000, RefBlock: 24, Prepared: time.UnixMilli(1_800_000_000_000 + int64(n)).UTC()}
	binary.BigEndian.PutUint32(e.ID[:], n)
	return e
}

func TestEntriesComeBackAsTheyWere(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "payments ?#%.db")
	j := open(t, path)
	first, second := entry(1), entry(2)
	first.Key = "order 77"
	for _, e := range []Entry{first, second} {
		if err := j.Add(ctx, e); err != nil {
			t.Fatal(err)
		}
	}
	first.State, first.Block, first.TrxInBlock = InBlock, 30, 2
	first.Sent, first.InBlock = first.Prepared.Add(time.Second), first.Prepared.Add(3*time.Second)
	if err := j.Update(ctx, first); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	j = open(t, path)
	defer j.Close()
	if got, err := j.Get(ctx, first.ID); err != nil || !reflect.DeepEqual(got, first) {
		t.Errorf("got %+v (%v), want %+v", got, err, first)
	}
	if got, err := j.ByKey(ctx, "order 77"); err != nil || got.ID != first.ID {
		t.Errorf("by key: %+v (%v)", got, err)
	}
	if list, err := j.Latest(ctx, 10); err != nil || len(list) != 2 || list[0].ID != second.ID {
		t.Errorf("latest: %+v (%v)", list, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v (%v)", info.Mode(), err)
	}
}

func TestTheFileIsMadeWithTheFirstPayment(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "payments.db")
	j := open(t, path)
	defer j.Close()
	if list, err := j.Latest(ctx, 10); err != nil || len(list) != 0 {
		t.Errorf("an empty journal has %+v (%v)", list, err)
	}
	if _, err := j.Get(ctx, entry(1).ID); !errors.Is(err, ErrNotFound) {
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

func TestAKeyStandsForOnePayment(t *testing.T) {
	ctx := t.Context()
	j := open(t, filepath.Join(t.TempDir(), "payments.db"))
	defer j.Close()
	var wg sync.WaitGroup
	outcomes := make([]error, 32)
	for i := range outcomes {
		wg.Go(func() {
			e := entry(uint32(i + 1))
			e.Key = "the same"
			outcomes[i] = j.Add(ctx, e)
		})
	}
	wg.Wait()
	written := 0
	for _, err := range outcomes {
		if err == nil {
			written++
		} else if !errors.Is(err, ErrKeyTaken) {
			t.Error(err)
		}
	}
	if list, err := j.Latest(ctx, 100); err != nil || written != 1 || len(list) != 1 {
		t.Errorf("%d were written, %d are there (%v)", written, len(list), err)
	}
}

func TestAFinalStateIsFinal(t *testing.T) {
	ctx := t.Context()
	j := open(t, filepath.Join(t.TempDir(), "payments.db"))
	defer j.Close()
	for n, state := range []State{Irreversible, Rejected, Expired} {
		e := entry(uint32(n + 1))
		if err := j.Add(ctx, e); err != nil {
			t.Fatal(err)
		}
		e.State = state
		if err := j.Update(ctx, e); err != nil {
			t.Fatal(err)
		}
		e.State = Sent
		if err := j.Update(ctx, e); err == nil {
			t.Errorf("%s became sent", state)
		}
	}
	if list, err := j.Open(ctx); err != nil || len(list) != 0 {
		t.Errorf("still open: %+v (%v)", list, err)
	}
	if err := j.Update(ctx, entry(99)); !errors.Is(err, ErrNotFound) {
		t.Errorf("a payment that is not there was changed: %v", err)
	}
}

func TestAFileOfANewerVersionIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "payments.db")
	j := open(t, path)
	if err := j.Add(t.Context(), entry(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := j.db.Load().Exec(`UPDATE journal_version SET version = ?`, version+1); err != nil {
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
	path := filepath.Join(t.TempDir(), "payments.db")
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
	j := open(t, filepath.Join(t.TempDir(), "payments.db"))
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(context.Background(), entry(1)); !errors.Is(err, ErrClosed) {
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
