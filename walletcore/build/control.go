package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// controls notes for whom an operation changes who may act: authorities, a memo key that is not in this wallet, and permissions to
// withdraw. A memo key is noted although it may be the present one.
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
			r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: is.Account}, Role: set.role, next: *set.next})
		}
	}
	if is.NewOptions != nil && !f.Vault.Holds(is.NewOptions.MemoKey) {
		r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: is.Account}, Role: MemoRole,
			next: ledger.SingleKeyAuthority(is.NewOptions.MemoKey)})
	}
}

// weighHere counts what is known without a daemon: the keys of this wallet that stand in new authorities, and the accounts whose
// authorities are set.
func (f follower) weighHere(r *Review) {
	lookup := r.afterwards(func(ledger.AccountID) *ledger.Account { return nil })
	by := holders{f.Vault.Holds, lookup, int(ledger.DefaultChainParameters().MaxAuthorityDepth)}
	for i := range r.Control {
		if c := &r.Control[i]; c.Role != WithdrawRole && c.Role != MemoRole {
			c.weigh(by, r.ownerThen(c.Account.ID, nil))
			c.Others = by.others(c.next)
			c.Fresh = true
		}
	}
}

// weighControls counts the accounts that stand in new authorities as well. What an operation sets to what it was
// is no change; of an own account that is only the daemon's word, and others who could act then are told of all the same. What is not
// as it was when it was accepted goes to Changed. Errors: the daemon's, fault.File.
func (f follower) weighControls(ctx context.Context, r *Review) error {
	if len(r.Control) == 0 {
		return nil
	}
	var needs ledger.Needs
	for _, c := range r.Control {
		needs.Active = append(needs.Active, c.Account.ID)
		for _, w := range c.next.AccountAuths {
			needs.Active = append(needs.Active, w.Account)
		}
	}
	resting, err := f.resting(ctx, r)
	if err != nil {
		return err
	}
	needs.Active = append(needs.Active, resting...)
	lookup, depth, err := authorities(ctx, f.View, needs)
	if err != nil {
		return err
	}
	now := holders{f.Vault.Holds, lookup, depth}
	then := holders{f.Vault.Holds, r.afterwards(lookup), depth}
	var changed []Control
	for _, c := range r.Control {
		is, own := lookup(c.Account.ID), f.isOwn(c.Account.ID)
		c.Account = f.View.Accounts.Ref(c.Account.ID)
		if c.Role != WithdrawRole {
			c.weigh(then, r.ownerThen(c.Account.ID, is))
			c.Others = then.others(c.next) && (own && c.same(is) || is == nil || !now.others(c.of(is)) || now.grows(c.of(is), c.next))
			c.Through = f.named(then.foreign(c.next))
			c.Fresh = c.Role != MemoRole && fresh(c.next, is)
			if c.same(is) && (!own || c.Here && !c.Others) {
				continue
			}
		}
		changed = append(changed, c)
	}
	r.Control = append(changed, f.shaken(resting, now, then)...)
	return f.ownChanges(ctx, r, lookup)
}

// ownChanges compares the own accounts whose authorities change with how they were when they were last accepted.
func (f follower) ownChanges(ctx context.Context, r *Review, lookup ledger.AccountLookup) error {
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
	return nil
}

// afterwards is an account as it is once all is done, as far as that is known.
func (r *Review) afterwards(now ledger.AccountLookup) ledger.AccountLookup {
	return func(id ledger.AccountID) *ledger.Account {
		return now(id).After(id, r.set(id, "owner"), r.set(id, "active"))
	}
}

// ownerThen is the owner authority of an account once all is done; nil where it is not known.
func (r *Review) ownerThen(id ledger.AccountID, is *ledger.Account) *ledger.Authority {
	owner := r.set(id, "owner")
	if owner == nil && is != nil {
		return &is.Owner
	}
	return owner
}

// set is the authority that is set last for a role of an account; nil is one that stays as it is.
func (r *Review) set(id ledger.AccountID, role string) (last *ledger.Authority) {
	for i, c := range r.Control {
		if c.Account.ID == id && c.Role == role {
			last = &r.Control[i].next
		}
	}
	return last
}

// approvedBy lists the proposals to which operations add approvals.
func approvedBy(ops []ledger.Operation) (out []ledger.ProposalID) {
	for _, op := range ops {
		if is, updates := op.Body.(*ledger.ProposalUpdateOp); updates && approves(is) {
			out = append(out, is.Proposal)
		}
	}
	return out
}

// approves reports whether an operation adds approvals.
func approves(is *ledger.ProposalUpdateOp) bool {
	return len(is.ActiveApprovalsToAdd)+len(is.OwnerApprovalsToAdd)+len(is.KeyApprovalsToAdd) > 0
}
