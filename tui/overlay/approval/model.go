// Package approval is the pop-up in which a person decides about a spend, or a use of keys or the password, that a program requests. It
// shows the operation as package review does, with who asks and how long the request waits for an answer. A approves this one request,
// X denies it; closing the pop-up decides nothing.
package approval

import (
	"errors"
	"fmt"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/approval"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// Answerer takes the person's answer. An error means that the request has ended.
type Answerer interface {
	Approve(number int64) error
	Deny(number int64) error
}

const (
	doApprove action.ID = "approval.approve"
	doDeny    action.ID = "approval.deny"
)

// Model is the pop-up.
type Model struct {
	queue   Answerer
	request approval.Request
	unrun   string // a line that was entered after the one of the request and has not run; empty: none
	page    review.Page
}

// New returns the pop-up of a request and a command that the caller must run. unrun is a console line that the person entered
// meanwhile; empty: none.
func New(env screen.Env, queue Answerer, r approval.Request, unrun string) (*Model, tea.Cmd) {
	m := &Model{queue: queue, request: r, unrun: unrun}
	ask := review.Prompt{Key: "A", Word: "Approve: " + review.Deed(r.Review), Back: "decide later", Box: true, Over: m.over,
		Intro: "A program asks to spend. Read the operation, not the request.", Above: m.requestRows,
		Below: []review.Row{
			{Label: "Policy", Line: canvas.In(theme.Warn, theme.SignCareful+" "+format.Clean(r.Why)+"; A answers this request only")},
		}}
	if r.Via == approval.Console {
		ask.Intro, ask.Below = "You typed a call that spends. Read the operation, not the line.", nil
	}
	if unrun != "" {
		ask.Intro = "This is your earlier line. The new one has not run."
	}
	if r.Sentence != "" {
		ask.Word, ask.Action, ask.Typed = "Approve", r.Sentence, r.Typed
		ask.Intro = "A program asks for the keys or the password of this wallet."
	}
	m.page = review.New(env, r.Review, ask)
	return m, m.page.Wake()
}

// notes returns what follows an approval, for the toast afterwards.
func notes() map[txbuild.Outcome]string {
	return map[txbuild.Outcome]string{txbuild.Sends: ", being sent", txbuild.Signs: ", signed and not sent", txbuild.Writes: ", to be signed by others"}
}

// lineWidth is the width, in cells, to which a typed line is shown. It may be cut, because a person judges the operation, not the line.
const lineWidth = 120

// requestRows returns who asks and until when, and the typed lines of a request from the console. Where there is little room, the
// call stands beside who makes it, and the frame shows until when.
func (m *Model) requestRows(env screen.Env, tight bool) []review.Row {
	call := review.Row{Label: "Call", Line: canvas.Join(canvas.Text(format.Clean(m.request.Method)+"   "), m.timeout(env))}
	ended := review.Row{Label: "Request", Line: m.timeout(env)}
	if m.request.Line != "" {
		rows := []review.Row{{Label: "Your line", Line: canvas.Text(canvas.Cut(format.Clean(m.request.Line), lineWidth))}}
		switch {
		case !m.waits(env):
			rows = append(rows, ended)
		case !tight:
			rows = append(rows, call)
		}
		if m.unrun == "" {
			return rows
		}
		later := theme.SignCareful + " " + canvas.Cut(format.Clean(m.unrun), lineWidth)
		return append(rows, review.Row{Label: "Not run yet", Line: canvas.In(theme.Warn, later)})
	}
	who := format.Caller(m.request.Who) + ", " + m.request.Via + ", this computer"
	if m.request.From != "" {
		who = format.Caller(m.request.Who) + ", " + m.request.Via + ", from " + format.Clean(m.request.From)
	}
	switch {
	case !tight:
		return []review.Row{{Label: "Client", Line: canvas.Text(who)}, call}
	case !m.waits(env):
		return []review.Row{{Label: "Client", Line: canvas.Text(who)}, ended}
	}
	return []review.Row{{Label: "Client", Line: canvas.Text(who + ": " + format.Clean(m.request.Method))}}
}

// timeout returns when the request is denied without an answer, or that it has ended.
func (m *Model) timeout(env screen.Env) canvas.Line {
	switch {
	case !m.waits(env):
		return canvas.Bold(theme.Warn, theme.SignCareful+" has ended: nothing was "+m.undone())
	case m.request.Until.IsZero():
		return canvas.In(theme.Muted, "waits for your answer")
	}
	return canvas.In(theme.Pending, "denied automatically in "+format.Countdown(m.request.Until.Sub(env.Now)))
}

// state returns the place of the request among those that wait, and until when it waits if no row shows that.
func (m *Model) state(env screen.Env) canvas.Line {
	at := 1
	for i, r := range env.Approvals {
		if r.Number == m.request.Number {
			at = i + 1
		}
	}
	place := canvas.In(theme.Muted, fmt.Sprintf("%d of %d", at, max(len(env.Approvals), 1)))
	if !m.page.Tight(env) || !m.waits(env) || m.request.Until.IsZero() {
		return place
	}
	left := canvas.In(theme.Pending, "denied in "+format.Countdown(m.request.Until.Sub(env.Now)))
	return canvas.Join(left, canvas.In(theme.Muted, " · "), place)
}

// undone returns the word for what did not happen.
func (m *Model) undone() string {
	if m.request.Sentence != "" {
		return "done"
	}
	return "signed"
}

// waits reports whether the request still waits for an answer.
func (m *Model) waits(env screen.Env) bool {
	for _, r := range env.Approvals {
		if r.Number == m.request.Number {
			return r.Waits(env.Now)
		}
	}
	return false
}

// Places are the pop-up's keys.
func Places() []action.Place {
	esc := action.Action{ID: "esc", Keys: []string{"esc"}, Word: "decide later", Help: "close, decide nothing", Hint: 3, Typing: true}
	return []action.Place{
		{ID: "approval", Title: "Approval", Modal: true, Actions: append([]action.Action{
			{ID: doApprove, Keys: []string{"A"}, Word: "approve", Help: "approve: do what the button says", Hint: 1, Money: true},
			{ID: doDeny, Keys: []string{"X"}, Word: "deny", Help: "deny: the program gets an error", Hint: 2, Money: true}, esc,
		}, review.Keys(false)...)},
		{ID: "approval.type", Title: "Approval, typing", Modal: true, Actions: append([]action.Action{esc}, review.Keys(true)...)},
	}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.page.Typing() {
		return "approval.type", screen.TYPE
	}
	return "approval", screen.MODAL
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Approval " + format.Serial(m.request.Number) }

// Size returns how much room the pop-up wants.
func (m *Model) Size(env screen.Env) (w, h int) { return m.page.Size(env) }

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	switch {
	case do == doApprove:
		return m.page.Blocked(env)
	case do == doDeny:
		return m.over(env)
	}
	return ""
}

// over returns why the request cannot be answered any more; empty while it waits.
func (m *Model) over(env screen.Env) string {
	if m.waits(env) {
		return ""
	}
	return "the request has ended"
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Text:
		return m.typeText(env, msg.Key)
	case screen.Command:
		switch msg.ID {
		case doApprove:
			return m.approve(env)
		case doDeny:
			return m.deny(env)
		}
		return m.page.Do(env, msg.ID)
	}
	return nil
}

