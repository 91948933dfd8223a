// Package unlock is the page that opens the wallet. It holds the password while it is typed and passes it to the core alone. It
// promises that unlocking never repeats or completes anything on its own, and reveals nothing about keys before the wallet is open.
// The wallet counts the wrong passwords and how long the next one must wait: programs guess as well, and restarting the UI must not
// reset the count.
package unlock

import (
	"context"
	"time"

	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// Opener is the part of the wallet that the page needs.
type Opener interface {
	Unlock(ctx context.Context, password string) error
}

// showFor is the time for which a shown password stays readable.
const showFor = 10 * time.Second

// Model is the page.
type Model struct {
	core     Opener
	name     string // of the wallet
	tasks    *screen.Tasks
	password field.Field
	shown    time.Time // until when the password is readable
	fault    string
}

// New returns the page for the wallet called name.
func New(core Opener, tasks *screen.Tasks, name string) *Model {
	return &Model{core: core, tasks: tasks, name: name, password: field.Field{Secret: true}}
}

// Places are the page's keys.
func Places() []action.Place {
	return []action.Place{
		{ID: "unlock", Title: "Unlock", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "unlock", Help: "unlock the wallet", Hint: 1, Typing: true},
			{ID: "unlock.show", Keys: []string{"ctrl+t"}, Word: "show", Help: "show, hide the password", Hint: 2, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "browse locked", Help: "browse while locked", Hint: 3, Typing: true},
		}},
	}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return "unlock", screen.TYPE }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Unlock" }

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.Text:
		m.password.Key(msg.Key)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Result:
		return m.applyResult(msg)
	case screen.Opened:
		m.fault = ""
	case screen.Hide:
		m.password = field.Field{Secret: true}
	case screen.Tick:
		if env.Now.After(m.shown) {
			m.password.Secret, m.password.Open = true, false
		}
	}
	return nil
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "enter":
		return m.try(env)
	case "unlock.show":
		m.password.Secret, m.password.Open = !m.password.Secret, m.password.Secret
		m.shown = env.Now.Add(showFor)
	case "clear":
		m.password.Set("")
	case "esc":
		m.password = field.Field{Secret: true}
		return screen.Request(screen.Navigate{To: screen.Home})
	}
	return nil
}

func (m *Model) try(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy("unlock"); busy || m.password.Empty() || env.Status.RetryIn > 0 {
		return nil
	}
	password := m.password.Value()
	m.fault = ""
	m.password.Select() // what is typed next replaces it
	return m.tasks.Start(env, "unlock", 0, func(ctx context.Context) (any, error) {
		return nil, m.core.Unlock(ctx, password)
	})
}

func (m *Model) applyResult(msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	if msg.Err == nil {
		m.password = field.Field{Secret: true}
		return screen.Request(screen.Unlocked{By: screen.Unlock})
	}
	switch fault.CodeOf(msg.Err) {
	case fault.WrongPassword:
		m.fault = "Wrong password."
	case fault.TooManyTries: // the line with the count is enough
	default:
		m.fault = advice.Sentence(msg.Err)
	}
	return nil
}
