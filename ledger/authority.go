package ledger

import (
	"cmp"

	"billfold/ledger/codec"
)

// Authority lists those who may act for an account: keys and other accounts, whose
// weights must add up to the threshold (docs/protocol/ledger.md 6). Both lists are
// written in the ledger's order.
type Authority struct {
	WeightThreshold uint32          `json:"weight_threshold"`
	AccountAuths    []AccountWeight `json:"account_auths" fc:"map"`
	KeyAuths        []KeyWeight     `json:"key_auths" fc:"map"`
}

// AccountWeight is the weight of an account in an authority.
type AccountWeight struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Weight  uint16    `json:"weight"`
}

// KeyWeight is the weight of a key in an authority.
type KeyWeight struct {
	_      struct{}  `fc:"pair"`
	Key    PublicKey `json:"key"`
	Weight uint16    `json:"weight"`
}

// SingleKeyAuthority returns an authority that one key satisfies alone.
func SingleKeyAuthority(key PublicKey) Authority {
	return Authority{WeightThreshold: 1, KeyAuths: []KeyWeight{{Key: key, Weight: 1}}}
}

// MarshalJSON writes the authority with its lists sorted.
func (a Authority) MarshalJSON() ([]byte, error) { return codec.Marshal(a) }

// UnmarshalJSON reads an authority and sorts its lists.
func (a *Authority) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, a) }

// Impossible reports whether all weights together are below the threshold.
func (a Authority) Impossible() bool {
	var sum uint64
	for _, w := range a.AccountAuths {
		sum += uint64(w.Weight)
	}
	for _, w := range a.KeyAuths {
		sum += uint64(w.Weight)
	}
	return sum < uint64(a.WeightThreshold)
}

// Members returns the number of entries in both lists.
func (a Authority) Members() int { return len(a.AccountAuths) + len(a.KeyAuths) }

// HasKey reports whether key is named directly.
func (a Authority) HasKey(key PublicKey) bool {
	for _, w := range a.KeyAuths {
		if w.Key == key {
			return true
		}
	}
	return false
}

// membersOf returns the accounts that the authorities name. Authorities may be nil.
func membersOf(authorities ...*Authority) []AccountID {
	var members []AccountID
	for _, a := range authorities {
		if a == nil {
			continue
		}
		for _, w := range a.AccountAuths {
			members = append(members, w.Account)
		}
	}
	return members
}

// authoritySetter is a body that sets the authorities of an account; nil is an authority that stays unchanged.
type authoritySetter interface {
	newAuthorities() (of AccountID, owner, active *Authority)
}

// accountsAfter returns a lookup of accounts with the authorities they have after all operations of before.
func accountsAfter(before Before) AccountLookup {
	all, ok := before.(together)
	if !ok {
		return before.Account
	}
	earlier := accountsAfter(all.Before)
	return func(id AccountID) *Account {
		owner, active := lastAuthorities(id, all.ops)
		return earlier(id).After(id, owner, active)
	}
}

// lastAuthorities returns the authorities that operations set last for an account; nil is one that stays unchanged.
func lastAuthorities(id AccountID, ops []Operation) (owner, active *Authority) {
	for _, op := range ops {
		if body, ok := op.Body.(authoritySetter); ok {
			if of, newOwner, newActive := body.newAuthorities(); of == id {
				owner, active = cmp.Or(newOwner, owner), cmp.Or(newActive, active)
			}
		}
	}
	return owner, active
}

// After returns the account with its authorities set; nil is one that stays unchanged. a is nil if the account is not
// known. Then the result has only its id and authorities, or is nil if not both are set.
func (a *Account) After(id AccountID, owner, active *Authority) *Account {
	then := Account{ID: id}
	if a != nil {
		then, owner, active = *a, cmp.Or(owner, &a.Owner), cmp.Or(active, &a.Active)
	}
	if owner == nil || active == nil {
		return nil
	}
	then.Owner, then.Active = *owner, *active
	return &then
}
