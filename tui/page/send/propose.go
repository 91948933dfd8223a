package send

import (
	"context"

	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/walletcore/build"
)

// Payers returns the accounts that can pay for a proposal of the account in focus, that one first.
func Payers(env screen.Env) []string { return env.Payers(env.Account.ID) }

// ProposalOf returns a payment for others to approve; its proposer is not set.
func ProposalOf(env screen.Env, payment build.TransferParams) build.ProposedPayment {
	return build.ProposedPayment{Payment: payment, Expires: env.ProposalEnd()}
}

// Build builds a payment. If the keys here may not sign it alone, it becomes a proposal that the first of payers who can pays for,
// or else a file.
func Build(ctx context.Context, payer Payer, by Proposer, req build.ProposedPayment, payers []string) (screen.Built, error) {
	built, err := payer.Prepare(ctx, req.Payment)
	u, is := built.(screen.Unsigned)
	if err != nil || !is {
		return built, err
	}
	return screen.ProposalOrFile(u, payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// Propose proposes a payment; the first of payers who can pays for it. If none can, the error is that of the first.
func Propose(ctx context.Context, by Proposer, req build.ProposedPayment, payers []string) (screen.Built, error) {
	return screen.FirstAble(payers, func(payer string) (screen.Built, error) {
		req.Proposer = payer
		return by.Propose(ctx, req)
	})
}

// whyNoProposal returns why what is under review cannot be proposed; empty if it can.
func (m *Model) whyNoProposal(env screen.Env) string {
	switch {
	case !reviewsFile(m) && m.builtBy != "":
		return "only a payment of the form can be proposed"
	case isProposal(m.review.Shown):
		return "it is a proposal already"
	case !reviewsFile(m) && m.review.Shown.To.Name == "":
		return "only a payment to an account can be proposed"
	case NoPayer(m.prepared) != "":
		return NoPayer(m.prepared)
	case len(Payers(env)) == 0:
		return noPayerText
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// noPayerText is why nothing can be proposed if no account of the wallet can act alone.
const noPayerText = "no account of this wallet can pay the fee of a proposal"

// NoPayer returns why nobody could pay for a proposal of what was built; empty if that was not tried.
func NoPayer(built screen.Built) string {
	only, is := built.(screen.OnlyFile)
	switch {
	case !is:
		return ""
	case only.Why == nil:
		return noPayerText
	}
	what, _ := advice.Of(only.Why)
	return what
}
