// Package rpc is the page of the listeners: where programs may call the wallet, who calls, what is called, which
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
	askLimit = 20 * time.Second
	stale    = 5 * time.Second // after which the tokens are read again
	shownFor = 2 * time.Minute // how long the text of a new token is on screen
)

// Model is the page.
type Model struct {
	core  Core
	tasks *screen.Tasks
	focus int
	at    [panels]list.Cursor

	listeners []Listener
	clients   []Client
	calls     []Call
	frozen    bool // the calls stay as they are
	missed    int  // calls that came while the list stood still for who reads in it
	whole     bool // the call in focus is shown with all there is

	tokens []Token
	read   time.Time // the tokens; zero: not yet
	fault  error     // of reading them

	form   ask.Work
	policy bool   // the form is about a policy, which is described as it is typed
	secret []byte // the text of a new token, on screen; nil: none
	until  time.Time
	did    []string // the words of the command that makes the token that was made last
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	m := &Model{core: core, tasks: tasks, form: ask.Work{Tasks: tasks, Topic: topicForm, Limit: askLimit}}
	m.look()
	return m
}

// Resume implements screen.Resumer: the policy that was typed.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	if m.form.Resume(before.form); m.form.Form != nil {
		m.policy, m.focus, m.at = true, before.focus, before.at
	}
}

// look takes what the server says now; nothing is asked for it.
func (m *Model) look() {
	if m.core.Server == nil {
		return
	}
	m.listeners, m.clients = m.core.Server.Listeners(), m.core.Traffic.Clients()
	if !m.frozen {
		m.follow(m.core.Traffic.Calls())
	}
}

// follow takes the newest calls. While somebody reads further down, or one call whole, the list stands still.
func (m *Model) follow(now []Call) {
	m.missed = 0
	if m.focus == panelCalls && len(m.calls) > 0 && (m.at[panelCalls].At > 0 || m.whole) {
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

// count is how many rows a panel has.
func (m *Model) count(env screen.Env, panel int) int {
	return [panels]int{len(m.listeners), len(m.clients), len(env.Approvals), len(m.calls), len(m.tokens)}[panel]
}

// Copies implements screen.Copier.
func (m *Model) Copies(env screen.Env) (out []screen.Value) {
	at := m.at[m.focus].At
	switch {
	case m.secret != nil:
		return []screen.Value{{Name: "Token", Text: string(m.secret), Private: true}}
	case at >= m.count(env, m.focus):
	case m.focus == panelListeners:
		out = append(out, screen.Value{Name: "Address", Text: m.listeners[at].Addr})
	case m.focus == panelCalls:
		out = append(out, screen.Value{Name: "Operation", Text: m.calls[at].Method},
			screen.Value{Name: "Parameters", Text: m.calls[at].Params})
	case m.focus == panelTokens:
		out = append(out, screen.Value{Name: "Name", Text: m.tokens[at].Name}, screen.Value{Name: "Id", Text: m.tokens[at].ID})
	}
	return out
}

// token is the token in focus.
func (m *Model) token() (Token, bool) {
	if at := m.at[panelTokens].At; at < len(m.tokens) {
		return m.tokens[at], true
	}
	return Token{}, false
}

// wipe takes the text of a new token off the screen and out of memory.
func (m *Model) wipe() {
	clear(m.secret)
	m.secret = nil
}

// say is a toast.
func say(text string) tea.Cmd { return screen.Request(screen.Toast{Line: canvas.Text(text)}) }
