package send

import (
	"cmp"
	"context"
	"strings"

	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// Payer builds payments. One that the keys here may not sign alone is a screen.Unsigned.
type Payer interface {
	Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error)
	HasKey(ctx context.Context, key string) bool
	Resender
}

// Proposer turns a payment into a proposal that others approve, or a file that others sign.
type Proposer interface {
	Propose(ctx context.Context, req txbuild.ProposedPayment) (screen.Built, error)
	Unsigned(ctx context.Context, req txbuild.TransferParams) (screen.Saved, error)
}

// Core holds what the page needs of the wallet.
type Core struct {
	Finder  Finder
	History History
	Payer   Payer
	Propose Proposer
	Drafts  Keeper
	Labels  Labeller
	Tables  Tables
}

// topicReread is the topic of the task that reviews again what is under review.
const topicReread = "reread"

// stage is the part of the page that is shown.
type stage int

const (
	stageForm stage = iota
	stageReview
	stageSending
	stageDrafts
)

// Model is the page.
type Model struct {
	payer     Payer
	proposer  Proposer
	tables    Tables
	tasks     *screen.Tasks
	stage     stage
	form      form
	prepared  screen.Built
	review    review.Page // of prepared
	builtBy   screen.ID   // the page that built prepared; empty: the form did
	sending   sending
	labelForm labelForm
	later     laterForm
	leaving   leaving
	replacer  replacer
	drafts    drafts
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{payer: core.Payer, tables: core.Tables, proposer: core.Propose, tasks: tasks, form: newForm(core.Finder, core.History, tasks),
		sending:   sending{resender: core.Payer, tasks: tasks},
		labelForm: newLabelForm(core.Labels, tasks)}
	m.replacer = replacer{keeper: core.Drafts, tasks: tasks, form: &m.form}
	m.drafts = newDrafts(&m.replacer)
	m.later = laterForm{ask.Work{Tasks: tasks, Topic: topicLater, Limit: readLimit}}
	return m
}

// ReviewOf returns the page that built what is under review; empty if nothing is, or if it is the form's own payment.
func (m *Model) ReviewOf() screen.ID {
	if m.stage != stageReview {
		return ""
	}
	return m.builtBy
}

// OpenedBy returns the page that built what is under review or being sent; empty if it was this one.
func (m *Model) OpenedBy() screen.ID {
	if m.stage != stageReview && m.stage != stageSending {
		return ""
	}
	return m.builtBy
}

// Resume implements screen.Resumer: it takes over what is typed in the form, and the draft that it belongs to. A payment that was
// sent or is being sent stays on the page, which still gets its outcome: its form is not a new payment.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	m.form.fill(before.form.typed())
	m.form.origin, m.form.cleared = before.form.origin, before.form.cleared
	m.form.focus, m.form.typing = before.form.focus, before.form.typing
	m.replacer.waiting, m.drafts.deleted = before.replacer.waiting, before.drafts.deleted
	m.leaving = before.leaving
	for _, topic := range []string{topicKeep, topicReplace, topicChange, topicLeaving} {
		m.tasks.Adopt(before.tasks, topic)
	}
	if before.stage != stageSending {
		return
	}
	m.stage, m.builtBy = stageSending, before.builtBy
	m.sending.takeOver(before.sending, m.tasks)
	m.tasks.Adopt(before.tasks, "send")
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	switch m.stage {
	case stageReview:
		return m.builder() + " › Review"
	case stageSending:
		return m.builder() + " › Sending"
	case stageDrafts:
		return "Send › Drafts"
	}
	if m.form.several && m.form.focus == fieldTo {
		return m.form.name() + " › Table"
	}
	return m.form.name() + " › " + m.form.focus.name()
}

// builder returns the name of the form or page that built what is under review.
func (m *Model) builder() string {
	if m.builtBy == "" {
		return m.form.name()
	}
	return pageName(m.builtBy)
}

