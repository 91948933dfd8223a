package send

import (
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Update implements screen.Screen. If the form changes while its review is being built, the review does not open.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	before := m.form.typed()
	cmd := m.route(env, msg)
	if link := m.form.link; link != nil {
		m.form.link = nil
		cmd = tea.Batch(cmd, m.replacer.replace(env, filling{link: true, text: *link}))
	}
	m.form.setOwner(env.Account)
	if m.stage == stageForm {
		cmd = tea.Batch(cmd, m.form.readOlder(env))
	}
	if reviewBuilding(m.tasks) && m.form.typed() != before {
		return tea.Batch(cmd, stopBuilding(m.tasks, "The form changed, so its review was not opened; ctrl+s opens it"))
	}
	return cmd
}

func (m *Model) route(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Opened:
		cmd := m.open(env, msg.With)
		return tea.Batch(cmd, m.sending.findRow(env, m.form.history))
	case screen.Left:
		m.sending.leftBeforeFault = m.sending.fault == ""
		if reviewBuilding(m.tasks) {
			return stopBuilding(m.tasks, "You left the form, so its review was not opened")
		}
	case event.Event:
		return tea.Batch(m.event(env, msg.Kind), m.sending.findRow(env, m.form.history))
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		return m.typeKey(env, msg.Key)
	case screen.Click:
		return m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	}
	return nil
}

// open shows what Navigate gave: a payment that was sent, something to review, or the start of a payment.
func (m *Model) open(env screen.Env, with any) tea.Cmd {
	id, shown := with.(ledger.TransactionID)
	_, pay := with.(screen.Pay)
	if pay { // else it only shows the page
		with = nil
	}
	if m.sending.busy && with != nil {
		m.stage, m.sending.leftBeforeFault = stageSending, false
		if p, known := m.sending.payment(env); shown && known && p.ID == id {
			return m.readSurroundings(env)
		}
		return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text("A payment is still being sent; try again once it is sent")})
	}
	if _, is := with.(screen.Proposal); !is && !m.form.worthKeeping() { // nothing is typed of a proposal
		m.form.proposes = false
	}
	var filled tea.Cmd
	if pay && m.stage == stageForm && m.form.proposes {
		filled = m.replacer.replace(env, filling{text: emptyForm()})
	}
	switch with := with.(type) {
	case screen.Spend:
		return m.openSpend(env, with)
	case ledger.TransactionID:
		m.stage = stageSending
		m.sending.showSent(with)
	case screen.Typed:
		filled = m.fillFromTyped(env, with)
	case screen.Payment:
		filled = m.fillFromPayment(env, with)
	case screen.SeveralPayments:
		filled = m.startForm(env, Form{Several: true})
	case screen.Proposal:
		filled = m.startForm(env, Form{Proposes: true})
	case screen.Recipient:
		m.showForm()
		filled = m.form.setRecipient(env, with.Account)
	}
	m.form.typing = m.form.typing || m.stage == stageForm
	switch {
	case m.stage == stageReview: // S must wait again until the review has stood still
		return m.review.Reopen(env)
	case m.stage == stageSending && !shown && m.sending.isOver(env) && !m.sending.faultUnseen():
		m.endSending()
		m.form.typing = true
	}
	m.sending.leftBeforeFault = false
	return tea.Batch(filled, m.readSurroundings(env))
}

// event reads again what may have changed.
func (m *Model) event(env screen.Env, kind event.Kind) tea.Cmd {
	switch kind {
	case event.Daemon: // it may be another node, or know more now
		m.form.recipients.searchedFor = ""
		return tea.Batch(m.readSurroundings(env), m.reread(env))
	case event.Accounts:
		return tea.Batch(m.readSurroundings(env), m.reread(env))
	case event.Payment:
		return tea.Batch(m.form.readBalances(env), m.reread(env))
	case event.Block:
		return tea.Batch(m.form.retrySearch(env), m.form.readBalances(env), m.rereadIfOld(env))
	}
	return nil
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case "unsigned":
		return m.applySavedFile(env, msg)
	case "build":
		return m.openReview(env, msg)
	case "propose":
		return m.applyProposed(env, msg)
	case "send":
		return m.applySent(env, msg)
	case topicReread:
		return m.applyReread(env, msg)
	case topicLater:
		return m.applyLater(env, msg)
	case topicLeaving:
		return m.applyLeft(env, msg)
	case topicStop:
		return m.leaveDrafts(m.drafts.applyStopped(env, msg))
	case "resend":
		m.sending.applyResend(msg)
	case topicRow:
		m.sending.applyRow(msg)
	case topicLabel:
		return m.labelForm.finish(msg)
	case topicList:
		m.drafts.applyList(env, msg)
	case topicReplace:
		return tea.Batch(m.replacer.applySaved(env, msg), m.drafts.readList(env))
	case topicKeep:
		return m.leaveDrafts(m.drafts.applySaved(env, msg))
	case topicNames:
		return m.form.applyNames(env, msg)
	case topicChange:
		return m.drafts.applyChange(env, msg)
	default:
		m.form.applyResult(env, msg)
	}
	return nil
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch do {
	case doSign:
		return m.review.Blocked(env)
	case doLater:
		return m.whyNotLater(env)
	case doPropose:
		return m.whyNoProposal(env)
	case doSave:
		return m.whyNoSave(env)
	case doResend:
		return m.sending.whyNoResend(env)
	case "sending.again":
		return m.whyNoRepeat(env)
	case doDelete, doUndo:
		return m.drafts.off(env, do)
	case doLabel:
		return whyNoLabel(env, &m.sending)
	case doKeep:
		if _, is := m.sending.unsavedRecipient(env); !is {
			return "nobody to save: your own account, a contact already, or no account"
		}
	}
	return ""
}

// Word implements screen.Worder: S does what the operation under review is.
func (m *Model) Word(_ screen.Env, do action.ID) string {
	switch {
	case m.stage == stageReview && do == doSign:
		return m.review.Word()
	case m.stage == stageReview && do == doSave && isProposal(m.review.Shown):
		return "save the proposal unsigned"
	}
	return ""
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	switch m.stage {
	case stageReview:
		m.drawReview(env, a)
		if m.later.Form != nil {
			m.later.Form.Draw(env, a)
		}
	case stageSending:
		m.sending.draw(env, a)
		if m.labelForm.Form != nil {
			m.labelForm.Form.Draw(env, a)
		}
	case stageDrafts:
		m.drafts.draw(env, a)
	default:
		m.form.draw(env, a)
	}
}

func (m *Model) drawReview(env screen.Env, a canvas.Area) {
	title := "Review · " + format.Clean(m.review.Shown.Operation)
	if canvas.Width(title)+env.AsOf(m.review.Built).Width()+10 > a.W { // its first row names the operation, too
		title = "Review"
	}
	if env.Status.Sandbox {
		title = theme.SignChip + " " + title + " " + theme.SignChip
	}
	m.review.Draw(env, panel(env, a, title, m.review.Built, m.review.State(), canvas.In(theme.Muted, "enter does nothing here")))
}

// panel draws the frame of the page and returns the area inside; on a tiny terminal there is no frame. read is when what it shows
// was read.
func panel(env screen.Env, a canvas.Area, title string, read time.Time, state, foot canvas.Line) canvas.Area {
	head := canvas.Join(canvas.Bold(theme.Focus, title), env.AsOf(read))
	return a.Panel(canvas.Frame{Title: head, State: state, Foot: foot, Heavy: true}, env.Class > layout.Tiny)
}
