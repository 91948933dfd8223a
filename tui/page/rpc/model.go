// Package rpc is the page of the listeners: where programs can call the wallet, who calls, what is called, which
// requests wait for an answer, and what the tokens of programs permit.
package rpc

import (
	"time"

	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

// The panels in reading order.
const (
	panelListeners = iota
	panelClients
	panelQueue
	panelCalls
	panelTokens
	panels
)

// The topics of the page's tasks.
const (
	topicTokens = "tokens"
	topicSwitch = "switch"
	topicForm   = "form"
)

const (
	readLimit      = 20 * time.Second
	tokensMaxAge   = 5 * time.Second // age after which the tokens are read again
	secretShownFor = 2 * time.Minute // how long the text of a new token is on screen
)

// Model is the page.
type Model struct {
	core    Core
	tasks   *screen.Tasks
	focus   int
	cursors [panels]list.Cursor

	listeners []Listener
	clients   []Client
	calls     []Call
	frozen    bool // the list of calls stays as it is
	missed    int  // calls that came while the list stood still because somebody reads in it
	expanded  bool // the call in focus is shown in full

	tokens       []Token
	tokensReadAt time.Time // zero: not yet
	fault        error     // of the last reading of the tokens

	form        ask.Work
	policyForm  bool   // the form is for a policy, which is described while it is typed
	secret      []byte // the text of a new token, on screen; nil: none
	secretUntil time.Time
	lastCommand []string // the words of the command that makes the newest token
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{core: core, tasks: tasks, form: ask.Work{Tasks: tasks, Topic: topicForm, Limit: readLimit}}
	m.readServer()
	return m
}

// Resume implements screen.Resumer: it takes over the form of a policy.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	if m.form.Resume(before.form); m.form.Form != nil {
		m.policyForm, m.focus, m.cursors = true, before.focus, before.cursors
	}
}

// readServer copies the state of the server.
func (m *Model) readServer() {
	if m.core.Server == nil {
		return
	}
	m.listeners, m.clients = m.core.Server.Listeners(), m.core.Traffic.Clients()
	if !m.frozen {
		m.updateCalls(m.core.Traffic.Calls())
	}
}

// updateCalls shows the newest calls. While somebody reads further down, or has a call expanded, the list stands still.
func (m *Model) updateCalls(now []Call) {
	m.missed = 0
	if m.focus == panelCalls && len(m.calls) > 0 && (m.cursors[panelCalls].At > 0 || m.expanded) {
		for _, c := range now {
			if c.At.After(m.calls[0].At) {
				m.missed++
			}
		}
		return
	}
	m.calls = now
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string { return m.form.Unsaved() }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	return "RPC › " + [panels]string{"Listener", "Clients", "Approvals", "Calls", "Tokens"}[m.focus]
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form.Form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.form.Form != nil:
		return m.form.Form.Place()
	case m.secret != nil:
		return "rpc.secret", screen.MODAL
	}
	return "rpc", screen.KEYS
}

// rowCount returns how many rows a panel has.
func (m *Model) rowCount(env screen.Env, panel int) int {
	return [panels]int{len(m.listeners), len(m.clients), len(env.Approvals) + len(env.Unanswered), len(m.calls), len(m.tokens)}[panel]
}

// Copies implements screen.Copier.
func (m *Model) Copies(env screen.Env) (out []screen.Value) {
	at := m.cursors[m.focus].At
	switch {
	case m.secret != nil:
		return []screen.Value{{Name: "Token", Text: string(m.secret), Private: true}}
	case at >= m.rowCount(env, m.focus):
	case m.focus == panelListeners:
		out = append(out, screen.Value{Name: "Address", Text: m.listeners[at].Addr})
	case m.focus == panelCalls:
		out = append(out, screen.Value{Name: "Operation", Text: m.calls[at].Method},
			screen.Value{Name: "Parameters", Text: m.calls[at].Params})
	case m.focus == panelTokens:
		out = copiesOf(m.tokens[at])
	}
	return out
}

// copiesOf returns the values of a token that can be copied: its text is not stored.
func copiesOf(t Token) []screen.Value {
	return []screen.Value{{Name: "Name", Text: t.Name}, {Name: "Id", Text: t.ID}}
}

// focusedToken returns the token in focus.
func (m *Model) focusedToken() (Token, bool) {
	if at := m.cursors[panelTokens].At; at < len(m.tokens) {
		return m.tokens[at], true
	}
	return Token{}, false
}

// wipeSecret takes the text of the new token off the screen and wipes it from memory.
func (m *Model) wipeSecret() {
	clear(m.secret)
	m.secret = nil
}

func toast(text string) tea.Cmd { return screen.Request(screen.Toast{Line: canvas.Text(text)}) }
