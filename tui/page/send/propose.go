package send

import (
	"context"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/walletcore/build"
)

// Payers are the accounts that can pay for a proposal of the account in focus, that one first.
func Payers(env screen.Env) []string { return env.Payers(env.Account.ID) }

// ProposalOf is a payment for others to approve; who pays for it is not said.
func ProposalOf(env screen.Env, payment build.TransferParams) build.ProposedPayment {
	return build.ProposedPayment{Payment: payment, Expires: env.ProposalEnd()}
}

// Build builds a payment. One that the keys here may not sign alone is proposed where one of payers can pay for that, else it
// becomes a file.
func Build(ctx context.Context, payer Payer, by Proposer, req build.ProposedPayment, payers []string) (screen.Built, error) {
	built, err := payer.Prepare(ctx, req.Payment)
	u, is := built.(screen.Unsigned)
	if err != nil || !is {
		return built, err
	}
	return screen.ByOthers(u, payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// Propose proposes a payment, which the first of payers pays for that can. Error: of none, that of the first.
func Propose(ctx context.Context, by Proposer, req build.ProposedPayment, payers []string) (screen.Built, error) {
	return screen.FirstAble(payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// noProposal is why the operations under review cannot be proposed.
func (m *Model) noProposal(env screen.Env) string {
	switch {
	case !written(m) && m.back != "":
		return "only a payment of the form can be proposed"
	case m.review.Shown.Operation == build.Title(ledger.CodeProposalCreate):
		return "it is a proposal already"
	case !written(m) && m.review.Shown.To.Name == "":
		return "only a payment to an account can be proposed"
	case NoPayer(m.prepared) != "":
		return NoPayer(m.prepared)
	case len(Payers(env)) == 0:
		return nobodyPays
	case !env.Online():
		return "no node answers"
	}
	return ""
}

// nobodyPays is why nothing is proposed where no account of the wallet can act alone.
const nobodyPays = "no account of this wallet can pay the fee of a proposal"

// NoPayer is why nobody could pay for a proposal of what was built when that was tried; empty where it was not.
func NoPayer(built screen.Built) string {
	only, is := built.(screen.OnlyFile)
	switch {
	case !is:
		return ""
	case only.Why == nil:
		return nobodyPays
	}
	what, _ := advice.Of(only.Why)
	return what
}
