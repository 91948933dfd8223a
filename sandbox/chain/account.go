package chain

import (
	"slices"

	"billfold/ledger"
)

// Account gives 1.2.N, or nil.
func (s *State) Account(id ledger.AccountID) *ledger.Account { return s.accounts.get(uint64(id)) }

// AccountByName gives the account of that exact name, or nil.
func (s *State) AccountByName(name string) *ledger.Account {
	if id, ok := s.byName[name]; ok {
		return s.Account(id)
	}
	return nil
}

// AccountCount is the number of accounts, special ones included.
func (s *State) AccountCount() uint64 { return s.accounts.next() }

// AccountNames gives at most limit names in order, beginning at lower.
func (s *State) AccountNames(lower string, limit int) []string {
	names := from(s.names, lower)
	return names[:min(limit, len(names))]
}

// Accounts calls yield for each account by id until it answers false.
func (s *State) Accounts(yield func(*ledger.Account) bool) {
	for _, a := range s.accounts.rows {
		if !yield(a) {
			return
		}
	}
}

// Statistics gives 2.5.N, or nil.
func (s *State) Statistics(id ledger.AccountStatisticsID) *Statistics {
	return s.statistics.get(uint64(id))
}

// AccountsOfKey gives the accounts that name key in an authority or as memo key, by id.
func (s *State) AccountsOfKey(key ledger.PublicKey) []ledger.AccountID {
	return slices.Clone(s.byKey[key])
}

// AccountsOfMember gives the accounts that have id in an authority, by id.
func (s *State) AccountsOfMember(id ledger.AccountID) []ledger.AccountID {
	return slices.Clone(s.byMember[id])
}

// addAccount inserts the account with its statistics under the next id.
func (s *State) addAccount(a ledger.Account) ledger.AccountID {
	n := s.accounts.next()
	a.ID, a.Statistics = ledger.AccountID(n), ledger.AccountStatisticsID(n)
	s.accounts.insert(&a)
	s.statistics.insert(&Statistics{
		ID: a.Statistics, Owner: a.ID, MostRecentOp: accountHistoryID(0),
	})
	setKey(&s.j, s.byName, a.Name, a.ID)
	insertSorted(&s.j, &s.names, a.Name)
	s.indexKeys(&a)
	return a.ID
}

// indexKeys notes a new account under each key and each member account once.
func (s *State) indexKeys(a *ledger.Account) {
	for _, key := range keysOf(a) {
		appendKey(&s.j, s.byKey, key, a.ID)
	}
	for _, member := range ascending(membersOf(&a.Owner, &a.Active)) {
		appendKey(&s.j, s.byMember, member, a.ID)
	}
}

// keysOf gives the keys that an account names, each once.
func keysOf(a *ledger.Account) []ledger.PublicKey {
	keys := []ledger.PublicKey{a.Options.MemoKey}
	for _, auth := range []*ledger.Authority{&a.Owner, &a.Active} {
		for _, k := range auth.KeyAuths {
			keys = append(keys, k.Key)
		}
	}
	slices.SortFunc(keys, ledger.ComparePublicKeys)
	return slices.Compact(keys)
}

// membersOf gives the accounts in the authorities.
func membersOf(auths ...*ledger.Authority) []ledger.AccountID {
	var members []ledger.AccountID
	for _, auth := range auths {
		for _, m := range auth.AccountAuths {
			members = append(members, m.Account)
		}
	}
	return members
}
