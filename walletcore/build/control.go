package build

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// follower finds what follows from operations.
type follower struct{ *Factory }

// controls notes for whom an operation changes who may act: authorities, a memo key that is not in this wallet, and permissions to
// withdraw. Without a daemon only the keys of this wallet that stand in the new authority count, not those of accounts that
// stand in it, and a memo key is noted although it may be the present one.
func (f follower) controls(r *Review, op ledger.Operation) {
	var is *ledger.AccountUpdateOp
	switch body := op.Body.(type) {
	case *ledger.AccountUpdateOp:
		is = body
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
	}{{"owner", is.Owner}, {"active", is.Active}} {
		if set.next != nil {
			unknown := func(ledger.AccountID) *ledger.Account { return nil }
			all := []ledger.Authority{*set.next}
			if is.Owner != nil {
				all = append(all, *is.Owner)
			}
			held := ledger.Signers{Keys: f.heldOf(all...), Lookup: unknown}
			c := Control{Account: ledgerview.AccountRef{ID: is.Account}, Role: set.role,
				Others: f.strangers(*set.next, unknown, 0), next: *set.next}
			c.weigh(held, is.Owner)
			r.Control = append(r.Control, c)
		}
	}
	if is.NewOptions != nil && !f.Vault.Holds(is.NewOptions.MemoKey) {
		r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: is.Account}, Role: MemoRole,
			next: ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: is.NewOptions.MemoKey, Weight: 1}}}})
	}
}

// strangers reports whether keys that this wallet does not have are enough for an authority. An account that cannot be
// looked up, because it is too deep or there is no daemon, is a stranger.
func (f follower) strangers(a ledger.Authority, lookup ledger.AccountLookup, depth int) bool {
	var weight uint64
	for _, w := range a.KeyAuths {
		if !f.Vault.Holds(w.Key) {
			weight += uint64(w.Weight)
		}
	}
	for _, w := range a.AccountAuths {
		if is := lookup(w.Account); is == nil || depth == 0 || f.strangers(is.Active, lookup, depth-1) {
			weight += uint64(w.Weight)
		}
	}
	return weight >= uint64(a.WeightThreshold)
}

// heldOf are the keys of authorities that are in this wallet.
func (f follower) heldOf(all ...ledger.Authority) map[ledger.PublicKey]bool {
	held := map[ledger.PublicKey]bool{}
	for _, a := range all {
		for _, w := range a.KeyAuths {
			if f.Vault.Holds(w.Key) {
				held[w.Key] = true
			}
		}
	}
	return held
}

// weighControls counts the accounts that stand in new authorities as well. What an operation sets to what it was
// is no change. Errors: the daemon's.
func (f follower) weighControls(ctx context.Context, r *Review) error {
	if len(r.Control) == 0 {
		return nil
	}
	props, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return err
	}
	depth := int(props.Parameters.MaxAuthorityDepth)
	var changed []Control
	for _, c := range r.Control {
		if c.Role == WithdrawRole {
			c.Account = f.View.Accounts.Ref(c.Account.ID)
			changed = append(changed, c)
			continue
		}
		needs := ledger.Needs{Active: []ledger.AccountID{c.Account.ID}}
		for _, w := range c.next.AccountAuths {
			needs.Active = append(needs.Active, w.Account)
		}
		tree, err := f.View.Accounts.AuthorityTree(ctx, needs, depth)
		if err != nil {
			return err
		}
		lookup := func(id ledger.AccountID) *ledger.Account { return tree[id] }
		is := tree[c.Account.ID]
		if is != nil && c.same(is) {
			continue
		}
		all := []ledger.Authority{c.next}
		for _, a := range tree {
			all = append(all, a.Active)
		}
		owner := r.ownerThen(c.Account.ID, is)
		if owner != nil {
			all = append(all, *owner)
		}
		c.weigh(ledger.Signers{Keys: f.heldOf(all...), MaxDepth: depth, Lookup: lookup}, owner)
		c.Account = f.View.Accounts.Ref(c.Account.ID)
		c.Others = f.strangers(c.next, lookup, depth) && (is == nil || !f.strangers(c.of(is), lookup, depth))
		changed = append(changed, c)
	}
	r.Control = changed
	return nil
}

// ownerThen is the owner authority of an account once all is done; nil where it is not known.
func (r *Review) ownerThen(id ledger.AccountID, is *ledger.Account) (owner *ledger.Authority) {
	if is != nil {
		owner = &is.Owner
	}
	for _, c := range r.Control {
		if c.Account.ID == id && c.Role == "owner" {
			owner = &c.next
		}
	}
	return owner
}

// weigh counts the keys here, for active those of the owner authority as well.
func (c *Control) weigh(can ledger.Signers, owner *ledger.Authority) {
	own := can.Holds(c.next)
	c.ByOwner = !own && c.Role == "active" && owner != nil && can.Holds(*owner)
	c.Here = own || c.ByOwner
	c.NoOwner = c.Role == "active" && owner == nil
}

// same reports whether the account has the authority already.
func (c Control) same(is *ledger.Account) bool {
	has := c.of(is)
	return has.WeightThreshold == c.next.WeightThreshold && slices.Equal(has.AccountAuths, c.next.AccountAuths) &&
		slices.Equal(has.KeyAuths, c.next.KeyAuths)
}

// of is the authority that an account has in that role.
func (c Control) of(is *ledger.Account) ledger.Authority {
	switch c.Role {
	case "owner":
		return is.Owner
	case MemoRole:
		return ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: is.Options.MemoKey, Weight: 1}}}
	}
	return is.Active
}

// approvedBy lists the proposals to which operations add approvals.
func approvedBy(ops []ledger.Operation) (out []ledger.ProposalID) {
	for _, op := range ops {
		is, approves := op.Body.(*ledger.ProposalUpdateOp)
		if approves && len(is.ActiveApprovalsToAdd)+len(is.OwnerApprovalsToAdd)+len(is.KeyApprovalsToAdd) > 0 {
			out = append(out, is.Proposal)
		}
	}
	return out
}
