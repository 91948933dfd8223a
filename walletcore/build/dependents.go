package build

import (
	"context"
	"slices"

	"billfold/ledger"
)

// mostReferring is of how many accounts it is asked who rests on them. Own ones are asked about first, so that strangers who name an
// account in theirs take nobody's place.
const mostReferring = 32

// resting are own accounts, without those that change themselves, that have one in their authorities for which others come to act, at
// as many levels as the ledger follows. Errors: the daemon's.
func (f follower) resting(ctx context.Context, r *Review) (own []ledger.AccountID, err error) {
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
		level = level[:min(len(level), mostReferring-asked)]
		asked += len(level)
		ours, others, err := f.referring(ctx, level, seen)
		if err != nil {
			return nil, err
		}
		own, level = append(own, ours...), slices.Concat(ours, others)
	}
	return own, nil
}

// referring are the accounts that have one in their authorities and were not seen, which they are then.
func (f follower) referring(ctx context.Context, to []ledger.AccountID, seen map[ledger.AccountID]bool) (
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

// shaken are the authorities of own accounts that do not change themselves, for which the keys here suffice no more, or others come to act,
// because of accounts in them that change.
func (f follower) shaken(ids []ledger.AccountID, now, then holders) (out []Control) {
	for _, id := range ids {
		is := now.lookup(id)
		if is == nil {
			continue
		}
		for _, role := range []string{"owner", "active"} {
			c := Control{Account: f.View.Accounts.Ref(id), Role: role, Rests: true}
			c.next = c.of(is)
			was := c
			was.weigh(now, &is.Owner)
			c.weigh(then, &is.Owner)
			c.Others = then.others(c.next) && !now.others(c.next)
			if c.Others || was.Here && !c.Here {
				c.Through = f.named(then.foreign(c.next))
				out = append(out, c)
			}
		}
	}
	return out
}

// fresh reports whether a key or an account stands in a new authority that stood in none of the account before, and so may belong to
// somebody else although it is here as well.
func fresh(next ledger.Authority, is *ledger.Account) bool {
	if is == nil {
		return true
	}
	keys, accounts := slices.Concat(is.Owner.KeyAuths, is.Active.KeyAuths), slices.Concat(is.Owner.AccountAuths, is.Active.AccountAuths)
	return slices.ContainsFunc(next.KeyAuths, func(w ledger.KeyWeight) bool {
		return !slices.ContainsFunc(keys, func(b ledger.KeyWeight) bool { return b.Key == w.Key })
	}) || slices.ContainsFunc(next.AccountAuths, func(w ledger.AccountWeight) bool {
		return !slices.ContainsFunc(accounts, func(b ledger.AccountWeight) bool { return b.Account == w.Account })
	})
}
