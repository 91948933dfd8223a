package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func TestApprovedProposalRunsAtOnceAndStandsInTheHistory(t *testing.T) {
	b := newBank(t)
	alice := b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
	b.fund(alice)
	id := b.propose(600, nil, pay(alice, init0ID, 5), pay(nathanID, init0ID, 7))
	p := b.proposalOf(id)
	if got := fmt.Sprint(p.RequiredActiveApprovals, p.RequiredOwnerApprovals, p.ReviewPeriodTime == nil); got != "[1.2.16 1.2.17] [] true" {
		t.Errorf("the proposal needs %s", got)
	}
	b.by(b.nathan, approve(nathanID, id, nathanID))
	if p := b.proposalOf(id); p == nil || fmt.Sprint(p.AvailableActiveApprovals) != "[1.2.16]" {
		t.Fatalf("the proposal is %+v", p)
	}
	b.must(b.push([]ledger.PrivateKey{b.nathan, keyOf("alice")}, approve(nathanID, id, alice)))
	b.mine()
	if b.proposalOf(id) != nil || b.balance(init0ID) != 12 {
		t.Errorf("the proposal stays, or init0 has %d", b.balance(init0ID))
	}
	b.c.View(func(s *state.State) {
		records := s.History.Page(init0ID, 0, 2, 0)
		update := s.History.Get(records[1].ID - 1)
		if update.Op.Code != ledger.CodeProposalUpdate || records[1].Op.Code != ledger.CodeTransfer || records[0].ID != records[1].ID+1 ||
			records[0].TrxInBlock != update.TrxInBlock {
			t.Errorf("the history is %+v after %+v", records, update)
		}
	})
}

// The approvals stay when the operations fail, and the expiration tries again.
func TestProposalThatFailsIsTriedAgainAtItsExpiration(t *testing.T) {
	for _, later := range []int64{0, 10_0000_0000} {
		b := newBank(t)
		alice := b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
		id := b.propose(600, nil, pay(nathanID, init0ID, 3), pay(alice, init0ID, 5))
		b.must(b.push([]ledger.PrivateKey{b.nathan, keyOf("alice")}, approve(nathanID, id, nathanID, alice)))
		before := b.mine()
		if b.proposalOf(id) == nil || b.balance(init0ID) != 0 {
			t.Fatalf("the proposal is gone, or half of it happened: %d", b.balance(init0ID))
		}
		if later > 0 {
			b.by(b.nathan, pay(nathanID, alice, later))
		}
		b.mineAt(before.Timestamp + 600)
		want := int64(0)
		if later > 0 {
			want = 8
		}
		if b.proposalOf(id) != nil || b.balance(init0ID) != want {
			t.Errorf("with %d more: init0 has %d, want %d", later, b.balance(init0ID), want)
		}
	}
}

func TestProposalNobodyApprovesExpires(t *testing.T) {
	b := newBank(t)
	late := b.propose(700, nil, pay(nathanID, init0ID, 1))
	soon := b.propose(600, nil, pay(nathanID, init0ID, 2))
	b.c.View(func(s *state.State) {
		if got := s.Proposals.First().ID; got != soon {
			t.Errorf("the first to expire is %s", got)
		}
		if got := s.Proposals.Of(nathanID); len(got) != 2 || got[0].ID != late {
			t.Errorf("nathan's proposals are %v", got)
		}
	})
	b.mineAt(b.proposalOf(soon).ExpirationTime)
	if b.proposalOf(soon) != nil || b.proposalOf(late) == nil || b.balance(init0ID) != 0 {
		t.Error("an expired proposal stays, or something happened")
	}
}

func TestKeysMayApproveForTheirAccount(t *testing.T) {
	b := newBank(t)
	shared := b.register("shared-one", twoOf(2, "a", "b"))
	b.fund(shared)
	id := b.propose(600, nil, pay(shared, nathanID, 1))
	keys := func(names ...string) *ledger.ProposalUpdateOp {
		op := &ledger.ProposalUpdateOp{FeePayingAccount: nathanID, Proposal: id}
		for _, name := range names {
			op.KeyApprovalsToAdd = append(op.KeyApprovalsToAdd, keyOf(name).Public())
		}
		return op
	}
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, keys("a")), nodeerr.CodeMissingOther, "")
	b.must(b.push([]ledger.PrivateKey{b.nathan, keyOf("a"), keyOf("x")}, keys("a", "x")))
	b.must(b.push([]ledger.PrivateKey{b.nathan, keyOf("b")}, keys("b")))
	if b.proposalOf(id) == nil {
		t.Fatal("a key that is not needed does not spoil the approval")
	}
	withdraw := &ledger.ProposalUpdateOp{FeePayingAccount: nathanID, Proposal: id,
		KeyApprovalsToRemove: []ledger.PublicKey{keyOf("x").Public()}}
	b.must(b.push([]ledger.PrivateKey{b.nathan, keyOf("x")}, withdraw))
	if b.proposalOf(id) != nil {
		t.Error("two keys of two did not carry the proposal out")
	}
}

