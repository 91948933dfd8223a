package screen

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Saver is a Built that can be written to a file for others to sign.
type Saver interface {
	Built
	// Save writes exactly the operations of the review to a file, unsigned.
	Save(ctx context.Context) (Saved, error)
}

// Unsigned is a Built that the keys here may not sign alone: it becomes a file that others sign, or a proposal.
type Unsigned interface {
	Saver
	// Propose builds a proposal of them, whose fee payer pays.
	Propose(ctx context.Context, payer string, end ledger.Time) (Built, error)
}

// Saved is an unsigned transaction in a file.
type Saved struct {
	Path  string
	Until ledger.Time // when it expires
}

// OnlyFile is an Unsigned that cannot be proposed.
type OnlyFile struct {
	Unsigned
	Why error // why not; nil: no account of the wallet can act alone
}

// ProposalOrFile returns what others can sign in place of the keys here: a proposal, paid by the first of payers that can afford its
// fee, or else an OnlyFile. Errors: those of propose, except InsufficientBalance.
func ProposalOrFile(u Unsigned, payers []string, propose func(payer string) (Built, error)) (Built, error) {
	if len(payers) == 0 {
		return OnlyFile{Unsigned: u}, nil
	}
	built, err := FirstAble(payers, propose)
	if fault.CodeOf(err) == fault.InsufficientBalance {
		return OnlyFile{u, err}, nil
	}
	return built, err
}

// FirstAble returns the proposal paid by the first of payers that can afford the fee. Errors: those of propose; if nobody can afford
// it, the one for the first payer, who was meant.
func FirstAble(payers []string, propose func(payer string) (Built, error)) (Built, error) {
	var poor error
	for _, payer := range payers {
		built, err := propose(payer)
		if fault.CodeOf(err) != fault.InsufficientBalance || err == nil {
			return built, err
		}
		if poor == nil {
			poor = err
		}
	}
	return nil, poor
}

// proposalLife is how long others have to approve what is proposed.
const proposalLife = 7 * 24 * time.Hour

// ProposalEnd returns the expiration of what is proposed now.
func (e Env) ProposalEnd() ledger.Time {
	end := e.Status.HeadTime
	if end == 0 {
		end = ledger.TimeOf(e.Now)
	}
	return end + ledger.Time(proposalLife/time.Second)
}

// Payers returns the names of the accounts that can pay for a proposal because the wallet may act for them, the given one first.
func (e Env) Payers(first ledger.AccountID) (out []string) {
	if a, _ := e.Listed(first); a.CanSign() {
		out = append(out, a.Name)
	}
	for _, a := range e.Accounts {
		if a.CanSign() && a.ID != first {
			out = append(out, a.Name)
		}
	}
	return out
}
