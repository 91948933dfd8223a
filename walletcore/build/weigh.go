package build

import (
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// follower works out the consequences of operations, for Follow.
type follower struct{ *Factory }

func (f follower) isOwn(id ledger.AccountID) bool {
	return slices.ContainsFunc(f.Vault.Listed(), func(own ledgerview.AccountRef) bool { return own.ID == id })
}

func (f follower) accountRefs(ids []ledger.AccountID) (out []ledgerview.AccountRef) {
	for _, id := range ids {
		out = append(out, f.View.Accounts.Ref(id))
	}
	return out
}

// weigh sets whether the keys here suffice, for active also through the owner authority, and whether no key is needed.
func (c *Control) weigh(by holders, owner *ledger.Authority) {
	own := by.oursSuffice(c.next)
	c.ByOwner = !own && c.Role == "active" && owner != nil && by.oursSuffice(*owner)
	c.Here = own || c.ByOwner
	c.NoOwner = c.Role == "active" && owner == nil
	c.Anybody = by.anybody(c.next)
}

// unchangedFrom reports whether the account, if it is known, has the authority already.
func (c Control) unchangedFrom(account *ledger.Account) bool {
	if account == nil {
		return false
	}
	return equalAuthorities(c.presentAuthority(account), c.next)
}

func equalAuthorities(a, b ledger.Authority) bool {
	return a.WeightThreshold == b.WeightThreshold && slices.Equal(a.AccountAuths, b.AccountAuths) &&
		slices.Equal(a.KeyAuths, b.KeyAuths)
}

// presentAuthority returns the authority that an account has in that role now.
func (c Control) presentAuthority(account *ledger.Account) ledger.Authority {
	switch c.Role {
	case "owner":
		return account.Owner
	case MemoRole:
		return ledger.SingleKeyAuthority(account.Options.MemoKey)
	}
	return account.Active
}
