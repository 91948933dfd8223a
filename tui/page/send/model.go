package send

import (
	"cmp"
	"context"
	"strings"

	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// Payer builds payments. One that the keys here may not sign alone is a screen.Unsigned.
type Payer interface {
	Prepare(ctx context.Context, req build.TransferParams) (screen.Built, error)
	Resender
}

// Proposer makes of a payment what others have to approve or sign, too.
type Proposer interface {
	Propose(ctx context.Context, req build.ProposedPayment) (screen.Built, error)
	Unsigned(ctx context.Context, req build.TransferParams) (screen.Saved, error)
}

// Core is what the page needs of the wallet.
type Core struct {
	Finder  Finder
	History History
	Payer   Payer
	Propose Proposer
	Drafts  Keeper
	Labels  Labeller
}

// topicReread is looking again at what is under review.
const topicReread = "reread"

// stage is how far a payment has come.
type stage int

const (
	stageForm stage = iota
	stageReview
	stageSending
	stageDrafts
)

// Model is the page.
type Model struct {
	payer    Payer
	proposer Proposer
	tasks    *screen.Tasks
	stage    stage
	form     form
	prepared screen.Built
	review   review.Page // of prepared
	back     screen.ID   // the page that built it; empty: it is of the form
	sending  sending
	label    labelForm
	aside    aside
	drafts   drafts
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{payer: core.Payer, proposer: core.Propose, tasks: tasks, form: newForm(core.Finder, core.History, tasks),
		sending: sending{resender: core.Payer, tasks: tasks},
		label:   newLabelForm(core.Labels, tasks)}
	m.aside = aside{keeper: core.Drafts, tasks: tasks, form: &m.form}
	m.drafts = newDrafts(&m.aside)
	return m
}

// ReviewOf is the page whose spend is under review; empty: none, or the form's own payment.
func (m *Model) ReviewOf() screen.ID {
	if m.stage != stageReview {
		return ""
	}
	return m.back
}

// OpenedBy is the page that asked for the review or for what is being sent; empty: this one.
func OpenedBy(m *Model) screen.ID {
	if m.stage != stageReview && m.stage != stageSending {
		return ""
	}
	return m.back
}

// Resume implements screen.Resumer: the form is typed again, as the draft that it came from. A payment that was sent, or is being
// sent, is so still, and what becomes of it is heard: its form is no new payment.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.form.fill(before.form.typed())
	m.form.origin, m.form.cleared = before.form.origin, before.form.cleared
	m.form.focus, m.form.typing = before.form.focus, before.form.typing
	m.aside.next, m.drafts.gone = before.aside.next, before.drafts.gone
	for _, topic := range []string{topicKeep, topicAside, topicChange} {
		m.tasks.Adopt(before.tasks, topic)
	}
	if before.stage != stageSending {
		return
	}
	m.stage, m.back = stageSending, before.back
	m.sending.locks(before.sending, m.tasks)
	m.tasks.Adopt(before.tasks, "send")
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch m.stage {
	case stageReview:
		return asker(m.back) + " › Review"
	case stageSending:
		return asker(m.back) + " › Sending"
	case stageDrafts:
		return "Send › Drafts"
	}
	return "Send › " + m.form.focus.name()
}

// asker is the page that asked for the review.
func asker(back screen.ID) string {
	switch back {
	case "":
		return "Send"
	case screen.FirstRun:
		return "First run"
	}
	return strings.ToUpper(string(back[:1])) + string(back[1:])
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form {
	if m.stage != stageSending {
		return nil
	}
	return m.label.Form
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.stage == stageSending && m.label.Form != nil:
		return m.label.Form.Place()
	case m.stage == stageSending:
		return "sending", screen.KEYS
	case m.stage == stageDrafts:
		return "send.drafts", screen.KEYS
	case m.stage == stageReview && m.review.Typing():
		return "review.type", screen.TYPE
	case m.stage == stageReview && written(m):
		return "review.file", screen.MODAL
	case m.stage == stageReview:
		return "review", screen.MODAL
	case m.form.typing:
		return "send.type", screen.TYPE
	}
	return "send.form", screen.KEYS
}

// prefill types what another page knows of a payment.
func prefill(m *Model, env screen.Env, p screen.Payment) tea.Cmd {
	toForm(m)
	if p.To.ID == 0 {
		return m.aside.takeAsset(env, p.Asset.Symbol)
	}
	text := formOf(p)
	return m.aside.replace(env, filling{text: text, origin: origin{given: text}})
}

// begin types what a person said of a payment.
func begin(m *Model, env screen.Env, said screen.Typed) tea.Cmd {
	toForm(m)
	text := Form{To: said.To, Amount: said.Amount, Asset: cmp.Or(said.Asset, emptyForm().Asset)}
	if said.To == "" && said.Amount == "" {
		return m.aside.takeAsset(env, text.Asset)
	}
	return m.aside.replace(env, filling{text: text})
}

// toForm leaves whatever is shown besides the form.
func toForm(m *Model) { m.stage, m.prepared, m.review, m.back = stageForm, nil, review.Page{}, "" }

// backToForm leaves the page of a payment that was sent.
func (m *Model) backToForm() {
	m.stage, m.back = stageForm, ""
	m.sending.reset()
}

// readAround asks for what surrounds a payment. A review of another account's
// payment is left.
func (m *Model) readAround(env screen.Env) tea.Cmd {
	drafts := m.drafts.list
	if m.form.follow(env.Account.ID) {
		m.leaveReview()
		drafts = m.drafts.open // they are the account's
	}
	return tea.Batch(drafts(env), m.form.readAround(env))
}

// leaveReview goes back to the form; nothing was signed and nothing is lost.
func (m *Model) leaveReview() {
	if m.stage == stageReview {
		m.stage, m.prepared, m.review, m.form.typing, m.back = stageForm, nil, review.Page{}, true, ""
	}
	m.tasks.Forget("build")
	m.tasks.Forget("propose")
	m.tasks.Forget(topicReread)
}

// written reports whether what is under review is only written, for others to sign.
func written(m *Model) bool {
	return m.stage == stageReview && m.review.Shown.Outcome == build.Writes
}

// unbuilt goes back to the form and says why there is no review.
func unbuilt(m *Model, why error) tea.Cmd {
	m.leaveReview()
	m.form.refused(why)
	if fault.CodeOf(why) == fault.Locked {
		return screen.Request(screen.NeedUnlock{Back: screen.Send})
	}
	return nil
}
