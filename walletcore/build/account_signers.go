package build

import (
	"context"

	"billfold/ledger"
)

// Signers are the parties that may sign for an account, as a person named them.
type Signers struct {
	Needs    uint32 // the weight that is needed
	Accounts []AccountSigner
	Keys     []ledger.KeyWeight
}

// AccountSigner is an account that may sign for another.
type AccountSigner struct {
	Account string // name or id
	Weight  uint16
}

// ChangeSignersParams are the new signers of an account.
type ChangeSignersParams struct {
	Account       string            `role:"account"`
	Owner, Active *Signers          // nil: unchanged
	Memo          *ledger.PublicKey // nil: unchanged
}

// ChangeSigners sets new signers for an account. Their names are checked against the pins before signing. Errors: those of
// UpdateAccountToMultisig and Account.
func ChangeSigners(ctx context.Context, b *Builder, p ChangeSignersParams) ([]ledger.Operation, error) {
	a, err := b.Payer(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	op, err := b.changeSigners(ctx, a, p)
	if err != nil {
		return nil, err
	}
	return b.exactly(op)
}

// ProposedSigners is a change of signers for the present signers to approve.
type ProposedSigners struct {
	Change   ChangeSignersParams
	Proposer string      // pays the fee of the proposal
	Expires  ledger.Time // when the proposal expires
}

// ProposeSigners proposes a change of signers. Errors: those of ChangeSigners.
func ProposeSigners(ctx context.Context, b *Builder, p ProposedSigners) ([]ledger.Operation, error) {
	a, err := b.Account(ctx, p.Change.Account)
	if err != nil {
		return nil, err
	}
	op, err := b.changeSigners(ctx, a, p.Change)
	if err != nil {
		return nil, err
	}
	proposer, err := b.Payer(ctx, p.Proposer)
	if err != nil {
		return nil, err
	}
	return b.propose(proposal{payer: proposer.ID, expires: p.Expires}, ledger.NewOperation(op))
}

func (b *Builder) changeSigners(ctx context.Context, a *ledger.Account, p ChangeSignersParams) (*ledger.AccountUpdateOp, error) {
	owner, err := b.newAuthority(ctx, p.Owner, a.Owner)
	if err != nil {
		return nil, err
	}
	active, err := b.newAuthority(ctx, p.Active, a.Active)
	if err != nil {
		return nil, err
	}
	memo := a.Options.MemoKey
	if p.Memo != nil {
		memo = *p.Memo
	}
	return b.accountUpdate(a, owner, active, memo)
}

// newAuthority returns the authority of the given signers, or the present one if s is nil.
func (b *Builder) newAuthority(ctx context.Context, s *Signers, present ledger.Authority) (ledger.Authority, error) {
	if s == nil {
		return present, nil
	}
	out := ledger.Authority{WeightThreshold: s.Needs, KeyAuths: s.Keys}
	for _, signer := range s.Accounts {
		named, err := b.Account(ctx, signer.Account)
		if err != nil {
			return out, err
		}
		out.AccountAuths = append(out.AccountAuths, ledger.AccountWeight{Account: named.ID, Weight: signer.Weight})
	}
	return out, nil
}
