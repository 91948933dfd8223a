package history_test

import (
	"path/filepath"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/testwallet"
)

// In a wallet with very many accounts, those that a block touches are updated with it, and the others in turn.
func TestManyAccountsAreUpdatedInTurn(t *testing.T) {
	t.Parallel()
	s := openFixture(t, "alice", "bobby")
	testwallet.WatchMany(t, filepath.Join(filepath.Dir(s.path), "wallet.keys"), 400)
	s.reopen()
	s.block()
	s.catchUp() // alice and bobby are first in the list: their turn is over
	_, before, _ := s.History.MovedSince(0)
	s.push(3)
	s.block()
	s.catchUp()
	for _, id := range []ledger.AccountID{16, 17} {
		if at, err := s.index.Status(s.Ctx, id); err != nil || at.Top != 3 {
			t.Errorf("%s has %d rows, %v", id, at.Top, err)
		}
	}
	moved, _, ok := s.History.MovedSince(before)
	if slices.Sort(moved); !ok || !slices.Equal(moved, []ledger.AccountID{16, 17}) {
		t.Errorf("the accounts that changed are %v, %v", moved, ok)
	}
	for range 3 { // until the others have had their turn
		s.block()
		s.catchUp()
	}
	for id := ledger.AccountID(1_000_000); id < 1_000_400; id++ {
		if at, err := s.index.Status(s.Ctx, id); err != nil || !at.Known() {
			t.Fatalf("%s never had its turn: %v", id, err)
		}
	}
	rows, err := s.History.Latest(s.Ctx, "alice", 10)
	testwallet.Must(t, err)
	if len(rows) != 3 {
		t.Errorf("alice's history has %d rows", len(rows))
	}
}
