package store_test

import (
	"errors"
	"path/filepath"
	"testing"

	"billfold/internal/ramdisk"
	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// What not every database keeps is no request key in any of them.
func TestAKeyIsText(t *testing.T) {
	kept, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), sqlite.Name))
	if err != nil {
		t.Fatal(err)
	}
	defer kept.Close()
	for key, fits := range map[string]bool{"order 7": true, "Ω🙂": true, "a\x00b": false, "\xff": false, "cut \xe2\x82": false} {
		err := kept.Journal.Add(t.Context(), store.Entry{ID: ledger.TransactionID{byte(len(key))}, Key: key, State: store.Prepared})
		if (err == nil) != fits || !fits && !errors.Is(err, store.ErrBadKey) {
			t.Errorf("%q: %v", key, err)
		}
		_, err = kept.Journal.ByKey(t.Context(), key)
		if (err == nil) != fits || !fits && !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%q is found: %v", key, err)
		}
	}
}
