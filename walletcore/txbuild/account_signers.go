package txbuild

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
	a, err := b.changedAccount(ctx, p.Account)
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
	named, err := b.Account(ctx, p.Change.Account)
	if err != nil {
		return nil, err
	}
	a, err := b.present(ctx, named)
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

func (b *Builder) changeSigners(ctx context.Context, a *presentAccount, p ChangeSignersParams) (*ledger.AccountUpdateOp, error) {
	owner, err := b.newAuthority(ctx, p.Owner)
	if err != nil {
		return nil, err
	}
	active, err := b.newAuthority(ctx, p.Active)
	if err != nil {
		return nil, err
	}
	return b.accountUpdate(a, owner, active, p.Memo)
}

// newAuthority returns the authority of the given signers, or nil if s is nil.
func (b *Builder) newAuthority(ctx context.Context, s *Signers) (*ledger.Authority, error) {
	if s == nil {
		return nil, nil
	}
	out := &ledger.Authority{WeightThreshold: s.Needs, KeyAuths: s.Keys}
	for _, signer := range s.Accounts {
		named, err := b.Account(ctx, signer.Account)
		if err != nil {
			return nil, err
		}
		out.AccountAuths = append(out.AccountAuths, ledger.AccountWeight{Account: named.ID, Weight: signer.Weight})
	}
	return out, nil
}
