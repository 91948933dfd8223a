package ledger

import (
	"errors"
	"fmt"
	"strings"
)

// Proposal is the object 1.6.N: operations that wait for approvals.
type Proposal struct {
	ID                       ProposalID  `json:"id"`
	ExpirationTime           Time        `json:"expiration_time"`
	ReviewPeriodTime         *Time       `json:"review_period_time,omitempty"` // from then on approvals can only be withdrawn
	ProposedTransaction      Transaction `json:"proposed_transaction"`
	RequiredActiveApprovals  []AccountID `json:"required_active_approvals"`
	AvailableActiveApprovals []AccountID `json:"available_active_approvals"`
	RequiredOwnerApprovals   []AccountID `json:"required_owner_approvals"`
	AvailableOwnerApprovals  []AccountID `json:"available_owner_approvals"`
	AvailableKeyApprovals    []PublicKey `json:"available_key_approvals"`
}

// Codes of the operations on proposals.
const (
	CodeProposalCreate OpCode = 9  // proposal_create
	CodeProposalUpdate OpCode = 10 // proposal_update
	CodeProposalDelete OpCode = 11 // proposal_delete
)

// ProposalCreateOp proposes operations for others to approve.
type ProposalCreateOp struct {
	Fee                 AssetAmount         `json:"fee,omitempty"`
	FeePayingAccount    AccountID           `json:"fee_paying_account"`
	ExpirationTime      Time                `json:"expiration_time"`
	ProposedOps         []ProposedOperation `json:"proposed_ops"`
	ReviewPeriodSeconds *uint32             `json:"review_period_seconds,omitempty"`
	Extensions          Extensions          `json:"extensions"`
}

// ProposedOperation wraps an operation inside a proposal: {"op": […]} in JSON,
// the bare operation in bytes.
type ProposedOperation struct {
	Op Operation `json:"op"`
}

// FeePayer returns the proposer.
func (op *ProposalCreateOp) FeePayer() AccountID { return op.FeePayingAccount }

func (*ProposalCreateOp) declared() *declaration { return &proposalCreateDeclaration }

var proposalCreateDeclaration = declaration{
	code: CodeProposalCreate, name: "proposal_create", new: empty[ProposalCreateOp],
	fee:      bySize(100_000, 10),
	rules:    rules((*ProposalCreateOp).valid),
	signs:    payerSigns,
	touches:  touches((*ProposalCreateOp).signers),
	moves:    movesNothing,
	sentence: words((*ProposalCreateOp).sentence),
}

// signers returns the accounts whose authority the proposed operations need.
func (op *ProposalCreateOp) signers() []AccountID {
	n := NeedsOf(op.Operations())
	return append(n.Active, n.Owner...)
}

func (op *ProposalCreateOp) valid() error {
	if len(op.ProposedOps) == 0 {
		return errors.New("a proposal needs at least one operation")
	}
	for i, p := range op.ProposedOps {
		if err := p.Op.Validate(); err != nil {
			return fmt.Errorf("proposed operation %d: %w", i+1, err)
		}
	}
	return nil
}

func (op *ProposalCreateOp) sentence(n Namer) string {
	what := make([]string, len(op.ProposedOps))
	for i, p := range op.ProposedOps {
		what[i] = Intent(p.Op, n)
	}
	return n.AccountName(op.FeePayingAccount) + " proposed: " + strings.Join(what, "; ")
}

// Operations returns the proposed operations.
func (op *ProposalCreateOp) Operations() []Operation {
	ops := make([]Operation, len(op.ProposedOps))
	for i, p := range op.ProposedOps {
		ops[i] = p.Op
	}
	return ops
}

// effects lists what the operations would do, who has to approve them, and by when.
func (op *ProposalCreateOp) effects(before Before, n Namer) []Effect {
	needs := NeedsOf(op.Operations())
	out := proposedEffects("proposed", op.Operations(), before, n)
	out = append(out, Effect{What: "approval needed from", Now: allWithIDs(distinct(append(needs.Active, needs.Owner...)), n)},
		Effect{What: "expires", Now: op.ExpirationTime.Words()})
	if op.ReviewPeriodSeconds != nil {
		out = append(out, Effect{What: "no more approvals", Now: "in its last " + DurationWords(uint64(*op.ReviewPeriodSeconds))})
	}
	return out
}

