package ledger

import "cmp"

// setsAuthorities is a body that says who may act for an account; nil is an authority that stays as it is.
type setsAuthorities interface {
	sets() (of AccountID, owner, active *Authority)
}

// after finds accounts with the authorities that they have once all is done.
func after(before Before) AccountLookup {
	all, is := before.(together)
	if !is {
		return before.Account
	}
	earlier := after(all.Before)
	return func(id AccountID) *Account {
		owner, active := setFor(id, all.ops)
		return earlier(id).After(id, owner, active)
	}
}

// setFor are the authorities that operations set last for an account; nil is one that stays as it is.
func setFor(id AccountID, ops []Operation) (owner, active *Authority) {
	for _, op := range ops {
		if set, is := op.Body.(setsAuthorities); is {
			if of, asOwner, asActive := set.sets(); of == id {
				owner, active = cmp.Or(asOwner, owner), cmp.Or(asActive, active)
			}
		}
	}
	return owner, active
}

// After returns the account once its authorities were set; nil is one that stays as it is. An account that is not known is nil, and
// known by them once both are set; until then After returns nil.
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