// pageName returns the name of the page that built what is under review.
func pageName(back screen.ID) string {
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
	switch m.stage {
	case stageSending:
		return m.labelForm.Form
	case stageReview:
		return m.later.Form
	case stageForm, stageDrafts:
	}
	return nil
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.stage == stageSending && m.labelForm.Form != nil:
		return m.labelForm.Form.Place()
	case m.stage == stageReview && m.later.Form != nil:
		return m.later.Form.Place()
	case m.stage == stageSending:
		return "sending", screen.KEYS
	case m.stage == stageDrafts:
		return "send.drafts", screen.KEYS
	case m.stage == stageReview && m.review.Typing():
		return "review.type", screen.TYPE
	case m.stage == stageReview && m.reviewsFile():
		return "review.file", screen.MODAL
	case m.stage == stageReview:
		return "review", screen.MODAL
	case m.form.typing && m.form.several:
		return "send.table", screen.TYPE
	case m.form.typing:
		return "send.type", screen.TYPE
	}
	return "send.form", screen.KEYS
}

// fillFromPayment fills the form with what another page knows about a payment.
func (m *Model) fillFromPayment(env screen.Env, p screen.Payment) tea.Cmd {
	m.showForm()
	if p.To.ID == 0 {
		return m.replacer.setAsset(env, p.Asset.Symbol)
	}
	text := formOfPayment(p)
	return m.replacer.replace(env, filling{text: text, origin: origin{filledWith: text}})
}

// fillFromTyped fills the form with what a person typed elsewhere.
func (m *Model) fillFromTyped(env screen.Env, said screen.Typed) tea.Cmd {
	m.showForm()
	text := Form{To: said.To, Amount: said.Amount, Asset: cmp.Or(said.Asset, emptyForm().Asset)}
	if said.To == "" && said.Amount == "" {
		return m.replacer.setAsset(env, text.Asset)
	}
	return m.replacer.replace(env, filling{text: text})
}

// startForm shows the empty form of a table or of a proposal. One of the same kind stays as it is typed, and of another a draft is kept.
func (m *Model) startForm(env screen.Env, text Form) tea.Cmd {
	m.showForm()
	if text.Several && m.form.several || text.Proposes && m.form.proposes {
		return nil
	}
	text.Asset = emptyForm().Asset
	return m.replacer.replace(env, filling{text: text})
}

// showForm shows the form, and leaves whatever else is shown.
func (m *Model) showForm() {
	m.stage, m.prepared, m.review, m.builtBy = stageForm, nil, review.Page{}, ""
}

// endSending leaves the page of a payment that was sent, and shows the form.
func (m *Model) endSending() {
	m.stage, m.builtBy = stageForm, ""
	m.sending.reset()
}

// readSurroundings starts reading drafts and what the form shows around a payment. If
// the account in focus changed, it leaves the review of the other one's payment.
func (m *Model) readSurroundings(env screen.Env) tea.Cmd {
	drafts := m.drafts.readList
	if m.form.followAccount(env.Account.ID) {
		m.leaveReview()
		drafts = m.drafts.open // drafts belong to an account
	}
	return tea.Batch(drafts(env), m.form.readSurroundings(env))
}

// leaveReview goes back to the form; nothing was signed and nothing is lost.
func (m *Model) leaveReview() {
	if m.stage == stageReview {
		m.stage, m.prepared, m.review, m.form.typing, m.builtBy = stageForm, nil, review.Page{}, true, ""
	}
	m.later.Close()
	m.tasks.Forget("build")
	m.tasks.Forget("propose")
	m.tasks.Forget(topicReread)
}

// reviewsFile reports whether what is under review becomes a file for others to sign.
func (m *Model) reviewsFile() bool {
	return m.stage == stageReview && m.review.Shown.Outcome == txbuild.Writes
}

// showBuildError goes back to the form and shows why there is no review.
func (m *Model) showBuildError(why error) tea.Cmd {
	m.leaveReview()
	m.form.applyRefusal(why)
	if fault.CodeOf(why) == fault.Locked {
		return screen.Request(screen.NeedUnlock{})
	}
	return nil
}
