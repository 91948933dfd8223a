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
	return func(id AccountID) *Account { return earlier(id).after(id, all.ops) }
}

// after is an account with the authorities that operations leave it; nil where they are not known. One that is not known is nil, and
// known by them once both are set.
func (a *Account) after(id AccountID, ops []Operation) *Account {
	then := Account{ID: id}
	var owner, active *Authority
	if a != nil {
		then, owner, active = *a, &a.Owner, &a.Active
	}
	for _, op := range ops {
		if set, is := op.Body.(setsAuthorities); is {
			if of, asOwner, asActive := set.sets(); of == id {
				owner, active = cmp.Or(asOwner, owner), cmp.Or(asActive, active)
			}
		}
	}
	if owner == nil || active == nil {
		return nil
	}
	then.Owner, then.Active = *owner, *active
	return &then
}