func TestProposalMayProposeAProposal(t *testing.T) {
	b := newBank(t)
	inner := b.proposal(900, nil, pay(init0ID, nathanID, 1))
	id := b.propose(600, nil, inner)
	b.by(b.nathan, approve(nathanID, id, nathanID))
	b.mine()
	if p := b.proposalOf(id + 1); b.proposalOf(id) != nil || p == nil || fmt.Sprint(p.RequiredActiveApprovals) != "[1.2.4]" {
		t.Errorf("the inner proposal is %+v", p)
	}
}

func TestWhoMustApproveMayDelete(t *testing.T) {
	b := newBank(t)
	auth := ledger.SingleKeyAuthority(keyOf("x").Public())
	id := b.propose(600, nil, &ledger.AccountUpdateOp{Account: nathanID, Owner: &auth})
	if p := b.proposalOf(id); fmt.Sprint(p.RequiredActiveApprovals, p.RequiredOwnerApprovals) != "[] [1.2.16]" {
		t.Errorf("the proposal is %+v", p)
	}
	remove := &ledger.ProposalDeleteOp{FeePayingAccount: nathanID, Proposal: id}
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, remove), nodeerr.CodeAssert, "required_approvals->find(o.fee_paying_account)")
	b.by(b.nathan, &ledger.ProposalDeleteOp{FeePayingAccount: nathanID, Proposal: id, UsingOwnerAuthority: true})
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, approve(nathanID, id, nathanID)), nodeerr.CodeObjectNotFound, "Object ID: 1.6.0")
}

func TestProposalRefusals(t *testing.T) {
	b := newBank(t)
	nathan := []ledger.PrivateKey{b.nathan}
	short, long := uint32(600), uint32(601)
	id := b.propose(600, nil, pay(init0ID, nathanID, 1))
	params := &ledger.MinerUpdateGlobalParametersOp{}
	b.c.View(func(s *state.State) { params.NewParameters = s.Global().Parameters })
	virtual := &ledger.PaySeederOp{Author: nathanID}
	past := b.proposal(0, nil, pay(nathanID, init0ID, 1))
	takeBack := &ledger.ProposalUpdateOp{FeePayingAccount: nathanID, Proposal: id, ActiveApprovalsToRemove: []ledger.AccountID{nathanID}}
	nobody := approve(nathanID, 99, nathanID)
	b.refuses(t, []refusal{
		{"nothing", nathan, &ledger.ProposalCreateOp{FeePayingAccount: nathanID}, nodeerr.CodeValidate, "!proposed_ops.empty()"},
		{"invalid inside", nathan, b.proposal(60, nil, pay(nathanID, nathanID, 1)), nodeerr.CodeValidate, "from != to"},
		{"virtual inside", nathan,
			&ledger.ProposalCreateOp{FeePayingAccount: nathanID,
				ProposedOps: []ledger.ProposedOperation{{Op: ledger.NewOperation(virtual)}}},
			nodeerr.CodeValidate,
			"!virtual operation"},
		{"expired", nathan, past, nodeerr.CodeAssert, "o.expiration_time > d.head_block_time()"},
		{"too long", nathan, b.proposal(2419201, nil, pay(nathanID, init0ID, 1)), nodeerr.CodeAssert,
			"o.expiration_time <= d.head_block_time() + "},
		{"longer review", nathan, b.proposal(600, &short, pay(nathanID, init0ID, 1)), nodeerr.CodeAssert, "!o.review_period_seconds"},
		{"an approval", nathan, b.proposal(600, nil, approve(nathanID, id, nathanID)), nodeerr.CodeAssert, "other.size() == 0"},
		{"of 1.2.0 without review", nathan, b.proposal(600, nil, params), nodeerr.CodeReviewMissing, "o.review_period_seconds.valid()"},
		{"of 1.2.0 in a hurry", nathan, b.proposal(1209600, &long, params), nodeerr.CodeReviewShort, ""},
		{"parameters directly", nathan, params, nodeerr.CodeMissingActive, ""},
		{"approval not given", nathan, takeBack, nodeerr.CodeAssert, "_proposal->available_active_approvals.find(id)"},
		{"no such proposal", nathan, nobody, nodeerr.CodeObjectNotFound, "Object ID: 1.6.99"},
		{"approval of nothing", nathan, &ledger.ProposalUpdateOp{FeePayingAccount: nathanID, Proposal: id}, nodeerr.CodeValidate, ""},
	})
}

func TestReviewPeriodTakesNoMoreApprovals(t *testing.T) {
	b := newBank(t)
	review := uint32(300)
	id := b.propose(600, &review, pay(init0ID, nathanID, 1))
	b.by(b.nathan, pay(nathanID, init0ID, 100_0000_0000))
	b.mineAt(*b.proposalOf(id).ReviewPeriodTime)
	b.refused(b.push([]ledger.PrivateKey{b.init}, approve(init0ID, id, init0ID)), nodeerr.CodeAssert, "o.active_approvals_to_add.empty()")
}
