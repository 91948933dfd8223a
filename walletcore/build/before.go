package build

import (
	"context"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// before is the ledger as it is while a review is made. What cannot be read is missing, and
// the first error is kept.
type before struct {
	ctx   context.Context // of the review; before does not outlive it
	view  *ledgerview.View
	votes map[ledger.VoteID]string // those that the request names
	err   error
}

// Account implements ledger.Before.
func (b *before) Account(id ledger.AccountID) *ledger.Account {
	found, err := b.view.Accounts.ByID(b.ctx, []ledger.AccountID{id})
	b.note(err)
	return found[id]
}

// Asset implements ledger.Before.
func (b *before) Asset(id ledger.AssetID) *ledger.Asset {
	found, err := b.view.Assets.Get(b.ctx, id.String())
	if fault.CodeOf(err) == fault.NoSuchAsset {
		return nil // it is the ledger's to refuse it
	}
	b.note(err)
	return found
}

// Proposal implements ledger.Before.
func (b *before) Proposal(id ledger.ProposalID) *ledger.Proposal {
	rows, err := b.view.Objects.Get(b.ctx, []ledger.ObjectID{id.Object()})
	if b.note(err); err != nil || len(rows) != 1 || ledgerview.IsNull(rows[0]) {
		return nil
	}
	p := new(ledger.Proposal)
	if err := codec.Unmarshal(rows[0], p); err != nil {
		b.note(err)
		return nil
	}
	return p
}

// Parameters implements ledger.Before.
func (b *before) Parameters() *ledger.ChainParameters {
	p, err := b.view.Chain.Parameters(b.ctx)
	if b.note(err); err != nil {
		return nil
	}
	return &p.Parameters
}

// VoteName implements ledger.Before.
func (b *before) VoteName(id ledger.VoteID) string {
	if name := b.votes[id]; name != "" {
		return name
	}
	return "miner with the vote " + id.String()
}

func (b *before) note(err error) {
	if b.err == nil {
		b.err = err
	}
}
