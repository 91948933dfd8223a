// Package node is the page of the daemons that answer for the ledger: which ones there are, which is
// in use and why the others are not, the state of the chain, and a log of changes.
package node

import (
	"context"
	"slices"
	"time"

	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Pool is the pool of daemons.
type Pool interface {
	Daemons() []ledgerview.PoolDaemon
	Prefer(url string) error
	Check()
	Log() []ledgerview.PoolChange
	Trips(url string) []time.Duration
}

// Chain reads the state of the chain.
type Chain interface {
	Info(ctx context.Context) (ledgerview.Info, error)
}

// Addresses is the daemons in the settings; changes take effect at the next start.
type Addresses interface {
	Add(url string) error
	Remove(url string) error
	Replace(old, url string) error
	Fixed() string // why they cannot be changed from here; empty if they can
}

// Core holds what the page needs of the wallet.
type Core struct {
	Pool      Pool
	Chain     Chain
	Addresses Addresses // nil: they cannot be changed
}

// readLimit is the time limit for reading the state of the chain.
const readLimit = 20 * time.Second

// The panels that can have the focus, in reading order.
const (
	panelPool = iota
	panelLog
	panels
)

// Model is the page.
type Model struct {
	core    Core
	tasks   *screen.Tasks
	focus   int
	cursors [panels]list.Cursor

	daemons []ledgerview.PoolDaemon
	log     []ledgerview.PoolChange
	info    *ledgerview.Info // as last read; nil before

	form ask.Work
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{core: core, tasks: tasks, form: ask.Work{Tasks: tasks, Topic: "form", Limit: readLimit}}
}

// Resume implements screen.Resumer: the form with an address that was being typed opens again.
func (m *Model) Resume(was screen.Screen) {
	if before, is := was.(*Model); is {
		m.form.Resume(before.form)
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string { return m.form.Unsaved() }

// Crumb implements screen.Screen.
func (m *Model) Crumb() string { return "Node › " + [panels]string{"Pool", "Log"}[m.focus] }

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form.Form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	if m.form.Form != nil {
		return m.form.Form.Place()
	}
	return "node", screen.KEYS
}

// rows returns how many rows the list in focus has.
func (m *Model) rows() int { return [panels]int{len(m.daemons), len(m.log)}[m.focus] }

// focused returns the daemon in focus.
func (m *Model) focused() (ledgerview.PoolDaemon, bool) {
	at := m.cursors[panelPool].At
	if at >= len(m.daemons) {
		return ledgerview.PoolDaemon{}, false
	}
	return m.daemons[at], true
}

// Copies implements screen.Copier.
func (m *Model) Copies(env screen.Env) []screen.Value {
	var list []screen.Value
	if d, there := m.focused(); there {
		list = append(list, screen.Value{Name: "Address", Text: d.URL})
		if d.Reason != "" {
			list = append(list, screen.Value{Name: "Reason", Text: d.Reason})
		}
	}
	return slices.Concat(list, []screen.Value{{Name: "Chain id", Text: env.Status.ChainID.String()}})
}

// Call implements screen.Caller.
func (m *Model) Call(screen.Env) string { return "info" }

// readPool copies the state of the pool, without asking a node.
func (m *Model) readPool() {
	m.daemons, m.log = m.core.Pool.Daemons(), m.core.Pool.Log()
}

// readChain starts reading the state of the chain, unless a reading is under way.
func (m *Model) readChain(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy("chain"); busy || !env.Online() {
		return nil
	}
	return m.tasks.Start(env, "chain", readLimit, func(ctx context.Context) (any, error) { return m.core.Chain.Info(ctx) })
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.readPool()
	switch msg := msg.(type) {
	case screen.Text:
		if m.form.Form != nil {
			m.form.Form.Type(msg.Key)
		}
	case screen.Result:
		if msg.Topic == m.form.Topic {
			return m.applyChange(msg)
		}
		if info, read := msg.Body.(ledgerview.Info); m.tasks.Accept(msg) && read && msg.Err == nil {
			m.info = &info
		}
	case screen.Click:
		if m.form.Form != nil {
			m.form.Form.Click(msg)
			return nil
		}
		m.focus = msg.Panel
		m.cursors[m.focus].Pick(msg.At, m.rows())
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Tick:
	default:
		return m.readChain(env)
	}
	return nil
}

// applyChange takes the end of a change of addresses, and shows what was done.
func (m *Model) applyChange(msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) || !m.form.Ended(msg) {
		return nil
	}
	m.form.Close()
	said, _ := msg.Body.(string)
	return toast(false, format.Clean(said))
}
