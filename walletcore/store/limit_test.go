package store_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"billfold/internal/ramdisk"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
)

// A ledger that comes back earlier, as a test network from a copy, leaves spends of a later time: what one token spent then makes no other
// token's day forgotten, whether spends are pruned with each sum or, as servers do, now and then.
func TestLaterSpendsOfAnotherTokenPruneNothing(t *testing.T) {
	t.Parallel()
	kept, err := sqlite.Open(filepath.Join(ramdisk.Folder(t), "payments.db"))
	must(t, err)
	defer kept.Close()
	over := errors.New("over")
	spend := func(token string, at time.Time) error {
		return kept.Limits.Reserve(t.Context(), nil,
			&store.Reservation{Spend: store.Spend{Token: token, Amount: 2}, Limit: 3, At: at, Over: over})
	}
	now := time.Now()
	must(t, spend("shop", now.Add(5*24*time.Hour)))
	must(t, spend("till", now))
	for range 3 {
		if err := spend("till", now); !errors.Is(err, over) {
			t.Fatalf("over its limit it is answered %v", err)
		}
		must(t, kept.Limits.Prune(t.Context()))
	}
	must(t, spend("till", now.Add(25*time.Hour)))
}
