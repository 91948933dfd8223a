package authority

import (
	"math/rand/v2"
	"testing"

	"billfold/ledger"
)

// listed are accounts by id.
type listed map[ledger.AccountID]*ledger.Account

// Get implements Accounts.
func (l listed) Get(id ledger.AccountID) *ledger.Account { return l[id] }

// What a wallet says of approvals before they are given is what the ledger does with them.
func TestApprovalsAreJudgedAsTheLedgerDoes(t *testing.T) {
	var keys []ledger.PublicKey
	for i := range 4 {
		keys = append(keys, ledger.DeriveKey("a key", i).Public())
	}
	done := 0
	for seed := range uint64(20_000) {
		draw := rand.New(rand.NewPCG(seed, 0))
		all := listed{ledger.TempAccount: {ID: ledger.TempAccount}}
		for id := ledger.AccountID(3); id < 9; id++ {
			all[id] = &ledger.Account{ID: id, Active: drawn(draw, keys), Owner: drawn(draw, keys)}
		}
		need, given := Required{Active: some(draw, 2), Owner: some(draw, 3)}, Approvals{Active: some(draw, 3), Owner: some(draw, 4)}
		for _, key := range keys {
			if draw.IntN(3) == 0 {
				given.Keys = append(given.Keys, key)
			}
		}
		depth := draw.IntN(4)
		judge := ledger.ApprovalJudge{Lookup: all.Get, MaxDepth: depth, Given: ledger.Approvals{
			Active: given.Active, Owner: given.Owner, Keys: given.Keys}}
		is := judge.Judge(ledger.Needs{Active: need.Active, Owner: need.Owner})
		does := given.Suffice(Ledger{all, depth}, need)
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
	never, always := 0, 0
	for seed := range uint64(20_000) {
		draw := rand.New(rand.NewPCG(seed, 1))
		all := listed{ledger.TempAccount: {ID: ledger.TempAccount},
			ledger.ProxyToSelf: {ID: ledger.ProxyToSelf, Active: nobody, Owner: nobody}}
		for id := ledger.ProxyToSelf + 1; id < 9; id++ {
			all[id] = &ledger.Account{ID: id, Active: drawn(draw, keys), Owner: drawn(draw, keys)}
		}
		in, is := Ledger{all, 2}, all[8]
		active, owner := is.Active.Actors(all.Get), is.Owner.Actors(all.Get)
		if active.Nobody() && owner.Nobody() {
			if never++; VerifyActive(in, is.ID, keys) == nil {
				t.Fatalf("seed %d: somebody acts for %+v", seed, is)
			}
		}
		if VerifyActive(in, is.ID, nil) == nil {
			if always++; !active.Anybody() && !owner.Anybody() {
				t.Fatalf("seed %d: anybody acts for %+v", seed, is)
			}
		}
	}
	if never < 100 || always < 100 {
		t.Errorf("nobody acts for %d, anybody for %d", never, always)
	}
}
