package chain_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// A state that is rewound, or whose last changes are taken back after they were
// committed, finds what it found before, and not more.
func TestChangesAreTakenBack(t *testing.T) {
	key := ledger.DeriveKey("test", 0).Public()
	s := state.New(state.Origin{})
	first := s.Accounts.Add(ledger.Account{Name: "first"})
	s.Balances.Adjust(first, 0, 10)
	s.Commit()
	change := func() {
		s.Accounts.Add(ledger.Account{Name: "second", Active: ledger.SingleKeyAuthority(key)})
		s.Accounts.Change(first, func(a *ledger.Account) { a.Active = ledger.SingleKeyAuthority(key) })
		s.Balances.Adjust(first, 0, -4)
		s.Blocks.Append(&ledger.Block{})
		s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.NextAvailableVoteID++ })
		if got := s.Accounts.OfKey(key); !slices.Equal(got, []ledger.AccountID{first, first + 1}) {
			t.Errorf("the key is named by %v", got)
		}
	}
	check := func(how string) {
		t.Helper()
		if got := s.Accounts.Names("", 9); !slices.Equal(got, []string{"first"}) || s.Accounts.ByName("second") != nil {
			t.Errorf("%s: the names are %v", how, got)
		}
		if got := s.Accounts.OfKey(key); len(got) != 0 || s.Balances.Of(first, 0) != 10 || s.Blocks.Get(1) != nil {
			t.Errorf("%s: the key is named by %v, the balance is %d", how, got, s.Balances.Of(first, 0))
		}
		if s.Global().NextAvailableVoteID != 0 {
			t.Errorf("%s: the next vote id is %d", how, s.Global().NextAvailableVoteID)
		}
	}
	mark := s.Mark()
	change()
	s.Rewind(mark)
	check("rewound")
	change()
	s.Undo(s.Commit())
	check("taken back")
}

// What a reader holds does not change any more.
func TestObjectsHandedOutStayAsTheyAre(t *testing.T) {
	s := state.New(state.Origin{})
	for _, name := range []string{"bbb", "ddd"} {
		s.Accounts.Add(ledger.Account{Name: name})
	}
	account, names := s.Accounts.ByName("bbb"), s.Accounts.Names("", 9)
	s.Accounts.Change(account.ID, func(a *ledger.Account) { a.Registrar = 7 })
	s.Accounts.Add(ledger.Account{Name: "ccc"})
	if account.Registrar != 0 || !slices.Equal(names, []string{"bbb", "ddd"}) {
		t.Errorf("the account is %+v, the names are %v", account, names)
	}
}

// Another account takes no more memory because there are many.
func TestAccountsDoNotCopyTheirNames(t *testing.T) { // not in parallel: the allocations of all are counted
	added := func(accounts int) uint64 {
		s := state.New(state.Origin{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range accounts {
			s.Accounts.Add(ledger.Account{Name: fmt.Sprintf("customer-%06d", i)})
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / uint64(accounts)
	}
	if few, many := added(200), added(5000); many > 3*few {
		t.Errorf("an account takes %d bytes among 200 and %d among 5,000", few, many)
	}
}
