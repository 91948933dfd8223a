package send

import (
	"billfold/tui/screen"
	"billfold/walletcore/payment"
)

// Signing is what was signed for on a page and is in no journal yet.
func Signing(env screen.Env, m *Model) screen.Signing {
	s := &m.sending
	if _, signed := s.payment(env); !s.busy || signed {
		return screen.Signing{}
	}
	out := screen.Signing{Payment: payment.Payment{State: payment.Prepared, Review: s.review, Prepared: s.since}}
	if s.ofForm {
		out.Account, out.Request = unsent(&m.form, env)
		out.Draft = m.form.draftOf(m.form.typed())
	}
	return out
}

// ToDrafts are the keys that lead from Home to the drafts, the page's own among them; empty where what is being sent is in the way.
func ToDrafts(env screen.Env, m *Model) string {
	switch {
	case m.stage == stageForm, m.stage == stageSending && m.sending.over(env) && !m.sending.unread():
		return "3 esc d"
	case m.stage == stageDrafts:
		return "3"
	}
	return ""
}