// typeText types into a confirmation. No confirmation begins with a capital letter, so X in an empty one denies, as the frame says.
// Nothing can be typed for a request that has ended.
func (m *Model) typeText(env screen.Env, k tea.KeyMsg) tea.Cmd {
	switch {
	case k.String() == "X" && (m.page.Untyped() && m.page.Ready(env) || !m.waits(env)):
		return m.deny(env)
	case !m.waits(env):
		return nil
	}
	return m.page.Text(env, k)
}

func (m *Model) approve(env screen.Env) tea.Cmd {
	switch why := m.Off(env, doApprove); {
	case why != "" && m.waits(env) && !m.page.Ready(env):
		return nil
	case why != "":
		return screen.Request(screen.Toast{Line: canvas.Text("A is off: " + why)})
	}
	note := notes()[m.request.Review.Outcome]
	if m.request.Sentence != "" {
		note = ""
	}
	return m.reportAnswer(m.queue.Approve(m.request.Number), canvas.In(theme.OK, theme.SignDone+" Approved"+note+": "))
}

func (m *Model) deny(env screen.Env) tea.Cmd {
	if !m.waits(env) {
		return screen.Request(dialog.Closed{})
	}
	return m.reportAnswer(m.queue.Deny(m.request.Number), canvas.In(theme.Warn, theme.SignFailed+" Denied: "))
}

// reportAnswer closes the pop-up with a toast: word and the summary of the request, or why the answer came too late.
func (m *Model) reportAnswer(err error, word canvas.Line) tea.Cmd {
	text := canvas.Join(word, Summary(m.request))
	switch {
	case errors.Is(err, approval.ErrUnwelcome):
		text = canvas.In(theme.Warn, theme.SignCareful+" The token that asked was revoked, or has expired. Nothing was "+m.undone()+".")
	case err != nil:
		text = canvas.In(theme.Warn, theme.SignCareful+" The client stopped waiting. Nothing was "+m.undone()+".")
	}
	return screen.Request(dialog.Closed{Then: screen.Toast{Line: text, Bad: err != nil}})
}

// Summary returns what a request asks for in one line, with the gravest warning about it first.
func Summary(r approval.Request) canvas.Line {
	if r.Sentence != "" {
		return canvas.Text(format.Clean(r.Sentence))
	}
	summary := review.Summary(r.Review)
	if grave := review.Gravest(r.Review); grave != nil {
		return canvas.Join(grave, canvas.Text(" · "), summary)
	}
	return summary
}

// Told returns what a request asks for in the words of news, with the gravest warning about it behind: what a narrow screen cuts off is never what
// would be paid.
func Told(r approval.Request) canvas.Line {
	if grave := review.Gravest(r.Review); r.Sentence == "" && grave != nil {
		return canvas.Join(review.Summary(r.Review), canvas.Text(" · "), grave)
	}
	return Summary(r)
}

// foot returns the keys that do something now.
func (m *Model) foot(env screen.Env) string {
	switch {
	case !m.waits(env):
		return "esc close"
	case m.page.Typing() && !m.page.Untyped():
		return "tab to the buttons · esc decide later"
	case m.page.Typing():
		return "tab to the buttons · X deny · esc decide later"
	case m.request.Sentence != "":
		return "A approve · X deny · esc decide later"
	case m.page.Raw():
		return "X deny · v review · esc decide later"
	}
	return "A approve · X deny · v json · esc decide later"
}

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	a.Fill(theme.Style{Bg: theme.ModalBg})
	title := "Approve a request made over RPC"
	switch {
	case m.request.Via == approval.Console:
		title = "Approve what you typed"
	case m.request.Review.Pays():
		title = "Approve a payment requested over RPC"
	}
	in := a.Box(canvas.Frame{Title: canvas.Join(canvas.Bold(theme.Focus, title), env.AsOf(m.page.Built)), Heavy: true, Bg: theme.ModalBg,
		State: m.state(env), Foot: canvas.In(theme.Muted, m.foot(env))})
	m.page.Draw(env, in)
	for y := range in.H {
		in.Tint(y, theme.ModalBg)
	}
}
