package txbuild

import (
	"context"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// proposal holds the terms on which operations are proposed to those who have to approve them.
type proposal struct {
	payer   ledger.AccountID
	expires ledger.Time
	review  uint32 // seconds before it expires in which approvals can only be taken back; 0: none
}

// propose proposes operations, in their order. They get fees like all operations.
func (b *Builder) propose(as proposal, ops ...ledger.Operation) ([]ledger.Operation, error) {
	op := &ledger.ProposalCreateOp{FeePayingAccount: as.payer, ExpirationTime: as.expires}
	if as.review > 0 {
		op.ReviewPeriodSeconds = &as.review
	}
	for _, each := range ops {
		op.ProposedOps = append(op.ProposedOps, ledger.ProposedOperation{Op: each})
	}
	return b.exactly(op)
}

// ProposeTransferParams are the parameters of propose_transfer.
type ProposeTransferParams struct {
	Proposer   string      `json:"proposer"     role:"account" help:"pays the fee of the proposal"`
	From       string      `json:"from"         help:"account that would pay"`
	To         string      `json:"to"           help:"account that would be paid"`
	Amount     string      `json:"amount"       help:"decimal text in the asset's precision"`
	Asset      string      `json:"asset_symbol" help:"symbol or id"`
	Memo       string      `json:"memo"         help:"encrypted for the recipient; empty = none"`
	Expiration ledger.Time `json:"expiration"   help:"when the proposal expires, UTC"`
}

// ProposeTransfer proposes a transfer for others to approve. Errors: those of Account, Receiver, Asset, Amount, Memo
// and Payer.
func ProposeTransfer(ctx context.Context, b *Builder, p ProposeTransferParams) ([]ledger.Operation, error) {
	return ProposePayment(ctx, b, ProposedPayment{Proposer: p.Proposer, Expires: p.Expiration,
		Payment: TransferParams{From: p.From, To: p.To, Amount: p.Amount, Asset: p.Asset, Memo: p.Memo}})
}

// ProposedPayment is a payment for others to approve.
type ProposedPayment struct {
	Payment  TransferParams
	Proposer string      // pays the fee of the proposal
	Expires  ledger.Time // when the proposal expires
}

// ProposePayment proposes a payment to an account. Errors: those of ProposeTransfer.
func ProposePayment(ctx context.Context, b *Builder, of ProposedPayment) ([]ledger.Operation, error) {
	p := of.Payment
	from, err := b.Account(ctx, p.From)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Asset)
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	memo, err := b.Memo(from, to, p.Memo, p.Plain)
	if err != nil {
		return nil, err
	}
	proposer, err := b.Payer(ctx, of.Proposer)
	if err != nil {
		return nil, err
	}
	return b.propose(proposal{payer: proposer.ID, expires: of.Expires},
		ledger.NewOperation(&ledger.TransferObsoleteOp{From: from.ID, To: to.ID, Amount: amount, Memo: memo}))
}

// ApprovalDelta lists who approves, and who takes an approval back.
type ApprovalDelta struct {
	ActiveAdd    []string           `json:"active_approvals_to_add"`
	ActiveRemove []string           `json:"active_approvals_to_remove"`
	OwnerAdd     []string           `json:"owner_approvals_to_add"`
	OwnerRemove  []string           `json:"owner_approvals_to_remove"`
	KeyAdd       []ledger.PublicKey `json:"key_approvals_to_add"`
	KeyRemove    []ledger.PublicKey `json:"key_approvals_to_remove"`
}

// ApproveProposalParams are the parameters of approve_proposal.
type ApproveProposalParams struct {
	Payer    string        `json:"fee_paying_account" help:"account name or id"`
	Proposal string        `json:"proposal_id"        help:"such as 1.6.5"`
	Delta    ApprovalDelta `json:"delta"              help:"accounts by name or id, and keys"`
}

// ApproveProposal approves a proposal, or takes approvals back. Errors: fault.NoSuchProposal, fault.BadValue for text that
// is not the id of a proposal, fault.InvalidOperation if the delta is empty, those of Payer and Account.
func ApproveProposal(ctx context.Context, b *Builder, p ApproveProposalParams) ([]ledger.Operation, error) {
	payer, err := b.Payer(ctx, p.Payer)
	if err != nil {
		return nil, err
	}
	id, err := b.openProposal(ctx, p.Proposal)
	if err != nil {
		return nil, err
	}
	op := &ledger.ProposalUpdateOp{FeePayingAccount: payer.ID, Proposal: id,
		KeyApprovalsToAdd: p.Delta.KeyAdd, KeyApprovalsToRemove: p.Delta.KeyRemove}
	for _, list := range []struct {
		names []string
		ids   *[]ledger.AccountID
	}{
		{p.Delta.ActiveAdd, &op.ActiveApprovalsToAdd}, {p.Delta.ActiveRemove, &op.ActiveApprovalsToRemove},
		{p.Delta.OwnerAdd, &op.OwnerApprovalsToAdd}, {p.Delta.OwnerRemove, &op.OwnerApprovalsToRemove},
	} {
		if *list.ids, err = b.accounts(ctx, list.names); err != nil {
			return nil, err
		}
	}
	return b.exactly(op)
}

// accounts finds accounts that the request names. It returns their ids sorted, each once.
func (b *Builder) accounts(ctx context.Context, names []string) ([]ledger.AccountID, error) {
	var ids []ledger.AccountID
	for _, name := range names {
		a, err := b.Account(ctx, name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, a.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// openProposal finds a proposal that waits for approvals, by its id.
func (b *Builder) openProposal(ctx context.Context, text string) (ledger.ProposalID, error) {
	id, err := ledger.ParseObjectID(text)
	found := ledger.ProposalID(id.Instance())
	if err != nil || found.Object() != id {
		return 0, badValue(b.op, fault.Quote(text)+" is not the id of a proposal", "it is written like 1.6.5")
	}
	p, err := b.view.Quorum.Proposal(ctx, found)
	switch {
	case err != nil:
		return 0, err
	case p == nil && !b.Repeated():
		return 0, &fault.Error{Code: fault.NoSuchProposal, Op: b.op, Message: "there is no open proposal " + id.String(),
			Hint: "get_proposed_transactions shows those of an account; nothing was signed"}
	}
	return found, nil
}
