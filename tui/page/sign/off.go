package sign

import (
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/walletcore/proposal"
)

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	if m.file != nil {
		return m.file.off(env, do)
	}
	p, there := m.focused()
	switch do {
	case doFilter:
		if len(m.proposals) == 0 {
			return "there is no proposal"
		}
	case "enter":
		if !there && m.typing == nowhere {
			return "there is no proposal"
		}
	case doApprove, doWithdraw, doJSON, doTree:
		if !there {
			return "there is no proposal"
		}
	}
	if do != doApprove && do != doWithdraw {
		return ""
	}
	switch {
	case !env.Online():
		return env.NoNode()
	case env.Status.Stale:
		return "the node is behind"
	case payerID(env) == "":
		return noPayer
	case do == doApprove:
		return whyNoApproval(p, env)
	case p.Take.Empty():
		return "there is no approval of yours"
	}
	return ""
}

// whyNoApproval returns why this wallet cannot approve a proposal now; empty if it can.
func whyNoApproval(p proposal.Proposal, env screen.Env) string {
	switch {
	case p.Closed(chainTime(env)):
		return "its review period has begun: approvals can only be taken back"
	case p.Enough:
		return "it has all approvals that it needs"
	case p.Give.Empty() && !p.Take.Empty():
		return "you have approved it"
	case p.Give.Empty():
		return "no key in this wallet can approve it"
	}
	return ""
}
