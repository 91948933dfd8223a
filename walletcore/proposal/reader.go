package proposal

import (
	"cmp"
	"context"
	"slices"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/txbuild"
)

// maxAccounts is the most accounts whose proposals are asked for.
const maxAccounts = 64

// Vault is the part of the wallet's vault that is used here: its keys and accounts.
type Vault interface {
	Listed() []ledgerview.AccountRef
	Holds(key ledger.PublicKey) bool
}

// Explainer describes operations.
type Explainer interface {
	Explain(ctx context.Context, ops ...ledger.Operation) (txbuild.Review, error)
	AddBalances(ctx context.Context, r *txbuild.Review) error
}

// Reader reads proposals.
type Reader struct {
	view    *ledgerview.View
	vault   Vault
	explain Explainer
}

// NewReader returns a reader.
func NewReader(view *ledgerview.View, keys Vault, explain Explainer) *Reader {
	return &Reader{view, keys, explain}
}

// Own lists the proposals that accounts of the wallet have a say in, those that expire first in front: they need the
// approval of one of these accounts, or of one that they act for. Errors: the daemon's.
func (r *Reader) Own(ctx context.Context) ([]Proposal, error) {
	props, err := r.view.Chain.Parameters(ctx)
	if err != nil {
		return nil, err
	}
	depth := int(props.Parameters.MaxAuthorityDepth)
	accounts, err := r.relevantAccounts(ctx, depth)
	if err != nil {
		return nil, err
	}
	found := map[ledger.ProposalID]*ledger.Proposal{}
	for _, id := range accounts {
		raws, err := r.view.Accounts.Proposals(ctx, id.String())
		if err != nil {
			return nil, err
		}
		for _, raw := range raws {
			p := new(ledger.Proposal)
			if err := codec.Unmarshal(raw, p); err != nil {
				return nil, fault.Daemon("reading a proposal", err)
			}
			found[p.ID] = p
		}
	}
	out := make([]Proposal, 0, len(found))
	for _, p := range found {
		described, err := r.describe(ctx, p, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, described)
	}
	slices.SortFunc(out, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(a.ExpirationTime, b.ExpirationTime), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

// relevantAccounts lists the wallet's accounts and those that they act for.
func (r *Reader) relevantAccounts(ctx context.Context, depth int) ([]ledger.AccountID, error) {
	var all []ledger.AccountID
	for _, a := range r.vault.Listed() {
		all = append(all, a.ID)
	}
	for level, next := 0, all; level < depth && len(next) > 0; level++ {
		var found []ledger.AccountID
		for _, id := range next {
			if len(all) >= maxAccounts {
				return all[:maxAccounts], nil
			}
			named, err := r.view.Accounts.ActsFor(ctx, id)
			if err != nil {
				return nil, err
			}
			for _, by := range named {
				if !slices.Contains(all, by) {
					all, found = append(all, by), append(found, by)
				}
			}
		}
		next = found
	}
	return all, nil
}

// describe returns a proposal with what it does and who approves it.
func (r *Reader) describe(ctx context.Context, is *ledger.Proposal, depth int) (Proposal, error) {
	p := Proposal{Proposal: *is}
	whole, err := r.explain.Explain(ctx, is.ProposedTransaction.Operations...)
	if err != nil {
		return p, err
	}
	if p.Operations = whole.Each; len(p.Operations) == 0 {
		p.Operations = []txbuild.Review{whole}
	}
	needs := ledger.Needs{Active: is.RequiredActiveApprovals, Owner: is.RequiredOwnerApprovals}
	tree, err := r.view.Accounts.AuthorityTree(ctx, needs, depth)
	if err != nil {
		return p, err
	}
	lookup := func(id ledger.AccountID) *ledger.Account { return tree[id] }
	can := r.keysIn(tree, depth)
	now := judgeOf(is, lookup, depth)
	for _, id := range needs.Active {
		p.Needs = append(p.Needs, Need{Account: r.view.Accounts.Ref(id), Role: active})
	}
	for _, id := range needs.Owner {
		p.Needs = append(p.Needs, Need{Account: r.view.Accounts.Ref(id), Role: owner})
	}
	p.Give, p.Take = now.toGive(p.Needs, can), now.toTake(can)
	then := now.with(p.Give)
	p.Enough, p.Then = now.suffices(p.Needs), then.suffices(p.Needs)
	for i := range p.Needs {
		r.weigh(&p.Needs[i], now, then, can)
	}
	if !p.Then {
		return p, nil
	}
	if err := r.explain.AddBalances(ctx, &whole); err != nil {
		return p, err
	}
	p.Lacks = slices.DeleteFunc(whole.Outgoing, func(o txbuild.Outgoing) bool { return o.Left() >= 0 })
	return p, nil
}

// keysIn returns the keys of the wallet that are in the authorities of these accounts.
func (r *Reader) keysIn(tree map[ledger.AccountID]*ledger.Account, depth int) walletKeys {
	can := walletKeys{ledger.Signers{Keys: map[ledger.PublicKey]bool{}, MaxDepth: depth,
		Lookup: func(id ledger.AccountID) *ledger.Account { return tree[id] }}}
	for _, a := range tree {
		for _, auth := range []ledger.Authority{a.Active, a.Owner} {
			for _, w := range auth.KeyAuths {
				if r.vault.Holds(w.Key) {
					can.Keys[w.Key] = true
				}
			}
		}
	}
	return can
}

// weigh fills in how far a need is met, and by whom.
func (r *Reader) weigh(n *Need, now, then judge, can walletKeys) {
	n.Met = now.meets(n.Account.ID, n.Role)
	a := now.Lookup(n.Account.ID)
	if a == nil {
		return
	}
	auth := a.Active
	if n.Role == owner {
		auth = a.Owner
	}
	n.Threshold = auth.WeightThreshold
	n.Weight, n.Then = now.Weight(auth), then.Weight(auth)
	if n.Met {
		n.Weight = max(n.Weight, uint64(n.Threshold))
	}
	if then.meets(n.Account.ID, n.Role) {
		n.Then = max(n.Then, uint64(n.Threshold))
	}
	n.Parties = r.parties(auth, now, can, 0)
}

// parties lists the members of an authority.
func (r *Reader) parties(a ledger.Authority, now judge, can walletKeys, depth int) (out []Party) {
	for _, w := range a.AccountAuths {
		p := Party{Account: r.view.Accounts.Ref(w.Account), Weight: w.Weight, Approved: now.Member(w.Account, depth),
			Yours: can.Active(w.Account)}
		if nested := now.Lookup(w.Account); nested != nil && depth < now.MaxDepth {
			p.Members = r.parties(nested.Active, now, can, depth+1)
		}
		out = append(out, p)
	}
	for _, w := range a.KeyAuths {
		out = append(out, Party{Key: w.Key, IsKey: true, Weight: w.Weight, Approved: slices.Contains(now.Given.Keys, w.Key),
			Yours: can.Keys[w.Key]})
	}
	return out
}
