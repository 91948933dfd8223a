package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// refusal is a try that must fail with a code and a text, and change nothing.
type refusal struct {
	name string
	keys []ledger.PrivateKey
	op   ledger.Body
	code nodeerr.Code
	text string
}

func (b *bank) refuses(t *testing.T, list []refusal) {
	t.Helper()
	before := b.snapshot()
	for _, c := range list {
		t.Run(c.name, func(t *testing.T) {
			fault := b.push(c.keys, c.op)
			if fault == nil || fault.Code != c.code || !contains(fault, c.text) {
				t.Errorf("want %d %q, got %v", c.code, c.text, fault)
			}
			if b.snapshot() != before {
				t.Error("the refusal changed the state")
			}
		})
	}
}

// by signs with the keys and must succeed.
func (b *bank) by(key ledger.PrivateKey, bodies ...ledger.Body) {
	b.t.Helper()
	b.must(b.push([]ledger.PrivateKey{key}, bodies...))
}

func (b *bank) now() (now ledger.Time) {
	b.c.View(func(s *state.State) { now = s.HeadTime() })
	return now
}

func (b *bank) mineAt(t ledger.Time) *ledger.Block {
	b.t.Helper()
	mined, err := b.c.Mine(t)
	if err != nil || len(mined.Dropped) > 0 {
		b.t.Fatal(err, mined.Dropped)
	}
	return mined.Block
}

// maintenance makes the block that is due at the next maintenance.
func (b *bank) maintenance() *ledger.Block {
	b.t.Helper()
	var next ledger.Time
	b.c.View(func(s *state.State) { next = s.Dynamic().NextMaintenanceTime })
	return b.mineAt(next)
}

func amount(n int64, id ledger.AssetID) ledger.AssetAmount {
	return ledger.AssetAmount{Amount: n, AssetID: id}
}

func rate(core, of int64, id ledger.AssetID) ledger.Price {
	return ledger.Price{Base: amount(core, 0), Quote: amount(of, id)}
}

// gold is a user-issued asset of nathan's: 1 DCT for 0.5000.
func gold(symbol string, fixed bool) *ledger.AssetCreateOp {
	return &ledger.AssetCreateOp{
		Issuer: nathanID, Symbol: symbol, Precision: 4, Description: "gold", IsExchangeable: true,
		Options: ledger.AssetOptions{
			MaxSupply: 1_000_0000, CoreExchangeRate: rate(100000000, 5000, 1), IsExchangeable: true,
			Extensions: []ledger.AssetExtension{{FixedSupply: &ledger.FixedSupply{IsFixedMaxSupply: fixed}}},
		},
	}
}

func (b *bank) asset(id ledger.AssetID) (a *ledger.Asset, d *state.AssetData) {
	b.c.View(func(s *state.State) { a, d = s.Assets.Get(id), s.Assets.Data(id) })
	return a, d
}

func votingFor(key ledger.PublicKey, votes ...uint32) *ledger.AccountUpdateOp {
	o := ledger.NewAccountOptions(key)
	for _, v := range votes {
		o.Votes = append(o.Votes, ledger.VoteID(v<<8))
	}
	return &ledger.AccountUpdateOp{Account: nathanID, NewOptions: &o}
}

// elect lets nathan's stake make init0 and init1 the ones who act for 1.2.0,
// and gives 1.2.0 something to pay fees with.
func (b *bank) elect() {
	b.t.Helper()
	b.by(b.nathan, votingFor(b.nathan.Public(), 0, 1), pay(nathanID, ledger.MinerAccount, 10_0000_0000))
	b.mine()
	b.maintenance()
}

// propose makes a proposal for that many seconds and gives its id.
func (b *bank) propose(seconds ledger.Time, review *uint32, bodies ...ledger.Body) ledger.ProposalID {
	b.t.Helper()
	b.must(b.push([]ledger.PrivateKey{b.nathan}, b.proposal(seconds, review, bodies...)))
	block := b.mine()
	last := block.Transactions[len(block.Transactions)-1]
	return ledger.ProposalID(last.OperationResults[0].Object.Instance())
}

// proposal puts the least fees into what it proposes.
func (b *bank) proposal(seconds ledger.Time, review *uint32, bodies ...ledger.Body) *ledger.ProposalCreateOp {
	op := &ledger.ProposalCreateOp{FeePayingAccount: nathanID, ExpirationTime: b.now() + seconds, ReviewPeriodSeconds: review}
	for _, inner := range b.build(bodies...).Operations {
		op.ProposedOps = append(op.ProposedOps, ledger.ProposedOperation{Op: inner})
	}
	return op
}

func approve(by ledger.AccountID, id ledger.ProposalID, accounts ...ledger.AccountID) *ledger.ProposalUpdateOp {
	return &ledger.ProposalUpdateOp{FeePayingAccount: by, Proposal: id, ActiveApprovalsToAdd: accounts}
}

func (b *bank) proposalOf(id ledger.ProposalID) (p *state.Proposal) {
	b.c.View(func(s *state.State) { p = s.Proposals.Get(id) })
	return p
}
