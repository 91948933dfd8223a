package store_test

import (
	"encoding/binary"
	"path/filepath"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestContract holds every kind of store to the same behaviour. Where programs share a store, each opens it by
// its number, in its own folder.
func TestContract(t *testing.T) {
	t.Parallel()
	for kind, begin := range kinds() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			empty := begin(t)
			for _, b := range behaviours() {
				t.Run(b.name, func(t *testing.T) {
					p := empty(t)
					t.Parallel()
					b.holds(t, p)
				})
			}
		})
	}
}

type behaviour struct {
	name  string
	holds func(*testing.T, place)
}

func behaviours() (all []behaviour) {
	for _, family := range [][]behaviour{payments(), payouts(), races(), others(), pins()} {
		all = append(all, family...)
	}
	return all
}

// place is an empty store.
type place struct {
	// open opens it as a program, until the test ends or it is closed.
	open func(t testing.TB, program int) *store.Store

	// owned says that a payment is changed by the program that made it alone.
	owned bool

	// deadlocks counts, once all programs have closed it, how often some waited for each other; nil where none can.
	deadlocks func(testing.TB) string
}

// file is the SQLite file, which all programs have in one folder.
func file(*testing.T) func(*testing.T) place {
	return func(t *testing.T) place {
		path := filepath.Join(ramdisk.Folder(t), "payments.db")
		return place{open: func(t testing.TB, _ int) *store.Store {
			t.Helper()
			s, err := sqlite.Open(path)
			must(t, err)
			t.Cleanup(func() { _ = s.Close() })
			return s
		}}
	}
}

var chain = ledger.ChainID{1}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func entry(n uint32) store.Entry {
	e := store.Entry{
		State: store.Prepared, Bytes: []byte{1, 2, byte(n)}, Expiration: 1_800_000_000, RefBlock: 24,
		Prepared: time.UnixMilli(1_800_000_000_000 + int64(n)).UTC(),
	}
	binary.BigEndian.PutUint32(e.ID[:], n)
	return e
}
