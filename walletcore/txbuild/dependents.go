package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
)

// maxDependentQueries is for how many accounts the daemon is asked which accounts depend on them. Own accounts come first, so that
// strangers who name an account in their authorities cannot crowd them out.
const maxDependentQueries = 32

// dependents returns the own accounts that depend, directly or through as many levels as the ledger follows, on an account whose owner
// or active authority changes. Accounts that change themselves are left out. Errors: the daemon's.
func (f follower) dependents(ctx context.Context, r *Review) (own []ledger.AccountID, err error) {
	depth, err := authorityDepth(ctx, f.View)
	if err != nil {
		return nil, err
	}
	seen, level := map[ledger.AccountID]bool{}, []ledger.AccountID(nil)
	for _, c := range r.Control {
		if (c.Role == "owner" || c.Role == "active") && !seen[c.Account.ID] {
			seen[c.Account.ID] = true
			level = append(level, c.Account.ID)
		}
	}
	asked := 0
	for range depth + 1 {
		level = level[:min(len(level), maxDependentQueries-asked)]
		asked += len(level)
		ours, others, err := f.referrers(ctx, level, seen)
		if err != nil {
			return nil, err
		}
		own, level = append(own, ours...), slices.Concat(ours, others)
	}
	r.checked |= checkedDependents
	return own, nil
}

// referrers returns the accounts that have one of the given accounts in their authorities, own ones and others apart. It leaves out
// those in seen and adds the rest to it.
func (f follower) referrers(ctx context.Context, to []ledger.AccountID, seen map[ledger.AccountID]bool) (
	own, others []ledger.AccountID, err error) {
	for _, id := range to {
		all, err := f.View.Accounts.ActsFor(ctx, id)
		if err != nil {
			return nil, nil, err
		}
		for _, by := range all {
			switch {
			case seen[by]:
				continue
			case f.isOwn(by):
				own = append(own, by)
			default:
				others = append(others, by)
			}
			seen[by] = true
		}
	}
	return own, others, nil
}

// affectedDependents returns the authorities of the given own accounts that are themselves unchanged, but for which the keys here no
// longer suffice, or others can now act, because accounts in them change.
func (f follower) affectedDependents(ids []ledger.AccountID, now, then holders) (out []Control) {
	for _, id := range ids {
		account := now.lookup(id)
		if account == nil {
			continue
		}
		for _, role := range []string{"owner", "active"} {
			c := Control{Account: f.View.Accounts.Ref(id), Role: role, Rests: true}
			c.next = c.presentAuthority(account)
			was := c
			was.weigh(now, &account.Owner)
			c.weigh(then, &account.Owner)
			c.Others = then.othersSuffice(c.next) && !now.othersSuffice(c.next)
			if c.Others || was.Here && !c.Here {
				c.Through = f.accountRefs(then.foreignAccounts(c.next))
				out = append(out, c)
			}
		}
	}
	return out
}

// newMembers reports whether an authority has keys or accounts that are in no authority of an account, which is nil if it is not known,
// and whether one of them alone satisfies it.
func newMembers(next ledger.Authority, account *ledger.Account) (some, alone bool) {
	var owner, active ledger.Authority
	if account != nil {
		owner, active = account.Owner, account.Active
	}
	keys, accounts := slices.Concat(owner.KeyAuths, active.KeyAuths), slices.Concat(owner.AccountAuths, active.AccountAuths)
	is := func(weight uint16) {
		some, alone = true, alone || uint32(weight) >= next.WeightThreshold
	}
	for _, w := range next.KeyAuths {
		if !slices.ContainsFunc(keys, func(b ledger.KeyWeight) bool { return b.Key == w.Key }) {
			is(w.Weight)
		}
	}
	for _, w := range next.AccountAuths {
		if !slices.ContainsFunc(accounts, func(b ledger.AccountWeight) bool { return b.Account == w.Account }) {
			is(w.Weight)
		}
	}
	return some, alone
}
