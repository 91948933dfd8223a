package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// addControls adds the accounts for which an operation changes who may act: new authorities, a memo key that is not in this wallet, and
// permissions to withdraw. A memo key is added even though it may be the present one.
func (f follower) addControls(r *Review, op ledger.Operation) {
	var update *ledger.AccountUpdateOp
	switch body := op.Body.(type) {
	case *ledger.AccountUpdateOp:
		update = body
	case *ledger.WithdrawPermissionCreateOp, *ledger.WithdrawPermissionUpdateOp:
		r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: body.FeePayer()}, Role: WithdrawRole,
			Here: true, Others: true})
		return
	default:
		return
	}
	for _, set := range []struct {
		role string
		next *ledger.Authority
	}{{"owner", update.Owner}, {"active", update.Active}} {
		if set.next != nil {
			r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: update.Account}, Role: set.role, next: *set.next})
		}
	}
	if update.NewOptions != nil && !f.Vault.Holds(update.NewOptions.MemoKey) {
		r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: update.Account}, Role: MemoRole,
			next: ledger.SingleKeyAuthority(update.NewOptions.MemoKey)})
	}
}

// weighLocally judges new authorities by what is known without a daemon: the keys of this wallet, and the accounts whose authorities
// the same operations set.
func (f follower) weighLocally(r *Review) {
	lookup := r.lookupAfter(func(ledger.AccountID) *ledger.Account { return nil })
	by := holders{f.Vault.Holds, lookup, int(ledger.DefaultChainParameters().MaxAuthorityDepth)}
	for i := range r.Control {
		if c := &r.Control[i]; c.Role != WithdrawRole && c.Role != MemoRole {
			c.weigh(by, r.ownerAfter(c.Account.ID, nil))
			c.Others = by.othersSuffice(c.next)
			_, c.FreshAlone = newMembers(c.next, nil)
			c.Fresh = true
		}
	}
}

// weighControls judges new authorities with the accounts in them as the daemon has them. An authority that is set to its present value
// is dropped; for an own account the present value is only the daemon's claim, so it stays if others could act by it or the keys here
// do not suffice. What differs from when it was last accepted goes to Changed. Errors: the daemon's, fault.File.
func (f follower) weighControls(ctx context.Context, r *Review) error {
	if len(r.Control) == 0 {
		r.checked |= checkedDependents | checkedControls
		return nil
	}
	var needs ledger.Needs
	for _, c := range r.Control {
		needs.Active = append(needs.Active, c.Account.ID)
		for _, w := range c.next.AccountAuths {
			needs.Active = append(needs.Active, w.Account)
		}
	}
	resting, err := f.dependents(ctx, r)
	if err != nil {
		return err
	}
	needs.Active = append(needs.Active, resting...)
	lookup, depth, err := authorities(ctx, f.View, needs)
	if err != nil {
		return err
	}
	now := holders{f.Vault.Holds, lookup, depth}
	then := holders{f.Vault.Holds, r.lookupAfter(lookup), depth}
	var changed []Control
	for _, c := range r.Control {
		account, own := lookup(c.Account.ID), f.isOwn(c.Account.ID)
		c.Account = f.View.Accounts.Ref(c.Account.ID)
		if c.Role != WithdrawRole {
			c.weigh(then, r.ownerAfter(c.Account.ID, account))
			c.Others = then.othersSuffice(c.next) && (own && c.unchangedFrom(account) || account == nil ||
				!now.othersSuffice(c.presentAuthority(account)) || now.othersGain(c.presentAuthority(account), c.next))
			c.Through = f.accountRefs(then.foreignAccounts(c.next))
			if c.Role != MemoRole {
				c.Fresh, c.FreshAlone = newMembers(c.next, account)
				c.Fresh = c.Fresh || account == nil
			}
			if c.unchangedFrom(account) && (!own || c.Here && !c.Others) {
				continue
			}
		}
		changed = append(changed, c)
	}
	r.Control = append(changed, f.affectedDependents(resting, now, then)...)
	return f.addOwnChanges(ctx, r, lookup)
}

// addOwnChanges compares the own accounts whose authorities change with what was last accepted for them.
func (f follower) addOwnChanges(ctx context.Context, r *Review, lookup ledger.AccountLookup) error {
	seen := map[ledger.AccountID]bool{}
	for _, c := range r.Control {
		if id := c.Account.ID; f.isOwn(id) && !seen[id] {
			seen[id] = true
			changed, err := f.View.Pins.Changes(ctx, lookup(id))
			if err != nil {
				return err
			}
			r.Changed = append(r.Changed, changed...)
		}
	}
	r.checked |= checkedControls
	return nil
}

