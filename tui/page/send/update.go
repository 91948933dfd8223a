package send

import (
	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen. What is changed in the form while its review is in the making counts for more than the review.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	before := m.form.typed()
	cmd := route(m, env, msg)
	if link := m.form.link; link != nil {
		m.form.link = nil
		cmd = tea.Batch(cmd, m.aside.replace(env, filling{link: true, text: *link}))
	}
	own(&m.form, env.Account)
	if m.stage == stageForm {
		cmd = tea.Batch(cmd, readOlder(&m.form, env))
	}
	if building(m.tasks) && m.form.typed() != before {
		return tea.Batch(cmd, stopBuilding(m.tasks, "The form changed, so its review was not opened; ctrl+s opens it"))
	}
	return cmd
}

func route(m *Model, env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		cmd := m.opened(env, msg.With)
		return tea.Batch(cmd, m.sending.findRow(env, m.form.history))
	case screen.Left:
		m.sending.away = m.sending.fault == ""
		if building(m.tasks) {
			return stopBuilding(m.tasks, "You left the form, so its review was not opened")
		}
	case event.Event:
		return tea.Batch(m.event(env, msg.Kind), m.sending.findRow(env, m.form.history))
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		return m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// opened shows what the asker gave: a payment on its way, or the start of one.
func (m *Model) opened(env screen.Env, with any) tea.Cmd {
	id, shown := with.(ledger.TransactionID)
	if m.sending.busy && with != nil {
		m.stage, m.sending.away = stageSending, false
		if p, known := m.sending.payment(env); shown && known && p.ID == id {
			return m.readAround(env)
		}
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("A payment is still being sent; try again when it is")})
	}
	var filled tea.Cmd
	switch with := with.(type) {
	case screen.Spend:
		return m.openSpend(env, with)
	case ledger.TransactionID:
		m.stage = stageSending
		m.sending.show(with)
	case screen.Typed:
		filled = begin(m, env, with)
	case screen.Payment:
		filled = prefill(m, env, with)
	case screen.Recipient:
		toForm(m)
		filled = m.form.takeRecipient(env, with.Account)
	}
	m.form.typing = m.form.typing || m.stage == stageForm
	switch {
	case m.stage == stageReview: // it opens again: again it must stand still first
		return m.review.Reopen(env)
	case m.stage == stageSending && !shown && m.sending.over(env) && !m.sending.unread():
		m.backToForm()
		m.form.typing = true
	}
	m.sending.away = false
	return tea.Batch(filled, m.readAround(env))
}

// event reads again what may have changed.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch kind {
	case event.Daemon: // it may know more, or be another node
		m.form.who.foundFor = ""
		return tea.Batch(m.readAround(env), reread(m, env))
	case event.Accounts:
		return tea.Batch(m.readAround(env), reread(m, env))
	case event.Payment:
		return tea.Batch(m.form.readBalances(env), reread(m, env))
	case event.Block:
		return tea.Batch(m.form.lookAgain(env), m.form.readBalances(env), rereadIfOld(m, env))
	}
	return nil
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case "unsigned":
		return m.saved(env, msg)
	case "build":
		return m.built(env, msg)
	case "propose":
		return m.proposed(env, msg)
	case "send":
		return m.sent(env, msg)
	case topicReread:
		return wasReread(m, env, msg)
	case "resend":
		m.sending.resent(msg)
	case topicRow:
		m.sending.rowFound(msg)
	case topicLabel:
		return m.label.ended(msg)
	case topicList:
		m.drafts.listed(env, msg)
	case topicAside:
		return tea.Batch(m.aside.kept(env, msg), m.drafts.list(env))
	case topicKeep:
		return m.leaveDrafts(m.drafts.kept(env, msg))
	case topicChange:
		return m.drafts.changed(env, msg)
	default:
		m.form.learn(env, msg)
	}
	return nil
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch do {
	case doSign:
		return m.review.Blocked(env)
	case doPropose:
		return m.noProposal(env)
	case doSave:
		return noSave(env, m)
	case doResend:
		return m.sending.noResend(env)
	case "sending.again":
		return m.noRepeat(env)
	case doDelete, doUndo:
		return m.drafts.off(env, do)
	case doLabel:
		return noLabel(env, &m.sending)
	case doKeep:
		if _, is := m.sending.stranger(env); !is {
			return "nobody to save: your own account, a contact already, or no account"
		}
	}
	return ""
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	switch m.stage {
	case stageReview:
		m.drawReview(env, a)
	case stageSending:
		m.sending.draw(env, a)
		if m.label.Form != nil {
			m.label.Form.Draw(env, a)
		}
	case stageDrafts:
		m.drafts.draw(env, a)
	default:
		m.form.draw(env, a)
	}
}

func (m *Model) drawReview(env screen.Env, a canvas.Area) {
	title := "Review"
	if env.Status.Sandbox {
		title = theme.SignChip + " Review " + theme.SignChip
	}
	m.review.Draw(env, panel(env, a, title, m.review.Built, m.review.State(), canvas.In(theme.Muted, "enter does nothing here")))
}
