package build

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// follower finds what follows from operations.
type follower struct{ *Factory }

// controls notes whose authorities an operation changes. Without a daemon only the keys of this wallet that stand in
// the new authority count, not those of accounts that stand in it.
func (f follower) controls(r *Review, op ledger.Operation) {
	is, changes := op.Body.(*ledger.AccountUpdateOp)
	if !changes {
		return
	}
	for _, set := range []struct {
		role string
		next *ledger.Authority
	}{{"owner", is.Owner}, {"active", is.Active}} {
		if set.next != nil {
			held := ledger.Signers{Keys: f.heldOf(*set.next), Lookup: func(ledger.AccountID) *ledger.Account { return nil }}
			r.Control = append(r.Control, Control{Account: ledgerview.AccountRef{ID: is.Account}, Role: set.role,
				Here: held.Holds(*set.next), next: *set.next})
		}
	}
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
		needs := ledger.Needs{Active: []ledger.AccountID{c.Account.ID}}
		for _, w := range c.next.AccountAuths {
			needs.Active = append(needs.Active, w.Account)
		}
		tree, err := f.View.Accounts.AuthorityTree(ctx, needs, depth)
		if err != nil {
			return err
		}
		if is := tree[c.Account.ID]; is != nil && c.same(is) {
			continue
		}
		all := []ledger.Authority{c.next}
		for _, a := range tree {
			all = append(all, a.Active)
		}
		can := ledger.Signers{Keys: f.heldOf(all...), MaxDepth: depth,
			Lookup: func(id ledger.AccountID) *ledger.Account { return tree[id] }}
		c.Here, c.Account = can.Holds(c.next), f.View.Accounts.Ref(c.Account.ID)
		changed = append(changed, c)
	}
	r.Control = changed
	return nil
}

// same reports whether the account has the authority already.
func (c Control) same(is *ledger.Account) bool {
	has := is.Active
	if c.Role == "owner" {
		has = is.Owner
	}
	return has.WeightThreshold == c.next.WeightThreshold && slices.Equal(has.AccountAuths, c.next.AccountAuths) &&
		slices.Equal(has.KeyAuths, c.next.KeyAuths)
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
