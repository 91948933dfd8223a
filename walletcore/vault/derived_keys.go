package vault

import (
	"billfold/keystore"
	"billfold/ledger"
)

// mostDerived is how many keys of each step are tried: accounts made by the reference's wallet use the first ones
// (docs/protocol/wallet-file.md 3).
const mostDerived = 10

// derivedFor returns those keys derived from an owner key that acc names: its active keys, and the memo keys derived
// from those. The caller wipes them.
func derivedFor(acc *ledger.Account, owner ledger.PrivateKey) (named []ledger.PrivateKey) {
	for i := range mostDerived {
		active := owner.Derive(i)
		if !acc.Active.HasKey(active.Public()) && acc.Options.MemoKey != active.Public() {
			active.Wipe()
			continue
		}
		named = append(named, active)
		for j := range mostDerived {
			memo := active.Derive(j)
			if acc.Options.MemoKey == memo.Public() {
				named = append(named, memo)
				break
			}
			memo.Wipe()
		}
	}
	return named
}

// unusedRun is how many unused keys in a row end the reference's search.
const unusedRun = 6

// firstUnused returns the number under which the reference would derive a new key: the first of a run of unused ones
// (docs/protocol/wallet-file.md 3).
func firstUnused(store *keystore.Store, parent ledger.PrivateKey) int {
	first, run := 0, 0
	for i := 0; run < unusedRun; i++ {
		key := parent.Derive(i)
		_, used := store.Key(key.Public())
		key.Wipe()
		switch {
		case used:
			run = 0
		case run == 0:
			first, run = i, 1
		default:
			run++
		}
	}
	return first
}
