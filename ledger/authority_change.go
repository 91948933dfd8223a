package ledger

import "cmp"

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
