package node

import (
	"context"
	"strings"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/ask"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doUse   action.ID = "node.use"
	doCheck action.ID = "node.check"
	doAdd   action.ID = "node.add"
	doDrop  action.ID = "node.remove"
	doEdit  action.ID = "node.edit"
)

// Places returns the page's keys.
func Places() []action.Place {
	return []action.Place{{ID: "node", Title: "Node", Actions: []action.Action{
		{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the card of the node in focus", Hint: 1},
		{ID: doUse, Keys: []string{"u"}, Word: "use now", Help: "use this node; on the one you chose: let the wallet choose", Hint: 2},
		{ID: doCheck, Keys: []string{"c"}, Word: "check all", Help: "ask every node now, dial those that are away", Hint: 3},
		{ID: doAdd, Keys: []string{"n"}, Word: "add", Help: "add a node to the settings; it counts from the next start", Hint: 4},
		{ID: doEdit, Keys: []string{"e"}, Word: "edit", Help: "change the address of the node in focus; it counts from the next start", Hint: 5},
		{ID: doDrop, Keys: []string{"x"}, Word: "remove…", Help: "take the node in focus out of the settings…", Hint: 6},
		{ID: "esc", Keys: []string{"esc"}, Word: "back to Home", Help: "back to Home", Hint: 7, Typing: true},
	}}}
}

// Off implements screen.Limiter.
func (m *Model) Off(_ screen.Env, do action.ID) string {
	d, there := m.focused()
	switch {
	case do == doAdd || do == doDrop || do == doEdit:
		return m.whyFixed(do != doAdd)
	case do != doUse && do != "enter":
		return ""
	case m.focus != panelPool:
		return "tab goes to the nodes"
	case !there:
		return "there is no node"
	case do == "enter":
		return ""
	case d.Pinned:
		return ""
	case len(m.daemons) == 1:
		return "there is only this node; --daemon-url at the start names more"
	case d.State == ledgerview.PoolOtherChain:
		return "it is of another chain"
	}
	return ""
}

// whyFixed returns why addresses cannot be changed now, or the one in focus if ofOne; empty if they can.
func (m *Model) whyFixed(ofOne bool) string {
	_, there := m.focused()
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
	if m.cursors[m.focus].Do(id, m.rows()) {
		return nil
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "refresh", doCheck:
		m.core.Pool.Check()
		return tea.Batch(m.readChain(env), toast(false, "Asking "+allNodes(len(m.daemons))))
	case "enter":
		return m.openCard(env)
	case doUse:
		return m.toggleChosen(env)
	case doAdd, doDrop, doEdit:
		return m.openForm(env, id)
	case "esc":
		return screen.Request(screen.Back{})
	}
	return nil
}

// openCard opens the card of the node in focus.
func (m *Model) openCard(env screen.Env) tea.Cmd {
	d, there := m.focused()
	if why := m.Off(env, "enter"); why != "" || !there {
		return screen.NotNow(why)
	}
	now := func() (ledgerview.PoolDaemon, bool) {
		now, there := m.focused()
		return now, there && now.URL == d.URL && m.focus == panelPool
	}
	off := func(env screen.Env, do action.ID) string {
		if _, there := now(); !there {
			return "the node is not on the list any more"
		}
		return m.Off(env, do)
	}
	return screen.Request(card.Show{Card: card.Card{Title: "Node card", Copies: m.Copies(env),
		Rows: func(env screen.Env) []card.Row {
			if fresh, there := now(); there {
				return Rows(env, fresh, len(m.daemons), m.core.Pool.Trips(d.URL))
			}
			return Rows(env, d, len(m.daemons), m.core.Pool.Trips(d.URL))
		},
		Can: func(env screen.Env) (can []card.Offer) {
			for offer, does := range map[action.ID]action.ID{card.Use: doUse, card.Edit: doEdit, card.Remove: doDrop} {
				can = append(can, card.Offer{Do: offer, Off: off(env, does), Then: screen.Command{ID: does}})
			}
			return can
		}}})
}

// toggleChosen prefers the daemon in focus, or ends that preference.
func (m *Model) toggleChosen(env screen.Env) tea.Cmd {
	if why := m.Off(env, doUse); why != "" {
		return screen.NotNow(why)
	}
	d, _ := m.focused()
	to, text := d.URL, "Using "+format.Clean(d.URL)+" whenever it can be used"
	switch {
	case d.Pinned:
		to, text = "", "The wallet chooses the node again"
	case d.State != ledgerview.PoolReady:
		text = "Chosen: " + format.Clean(d.URL) + "; another one is used until it can be"
	}
	if err := m.core.Pool.Prefer(to); err != nil {
		return toast(true, "Not chosen: "+format.Clean(err.Error()))
	}
	m.readPool()
	return toast(false, text)
}

func allNodes(n int) string {
	if n == 1 {
		return "the node"
	}
	return "all " + format.Count(n) + " nodes"
}

func toast(bad bool, text string) tea.Cmd {
	return screen.Request(screen.Toast{Bad: bad, Line: canvas.Text(text)})
}

// openForm opens the form that adds, changes or removes an address. The wallet must be unlocked: only its owner may change them.
func (m *Model) openForm(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return toast(false, "Not now: "+why)
	}
	if !env.Unlocked() {
		return screen.Request(screen.NeedUnlock{})
	}
	d, _ := m.focused()
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

func (m *Model) openAdd() {
	form := &ask.Form{Title: "Add a node", Word: "add", Text: []canvas.Line{
		canvas.In(theme.Muted, "It is written to the settings file and used from the next start. A node of another chain is never used."),
	}, Fields: []ask.Field{{Label: "Address"}}, Missing: noAddress, Keep: true}
	m.form.Open(form, "Writing", func(_ context.Context, values []string) (any, error) {
		url := strings.TrimSpace(values[0])
		return "Added " + url + ": it counts from the next start", m.core.Addresses.Add(url)
	})
}

func noAddress(values []string) string { return AddressProblem(values[0]) }

// AddressProblem returns what is wrong with the typed address of a node; empty if it is fine.
func AddressProblem(text string) string {
	if text = strings.TrimSpace(text); !strings.HasPrefix(text, "wss://") && !strings.HasPrefix(text, "ws://") {
		return "write it like wss://node.example"
	}
	return ""
}

func (m *Model) openEdit(url string) {
	form := &ask.Form{Title: "Edit a node", Word: "save", Text: []canvas.Line{
		canvas.In(theme.Muted, "It is written to the settings file in place of "+format.Clean(url)+", and used from the next start."),
	}, Fields: []ask.Field{{Label: "Address", Input: field.New(url)}}, Missing: noAddress, Keep: true}
	m.form.Open(form, "Writing", func(_ context.Context, values []string) (any, error) {
		next := strings.TrimSpace(values[0])
		return "Changed to " + next + ": it counts from the next start", m.core.Addresses.Replace(url, next)
	})
}

func (m *Model) openDrop(url string) {
	form := &ask.Form{Title: "Remove a node", Word: "remove", Delete: true, Text: []canvas.Line{
		canvas.Text(format.Clean(url)),
		canvas.In(theme.Muted, "It is taken out of the settings file, and not used from the next start on. Press X."),
	}}
	m.form.Open(form, "Writing", func(context.Context, []string) (any, error) {
		return "Removed " + url + ": it is not used from the next start on", m.core.Addresses.Remove(url)
	})
}
