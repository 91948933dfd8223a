package node

import (
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doUse   action.ID = "enter"
	doCheck action.ID = "node.check"
	doAdd   action.ID = "node.add"
	doDrop  action.ID = "node.remove"
	doEdit  action.ID = "node.edit"
)

// Places are the page's keys.
func Places() []action.Place {
	return []action.Place{{ID: "node", Title: "Node", Actions: []action.Action{
		{ID: doUse, Keys: []string{"enter"}, Word: "use now", Help: "use this node; on the one you chose: let the wallet choose", Hint: 1},
		{ID: doCheck, Keys: []string{"c"}, Word: "check all", Help: "ask every node now, dial those that are away", Hint: 2},
		{ID: doAdd, Keys: []string{"n"}, Word: "add", Help: "add a node to the settings; it counts from the next start", Hint: 3},
		{ID: doEdit, Keys: []string{"e"}, Word: "edit", Help: "change the address of the node in focus; it counts from the next start", Hint: 4},
		{ID: doDrop, Keys: []string{"x"}, Word: "remove…", Help: "take the node in focus out of the settings…", Hint: 5},
		{ID: "esc", Keys: []string{"esc"}, Word: "back to Home", Help: "back to Home", Hint: 6, Typing: true},
	}}}
}

// Off implements screen.Limiter.
func (m *Model) Off(_ screen.Env, do action.ID) string {
	d, there := m.chosen()
	switch {
	case do == doAdd || do == doDrop || do == doEdit:
		return m.unchanged(do != doAdd)
	case do != doUse:
		return ""
	case m.focus != panelPool:
		return "tab goes to the nodes"
	case !there:
		return "there is no node"
	case d.Pinned:
		return ""
	case len(m.daemons) == 1:
		return "there is only this node; --daemon-url at the start names more"
	case d.State == ledgerview.PoolOtherChain:
		return "it is of another chain"
	}
	return ""
}

// unchanged is why the addresses cannot be changed now.
func (m *Model) unchanged(ofOne bool) string {
	_, there := m.chosen()
	switch {
	case m.core.Addresses == nil:
		return "this program has no settings"
	case m.core.Addresses.Fixed() != "":
		return m.core.Addresses.Fixed()
	case ofOne && (!there || m.focus != panelPool):
		return "tab goes to the nodes"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.form.Form != nil {
		return m.form.Do(env, m.form.Form.Do(id))
	}
	if m.at[m.focus].Do(id, m.rows()) {
		return nil
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "refresh", doCheck:
		m.core.Pool.Check()
		return tea.Batch(m.ask(env), say(false, "Asking "+count(len(m.daemons))))
	case doUse:
		return m.use(env)
	case doAdd, doDrop, doEdit:
		return m.change(env, id)
	case "esc":
		return screen.Request(screen.Back{})
	}
	return nil
}

// use prefers the daemon in focus, or no longer.
func (m *Model) use(env screen.Env) tea.Cmd {
	if why := m.Off(env, doUse); why != "" {
		return screen.NotNow(why)
	}
	d, _ := m.chosen()
	to, text := d.URL, "Using "+format.Clean(d.URL)+" whenever it can be used"
	switch {
	case d.Pinned:
		to, text = "", "The wallet chooses the node again"
	case d.State != ledgerview.PoolReady:
		text = "Chosen: " + format.Clean(d.URL) + "; another one is used until it can be"
	}
	if err := m.core.Pool.Prefer(to); err != nil {
		return say(true, "Not chosen: "+format.Clean(err.Error()))
	}
	m.read()
	return say(false, text)
}

func count(n int) string {
	if n == 1 {
		return "the node"
	}
	return "all " + format.Count(n) + " nodes"
}

func say(bad bool, text string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: bad, Line: canvas.Text(text)})
}

// change asks for an address to be added, or whether one shall go. Whoever finds the wallet locked changes none.
func (m *Model) change(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return say(false, "Not now: "+why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{Back: screen.Node})
	}
	d, _ := m.chosen()
	switch id {
	case doDrop:
		m.openDrop(d.URL)
	case doEdit:
		m.openEdit(d.URL)
	default:
		m.openAdd()
	}
	return nil
}
