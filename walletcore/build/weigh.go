package build

import (
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// follower finds what follows from operations.
type follower struct{ *Factory }

func (f follower) isOwn(id ledger.AccountID) bool {
	return slices.ContainsFunc(f.Vault.Listed(), func(own ledgerview.AccountRef) bool { return own.ID == id })
}

func (f follower) named(ids []ledger.AccountID) (out []ledgerview.AccountRef) {
	for _, id := range ids {
		out = append(out, f.View.Accounts.Ref(id))
	}
	return out
}

// weigh counts the keys here, for active those of the owner authority as well.
func (c *Control) weigh(by holders, owner *ledger.Authority) {
	own := by.ours(c.next)
	c.ByOwner = !own && c.Role == "active" && owner != nil && by.ours(*owner)
	c.Here = own || c.ByOwner
	c.NoOwner = c.Role == "active" && owner == nil
	c.Anybody = by.anybody(c.next)
}

// same reports whether the account has the authority already, as far as it is known.
func (c Control) same(is *ledger.Account) bool {
	if is == nil {
		return false
	}
	return equal(c.of(is), c.next)
}

func equal(a, b ledger.Authority) bool {
	return a.WeightThreshold == b.WeightThreshold && slices.Equal(a.AccountAuths, b.AccountAuths) &&
		slices.Equal(a.KeyAuths, b.KeyAuths)
}

// of is the authority that an account has in that role.
func (c Control) of(is *ledger.Account) ledger.Authority {
	switch c.Role {
	case "owner":
		return is.Owner
	case MemoRole:
		return ledger.SingleKeyAuthority(is.Options.MemoKey)
	}
	return is.Active
}
