package send

import (
	"billfold/tui/screen"
	"billfold/walletcore/payment"
)

// Signing returns what a person has confirmed on the page and the journal does not have yet.
func Signing(env screen.Env, m *Model) screen.Signing {
	s := &m.sending
	if _, signed := s.payment(env); !s.busy || signed {
		return screen.Signing{}
	}
	out := screen.Signing{Payment: payment.Payment{State: payment.Prepared, Review: s.review, Prepared: s.startedAt}}
	if s.fromForm {
		out.Account, out.Typed = typedByOwner(&m.form, env)
		out.Typed.Proposes = out.Typed.Proposes || isProposal(s.review)
		out.Draft = m.form.draftOf(m.form.typed())
	}
	return out
}

// ToDrafts returns the keys that lead from Home to the drafts; empty if a payment that is being sent is in the way.
func ToDrafts(env screen.Env, m *Model) string {
	switch {
	case m.stage == stageForm, m.stage == stageSending && m.sending.isOver(env) && !m.sending.faultUnseen():
		return "3 esc d"
	case m.stage == stageDrafts:
		return "3"
	}
	return ""
}