func proposedEffects(word string, ops []Operation, before Before, n Namer) (out []Effect) {
	before = Together(before, ops)
	for _, op := range ops {
		out = append(out, Effect{What: word, Now: Intent(op, n)})
		for _, e := range Effects(op, before, n) {
			e.What = "then: " + e.What
			e.Paid, e.Unnamed = nil, false // nobody is paid before the approval, which is reviewed separately
			out = append(out, e)
		}
	}
	return out
}

// ProposalUpdateOp approves a proposal or withdraws approval.
type ProposalUpdateOp struct {
	Fee                     AssetAmount `json:"fee,omitempty"`
	FeePayingAccount        AccountID   `json:"fee_paying_account"`
	Proposal                ProposalID  `json:"proposal"`
	ActiveApprovalsToAdd    []AccountID `json:"active_approvals_to_add" fc:"set"`
	ActiveApprovalsToRemove []AccountID `json:"active_approvals_to_remove" fc:"set"`
	OwnerApprovalsToAdd     []AccountID `json:"owner_approvals_to_add" fc:"set"`
	OwnerApprovalsToRemove  []AccountID `json:"owner_approvals_to_remove" fc:"set"`
	KeyApprovalsToAdd       []PublicKey `json:"key_approvals_to_add" fc:"set"`
	KeyApprovalsToRemove    []PublicKey `json:"key_approvals_to_remove" fc:"set"`
	Extensions              Extensions  `json:"extensions"`
}

// FeePayer returns the account that sends the approval; the approving accounts sign as well.
func (op *ProposalUpdateOp) FeePayer() AccountID { return op.FeePayingAccount }

func (*ProposalUpdateOp) declared() *declaration { return &proposalUpdateDeclaration }

var proposalUpdateDeclaration = declaration{
	code: CodeProposalUpdate, name: "proposal_update", new: empty[ProposalUpdateOp],
	fee:      bySize(100_000, 10),
	rules:    rules((*ProposalUpdateOp).valid),
	signs:    signers((*ProposalUpdateOp).needs),
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: words((*ProposalUpdateOp).sentence),
}

// needs adds the payer and everybody who approves or withdraws approval.
func (op *ProposalUpdateOp) needs(n *Needs) {
	n.Active = append(append(append(n.Active, op.FeePayingAccount), op.ActiveApprovalsToAdd...), op.ActiveApprovalsToRemove...)
	n.Owner = append(append(n.Owner, op.OwnerApprovalsToAdd...), op.OwnerApprovalsToRemove...)
	var keys Authority
	for _, list := range [][]PublicKey{op.KeyApprovalsToAdd, op.KeyApprovalsToRemove} {
		for _, key := range list {
			keys.KeyAuths = append(keys.KeyAuths, KeyWeight{Key: key, Weight: 1})
		}
	}
	if keys.WeightThreshold = uint32(len(keys.KeyAuths)); keys.WeightThreshold > 0 {
		n.Other = append(n.Other, keys)
	}
}

// approvalChanges implements approver.
func (op *ProposalUpdateOp) approvalChanges() (to ProposalID, add, remove Approvals) {
	return op.Proposal, Approvals{op.ActiveApprovalsToAdd, op.OwnerApprovalsToAdd, op.KeyApprovalsToAdd},
		Approvals{op.ActiveApprovalsToRemove, op.OwnerApprovalsToRemove, op.KeyApprovalsToRemove}
}

func (op *ProposalUpdateOp) valid() error {
	changes := len(op.ActiveApprovalsToAdd) + len(op.ActiveApprovalsToRemove) + len(op.OwnerApprovalsToAdd) +
		len(op.OwnerApprovalsToRemove) + len(op.KeyApprovalsToAdd) + len(op.KeyApprovalsToRemove)
	return check(require(changes > 0, "an approval must add or remove somebody"),
		disjoint(op.ActiveApprovalsToAdd, op.ActiveApprovalsToRemove),
		disjoint(op.OwnerApprovalsToAdd, op.OwnerApprovalsToRemove),
		disjoint(op.KeyApprovalsToAdd, op.KeyApprovalsToRemove))
}