// lookupAfter returns a lookup of accounts as they will be after the operations, as far as that is known.
func (r *Review) lookupAfter(now ledger.AccountLookup) ledger.AccountLookup {
	return func(id ledger.AccountID) *ledger.Account {
		return now(id).After(id, r.newAuthority(id, "owner"), r.newAuthority(id, "active"))
	}
}

// ownerAfter returns the owner authority of an account after the operations, or nil where it is not known.
func (r *Review) ownerAfter(id ledger.AccountID, account *ledger.Account) *ledger.Authority {
	owner := r.newAuthority(id, "owner")
	if owner == nil && account != nil {
		return &account.Owner
	}
	return owner
}

// newAuthority returns the authority that is set last for a role of an account, or nil if it stays as it is.
func (r *Review) newAuthority(id ledger.AccountID, role string) (last *ledger.Authority) {
	for i, c := range r.Control {
		if c.Account.ID == id && c.Role == role {
			last = &r.Control[i].next
		}
	}
	return last
}

// approvedProposals returns the proposals to which operations add approvals.
func approvedProposals(ops []ledger.Operation) (out []ledger.ProposalID) {
	for _, op := range ops {
		if body, updates := op.Body.(*ledger.ProposalUpdateOp); updates && addsApprovals(body) {
			out = append(out, body.Proposal)
		}
	}
	return out
}

// addsApprovals reports whether an operation adds approvals.
func addsApprovals(op *ledger.ProposalUpdateOp) bool {
	return len(op.ActiveApprovalsToAdd)+len(op.OwnerApprovalsToAdd)+len(op.KeyApprovalsToAdd) > 0
}

// follower works out the consequences of operations, for AddConsequences.
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

// holders judges who is able to act by an authority: this wallet, or others.
type holders struct {
	here   func(ledger.PublicKey) bool // whether a key is in this wallet
	lookup ledger.AccountLookup        // an account that is not found counts as controlled by others
	depth  int                         // levels of accounts that the ledger follows
}

// oursSuffice reports whether the keys here suffice in a way that others cannot take away: an account in the authority counts only if
// others can neither act for it nor change who does.
func (h holders) oursSuffice(a ledger.Authority) bool {
	who := a.Actors(h.lookup)
	_, taken := who.Reached(h.notHere)
	s := ledger.Signers{Keys: map[ledger.PublicKey]bool{}, MaxDepth: h.depth}
	s.Lookup = func(id ledger.AccountID) *ledger.Account {
		if taken[id] {
			return nil
		}
		return h.lookup(id)
	}
	for _, key := range who.Keys() {
		s.Keys[key] = h.here(key)
	}
	return s.Holds(a)
}

// notHere reports whether a key is not in this wallet.
func (h holders) notHere(key ledger.PublicKey) bool { return !h.here(key) }

// othersSuffice reports whether keys that are not in this wallet suffice.
func (h holders) othersSuffice(a ledger.Authority) bool {
	enough, _ := a.Actors(h.lookup).Reached(h.notHere)
	return enough
}

// anybody reports whether nobody's key is needed.
func (h holders) anybody(a ledger.Authority) bool { return a.Actors(h.lookup).Anybody() }

// foreignAccounts returns the accounts in an authority for which others can act.
func (h holders) foreignAccounts(a ledger.Authority) (out []ledger.AccountID) {
	_, reached := a.Actors(h.lookup).Reached(h.notHere)
	for _, w := range a.AccountAuths {
		if w.Account == ledger.TempAccount || reached[w.Account] {
			out = append(out, w.Account)
		}
	}
	return out
}

// othersGain reports whether others have more members or more weight in the next authority than in the previous one.
func (h holders) othersGain(was, next ledger.Authority) bool {
	if next.WeightThreshold < was.WeightThreshold {
		return true
	}
	foreign := h.foreignAccounts(next)
	return slices.ContainsFunc(next.KeyAuths, func(w ledger.KeyWeight) bool {
		return !h.here(w.Key) && !slices.ContainsFunc(was.KeyAuths, func(b ledger.KeyWeight) bool {
			return b.Key == w.Key && b.Weight >= w.Weight
		})
	}) || slices.ContainsFunc(next.AccountAuths, func(w ledger.AccountWeight) bool {
		return slices.Contains(foreign, w.Account) && !slices.ContainsFunc(was.AccountAuths, func(b ledger.AccountWeight) bool {
			return b.Account == w.Account && b.Weight >= w.Weight
		})
	})
}
