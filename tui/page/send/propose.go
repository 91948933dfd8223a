package send

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"

	tea "github.com/charmbracelet/bubbletea"
)

// proposalLife is how long others have to approve a proposed payment.
const proposalLife = 7 * 24 * time.Hour

// proposer is the account that pays the fee of a proposal: the one in focus where the wallet can sign
// for it, else the first that it can sign for. Empty is none.
func proposer(env screen.Env) string {
	if env.Owns(env.Account.ID) {
		return env.Account.Name
	}
	for _, a := range env.Accounts {
		if a.CanSign() {
			return a.Name
		}
	}
	return ""
}

// ProposalOf is a payment for others to approve. An empty proposer is none.
func ProposalOf(env screen.Env, payment build.TransferParams) build.ProposedPayment {
	end := env.Status.HeadTime
	if end == 0 {
		end = ledger.TimeOf(env.Now)
	}
	return build.ProposedPayment{Payment: payment, Proposer: proposer(env), Expires: end + ledger.Time(proposalLife/time.Second)}
}

// noProposal is why the payment under review cannot be proposed.
func (m *Model) noProposal(env screen.Env) string {
	switch {
	case m.back != "":
		return "only a payment of the form can be proposed"
	case m.proposal:
		return "it is a proposal already"
	case m.review.Shown.To.Name == "":
		return "only a payment to an account can be proposed"
	case proposer(env) == "":
		return "no account of this wallet can pay the fee of a proposal"
	case !env.Online():
		return "no node answers"
	}
	return ""
}

// propose has the payment under review built as a proposal.
func (m *Model) propose(env screen.Env) tea.Cmd {
	if why := m.noProposal(env); why != "" {
		return screen.Request(screen.Toast{Line: canvas.Text("p is off: " + why)})
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	return m.startProposal(env)
}

// startProposal asks the core for the proposal; nothing is signed by that.
func (m *Model) startProposal(env screen.Env) tea.Cmd {
	req := ProposalOf(env, m.form.request(env))
	return m.tasks.Start(env, "propose", askLimit, func(ctx context.Context) (any, error) { return m.proposer.Propose(ctx, req) })
}
