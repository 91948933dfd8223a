package chain_test

import (
	"math/rand/v2"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/authority"
)

// listed are accounts by id.
type listed map[ledger.AccountID]*ledger.Account

// Get implements authority.Accounts.
func (l listed) Get(id ledger.AccountID) *ledger.Account { return l[id] }

// list makes the accounts from one id on; nobody needs to sign for them yet.
func list(from ledger.AccountID) listed {
	all := listed{}
	for id := from; id < 9; id++ {
		all[id] = &ledger.Account{ID: id}
	}
	return all
}

// What a wallet says of approvals before they are given is what the ledger does with them.
func TestApprovalsAreJudgedAsTheLedgerDoes(t *testing.T) {
	var keys []ledger.PublicKey
	for i := range 4 {
		keys = append(keys, ledger.DeriveKey("a key", i).Public())
	}
	done, all := 0, list(ledger.TempAccount)
	for seed := range uint64(20_000) {
		draw := rand.New(rand.NewPCG(seed, 0))
		for id := ledger.AccountID(3); id < 9; id++ {
			all[id].Active, all[id].Owner = drawn(draw, keys), drawn(draw, keys)
		}
		need := authority.Required{Active: some(draw, 2), Owner: some(draw, 3)}
		given := authority.Approvals{Active: some(draw, 3), Owner: some(draw, 4)}
		for _, key := range keys {
			if draw.IntN(3) == 0 {
				given.Keys = append(given.Keys, key)
			}
		}
		depth := draw.IntN(4)
		judge := ledger.ApprovalJudge{Lookup: all.Get, MaxDepth: depth, Given: ledger.Approvals{
			Active: given.Active, Owner: given.Owner, Keys: given.Keys}}
		is := judge.Judge(ledger.Needs{Active: need.Active, Owner: need.Owner})
		does := given.Suffice(authority.Ledger{Accounts: all, Depth: depth}, need)
		if does != (len(is.Open)+len(is.Spare) == 0) {
			t.Fatalf("seed %d: the ledger says %v, the wallet %+v", seed, does, is)
		}
		if does && len(need.Accounts()) > 0 {
			done++
		}
	}
	if done < 100 {
		t.Errorf("only %d of them are enough", done)
	}
}

// drawn is an authority of some keys and accounts.
func drawn(draw *rand.Rand, keys []ledger.PublicKey) (a ledger.Authority) {
	a.WeightThreshold = 1 + draw.Uint32N(3)
	for _, key := range keys {
		if draw.IntN(4) == 0 {
			a.KeyAuths = append(a.KeyAuths, ledger.KeyWeight{Key: key, Weight: 1})
		}
	}
	for _, id := range some(draw, 3) {
		a.AccountAuths = append(a.AccountAuths, ledger.AccountWeight{Account: id, Weight: 1})
	}
	return a
}

// some are one of so many accounts, in their order.
func some(draw *rand.Rand, of int) (ids []ledger.AccountID) {
	for id := ledger.TempAccount; id < 9; id++ {
		if draw.IntN(of) == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

// Where a wallet says that nobody can ever act, all keys there are do not suffice on the ledger; where none is needed there, it says
// that anybody can act.
func TestWhoActsNeverOrAlwaysIsJudgedAsTheLedgerDoes(t *testing.T) {
	var keys []ledger.PublicKey
	for i := range 3 {
		keys = append(keys, ledger.DeriveKey("a key", i).Public())
	}
	nobody := ledger.Authority{WeightThreshold: 1}
	never, always, all := 0, 0, list(ledger.TempAccount)
	all[ledger.ProxyToSelf].Active, all[ledger.ProxyToSelf].Owner = nobody, nobody
	for seed := range uint64(20_000) {
		draw := rand.New(rand.NewPCG(seed, 1))
		for id := ledger.ProxyToSelf + 1; id < 9; id++ {
			all[id].Active, all[id].Owner = drawn(draw, keys), drawn(draw, keys)
		}
		in, is := authority.Ledger{Accounts: all, Depth: 2}, all[8]
		active, owner := is.Active.Actors(all.Get), is.Owner.Actors(all.Get)
		if active.Nobody() && owner.Nobody() {
			if never++; authority.VerifyActive(in, is.ID, keys) == nil {
				t.Fatalf("seed %d: somebody acts for %+v", seed, is)
			}
		}
		if authority.VerifyActive(in, is.ID, nil) == nil {
			if always++; !active.Anybody() && !owner.Anybody() {
				t.Fatalf("seed %d: anybody acts for %+v", seed, is)
			}
		}
	}
	if never < 100 || always < 100 {
		t.Errorf("nobody acts for %d, anybody for %d", never, always)
	}
}
