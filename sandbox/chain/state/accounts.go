package state

import (
	"cmp"
	"iter"
	"slices"

	"billfold/ledger"
)

// Statistics is the object 2.5.N of account 1.2.N.
type Statistics struct {
	ID                ledger.AccountStatisticsID `json:"id"`
	Owner             ledger.AccountID           `json:"owner"`
	VotingStake       int64                      `json:"voting_stake"`
	Votes             []ledger.VoteID            `json:"votes"`
	MostRecentOp      ledger.ObjectID            `json:"most_recent_op"` // 2.8.N
	TotalOps          uint32                     `json:"total_ops"`
	TotalCoreInOrders int64                      `json:"total_core_in_orders"`
	PendingFees       int64                      `json:"pending_fees"`
	PendingVestedFees int64                      `json:"pending_vested_fees"`
}

const typeAccountHistory = 8

func accountHistoryID(n uint64) ledger.ObjectID {
	return ledger.NewObjectID(2, typeAccountHistory, n)
}

// Accounts are the objects 1.2.N with their statistics.
type Accounts struct {
	rows       table[ledger.AccountID, ledger.Account]
	statistics table[ledger.AccountStatisticsID, Statistics]
	byName     index[string, ledger.AccountID]
	names      names
	byKey      lists[ledger.PublicKey, ledger.AccountID]
	byMember   lists[ledger.AccountID, ledger.AccountID]
}

func newAccounts(j *journal) Accounts {
	a := Accounts{
		byName: newIndex[string, ledger.AccountID](j), byKey: newLists[ledger.PublicKey, ledger.AccountID](j),
		byMember: newLists[ledger.AccountID, ledger.AccountID](j),
	}
	a.rows.j, a.statistics.j, a.names.j = j, j, j
	return a
}

// Get returns 1.2.N, or nil.
func (a *Accounts) Get(id ledger.AccountID) *ledger.Account { return a.rows.Get(id) }

// ByName returns the account with that exact name, or nil.
func (a *Accounts) ByName(name string) *ledger.Account {
	if id, ok := a.byName.find(name); ok {
		return a.Get(id)
	}
	return nil
}

// Find returns the account with that name or id, or nil.
func (a *Accounts) Find(ref string) *ledger.Account {
	if id, err := ledger.ParseAccountID(ref); err == nil {
		return a.Get(id)
	}
	return a.ByName(ref)
}

// Count returns the number of accounts, special ones included.
func (a *Accounts) Count() uint64 { return a.rows.Count() }

// Names returns at most limit names in order, starting at lower.
func (a *Accounts) Names(lower string, limit int) []string { return a.names.from(lower, limit) }

// All yields the accounts by id.
func (a *Accounts) All() iter.Seq2[ledger.AccountID, *ledger.Account] { return a.rows.All() }

// PublishingManagers returns at most limit managers in the order of their names,
// starting at lower.
func (a *Accounts) PublishingManagers(lower string, limit int) []ledger.AccountID {
	list := []ledger.AccountID{}
	for _, name := range a.Names(lower, len(a.names.value)) {
		if row := a.ByName(name); row.RightsToPublish.IsPublishingManager && len(list) < limit {
			list = append(list, row.ID)
		}
	}
	return list
}

// Statistics returns 2.5.N, or nil.
func (a *Accounts) Statistics(id ledger.AccountStatisticsID) *Statistics { return a.statistics.Get(id) }

// OfKey returns the accounts that name key in an authority or as memo key, in order of ids.
func (a *Accounts) OfKey(key ledger.PublicKey) []ledger.AccountID {
	return slices.Clone(a.byKey.of(key))
}

// OfMember returns the accounts that name id in an authority, in order of ids.
func (a *Accounts) OfMember(id ledger.AccountID) []ledger.AccountID {
	return slices.Clone(a.byMember.of(id))
}

// Add inserts the account with its statistics under the next id.
func (a *Accounts) Add(account ledger.Account) ledger.AccountID {
	account.ID = a.rows.Next()
	account.Statistics = ledger.AccountStatisticsID(account.ID)
	a.rows.insert(&account)
	a.statistics.insert(&Statistics{ID: account.Statistics, Owner: account.ID, MostRecentOp: accountHistoryID(0)})
	a.byName.set(account.Name, account.ID)
	a.names.insert(account.Name)
	for _, key := range keysOf(&account) {
		a.byKey.add(key, account.ID)
	}
	for _, member := range membersOf(&account) {
		a.byMember.add(member, account.ID)
	}
	return account.ID
}

// Change changes an account, and updates the indexes by key and by member.
func (a *Accounts) Change(id ledger.AccountID, edit func(*ledger.Account)) {
	old := a.Get(id)
	a.rows.Change(id, edit)
	now := a.Get(id)
	updateLists(&a.byKey, id, keysOf(old), keysOf(now))
	updateLists(&a.byMember, id, membersOf(old), membersOf(now))
}

// ChangeStatistics changes 2.5.N.
func (a *Accounts) ChangeStatistics(id ledger.AccountStatisticsID, edit func(*Statistics)) {
	a.statistics.Change(id, edit)
}

// updateLists moves id from the lists of the old keys to those of the new ones,
// which stay in order of ids.
func updateLists[K comparable](in *lists[K, ledger.AccountID], id ledger.AccountID, old, now []K) {
	for _, key := range old {
		if !slices.Contains(now, key) {
			in.remove(key, id)
		}
	}
	for _, key := range now {
		if at, ok := slices.BinarySearch(in.of(key), id); !ok {
			in.set(key, slices.Insert(slices.Clone(in.of(key)), at, id))
		}
	}
}

// keysOf returns the keys that an account names, each once.
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

// membersOf returns the accounts in an account's authorities, each once.
func membersOf(a *ledger.Account) []ledger.AccountID {
	var members []ledger.AccountID
	for _, auth := range []*ledger.Authority{&a.Owner, &a.Active} {
		for _, m := range auth.AccountAuths {
			members = append(members, m.Account)
		}
	}
	slices.SortFunc(members, cmp.Compare)
	return slices.Compact(members)
}

// ByNames yields the accounts in the order of their names.
func (a *Accounts) ByNames() iter.Seq[*ledger.Account] {
	return func(yield func(*ledger.Account) bool) {
		for _, name := range a.names.value {
			if !yield(a.ByName(name)) {
				return
			}
		}
	}
}