// effects lists what is approved, by whom, and whether that is enough.
func (op *ProposalUpdateOp) effects(before Before, n Namer) []Effect {
	var out []Effect
	proposal := before.Proposal(op.Proposal)
	if proposal != nil {
		out = proposedEffects("the proposal would do", proposal.ProposedTransaction.Operations, before, n)
		for i := range out {
			out[i].Approved = true
		}
	} else {
		out = append(out, Effect{What: "the proposal would do", Now: "something that cannot be read now"})
	}
	named := func(id AccountID) string { return withID(id, n) }
	out = append(out, approvals("active approval of ", "given", op.ActiveApprovalsToAdd, named)...)
	out = append(out, approvals("active approval of ", "taken back", op.ActiveApprovalsToRemove, named)...)
	out = append(out, approvals("owner approval of ", "given", op.OwnerApprovalsToAdd, named)...)
	out = append(out, approvals("owner approval of ", "taken back", op.OwnerApprovalsToRemove, named)...)
	out = append(out, approvals("approval of the key ", "given", op.KeyApprovalsToAdd, PublicKey.String)...)
	out = append(out, approvals("approval of the key ", "taken back", op.KeyApprovalsToRemove, PublicKey.String)...)
	if proposal != nil {
		out = append(out, proposal.awaited(before, n))
	}
	return out
}

// approvals returns an effect for each party.
func approvals[T any](what, now string, parties []T, name func(T) string) []Effect {
	out := make([]Effect, len(parties))
	for i, p := range parties {
		out[i] = Effect{What: what + name(p), Now: now}
	}
	return out
}

func (op *ProposalUpdateOp) sentence(n Namer) string {
	added := len(op.ActiveApprovalsToAdd) + len(op.OwnerApprovalsToAdd) + len(op.KeyApprovalsToAdd)
	removed := len(op.ActiveApprovalsToRemove) + len(op.OwnerApprovalsToRemove) + len(op.KeyApprovalsToRemove)
	verb := "changed approvals of"
	switch {
	case removed == 0:
		verb = "approved"
	case added == 0:
		verb = "withdrew approval of"
	}
	return fmt.Sprintf("%s %s the proposal %s", n.AccountName(op.FeePayingAccount), verb, op.Proposal)
}

// ProposalDeleteOp withdraws a proposal.
type ProposalDeleteOp struct {
	Fee                 AssetAmount `json:"fee,omitempty"`
	FeePayingAccount    AccountID   `json:"fee_paying_account"`
	UsingOwnerAuthority bool        `json:"using_owner_authority"`
	Proposal            ProposalID  `json:"proposal"`
	Extensions          Extensions  `json:"extensions"`
}

// FeePayer returns the account that withdraws the proposal.
func (op *ProposalDeleteOp) FeePayer() AccountID { return op.FeePayingAccount }

func (*ProposalDeleteOp) declared() *declaration { return &proposalDeleteDeclaration }

var proposalDeleteDeclaration = declaration{
	code: CodeProposalDelete, name: "proposal_delete", new: empty[ProposalDeleteOp],
	fee:      flatFee(100_000),
	rules:    noRules,
	signs:    signers((*ProposalDeleteOp).needs),
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{fee_paying_account} withdrew the proposal {proposal}"),
}

// needs adds the owner authority if the proposal is withdrawn with it, otherwise the active one.
func (op *ProposalDeleteOp) needs(n *Needs) {
	if op.UsingOwnerAuthority {
		n.Owner = append(n.Owner, op.FeePayingAccount)
		return
	}
	n.Active = append(n.Active, op.FeePayingAccount)
}

func disjoint[T comparable](add, remove []T) error {
	for _, a := range add {
		for _, r := range remove {
			if a == r {
				return errors.New("an approval cannot be added and removed at the same time")
			}
		}
	}
	return nil
}

func (op *ProposalCreateOp) intent(n Namer) string {
	what := make([]string, len(op.ProposedOps))
	for i, p := range op.ProposedOps {
		what[i] = Intent(p.Op, n)
	}
	return n.AccountName(op.FeePayingAccount) + " proposes: " + strings.Join(what, "; ")
}
