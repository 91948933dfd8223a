package vault

import (
	"maps"
	"slices"
	"sync"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// OtherKeys is an account that a registrar was asked for but registered with other keys. It names each role that
// somebody else can act in, even if the right key can too.
type OtherKeys struct {
	ledgerview.AccountRef
	Owner, Active, Memo bool
	stranger            bool // none of the keys is there
}

// None reports whether the account has the right keys and no others.
func (o OtherKeys) None() bool { return !o.Owner && !o.Active && !o.Memo }

// String returns what is wrong with the account, and what to do, in one sentence that starts with its name.
func (o OtherKeys) String() string {
	name := o.Name + " " + o.ID.String() + " "
	const next = "; do not use it, have another name registered with the same keys"
	switch {
	case o.stranger:
		return name + "was registered with other keys and is not yours" + next
	case o.Owner:
		return name + "was registered with another owner key: whoever has that can take the account" + next
	case o.Active:
		return name + "was registered with another active key: whoever has that can spend what the account gets" + next
	}
	return name + "was registered with another memo key: you cannot read what is written to it" + next
}

// compareKeys compares the keys of an account with those that a registrar was asked for.
func compareKeys(acc *ledger.Account, asked keystore.Registration) OtherKeys {
	uses := func(key ledger.PublicKey) bool { return ledgerview.KeyUseOf(acc, key).IsUsed() }
	return OtherKeys{
		AccountRef: ledgerview.AccountRef{ID: acc.ID, Name: acc.Name},
		Owner:      !isSole(acc.Owner, asked.Owner),
		Active:     !isSole(acc.Active, asked.Active),
		Memo:       acc.Options.MemoKey != asked.Memo,
		stranger:   !uses(asked.Owner) && !uses(asked.Active) && !uses(asked.Memo),
	}
}

// isSole reports whether a key can act for an authority on its own, and nobody else can.
func isSole(a ledger.Authority, key ledger.PublicKey) bool {
	return a.WeightThreshold > 0 && a.Members() == 1 && a.HasKey(key) && uint32(a.KeyAuths[0].Weight) >= a.WeightThreshold
}

// otherKeysCache holds the accounts that were found to have other keys, by the owner key that was asked for.
type otherKeysCache struct {
	mu      sync.Mutex
	byOwner map[ledger.PublicKey][]OtherKeys
}

func (o *otherKeysCache) of(owner ledger.PublicKey) []OtherKeys {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.byOwner[owner]
}

// put replaces what was found, and reports whether it changed.
func (o *otherKeysCache) put(found map[ledger.PublicKey][]OtherKeys) (changed bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	maps.DeleteFunc(found, func(_ ledger.PublicKey, list []OtherKeys) bool { return len(list) == 0 })
	changed = !maps.EqualFunc(o.byOwner, found, slices.Equal[[]OtherKeys])
	o.byOwner = found
	return changed
}
