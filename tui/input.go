package tui

import (
	"time"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"

	tea "github.com/charmbracelet/bubbletea"
)

// stopTwice is how soon the second ctrl+c must follow to quit.
const stopTwice = 3 * time.Second

// key finds the row of the key table and performs it; in a field, what is in
// no row is text.
func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	m.touch()
	m.overtake(&m.env)
	place, mode := m.front().Place()
	typing := mode == screen.TYPE
	oldestBehind(m, k)
	if cmd, deaf := m.meantElsewhere(&m.env, m.table, k); deaf {
		return cmd
	}
	switch {
	case m.bands().TooSmall && k.String() != "ctrl+c" && k.String() != "ctrl+l" && k.String() != "ctrl+z":
		return nil
	case typing && (k.Paste || k.Type == tea.KeyRunes && len(k.Runes) > 1): // a word such as enter is no key
		return m.front().Update(m.env, screen.Text{Key: k})
	case !typing && !k.Paste && k.Type == tea.KeyRunes && len(k.Runes) > 1:
		return m.burst(k)
	case k.Paste:
		m.toast(screen.Toast{Line: canvas.Text("Paste needs a field")})
		return nil
	}
	a, ok := m.table.Find(place, k.String(), typing)
	switch {
	case ok && a.Money:
		return m.opt.Clock.after(alone, m.hold(a.ID))
	case ok:
		return m.act(a.ID)
	case typing:
		return m.front().Update(m.env, screen.Text{Key: k})
	}
	return nil
}

// opensOldest returns which keys open the oldest request from what is in front.
func opensOldest(s *stack, table action.Table) string {
	key := table.KeyOf(action.Everywhere, doOldest)
	place, _ := s.front().Place()
	if _, here := find(table.At(place), doOldest); table.At(place).Modal && !here {
		return "esc first, then " + key + " opens"
	}
	return key + " opens"
}

// oldestBehind shows what to press before the key that opens the oldest request, where that key does nothing.
func oldestBehind(m *Model, k tea.KeyMsg) {
	place, mode := m.front().Place()
	_, bound := m.table.Find(place, k.String(), mode == screen.TYPE)
	key := m.table.KeyOf(action.Everywhere, doOldest)
	if !bound && mode != screen.TYPE && k.String() == key && len(m.env.Approvals) > 0 {
		m.toast(screen.Toast{Line: canvas.Text("A request waits: " + opensOldest(&m.stack, m.table) + " it")})
	}
}

// burst takes keys that arrived in one piece: typed fast, repeated by a held
// key, or pasted by a terminal that does not mark a paste. Because of the
// last, nothing that signs is done by it.
func (m *Model) burst(k tea.KeyMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		place, mode := m.front().Place()
		if a, ok := m.table.Find(place, string(r), mode == screen.TYPE); ok && a.Money {
			continue
		}
		cmds = append(cmds, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}), m.settle(&m.env, m.table, &m.say.toasts))
	}
	return tea.Batch(cmds...)
}

// press performs what a click stands for. Whatever signs, approves or deletes
// is named instead of done.
func (m *Model) press(p frame.Press) tea.Cmd {
	place, _ := m.front().Place()
	for _, where := range []string{place, action.Everywhere} {
		for _, a := range m.table.At(where).Actions {
			if a.ID == p.Do && a.Money {
				m.toast(screen.Toast{Line: canvas.Text("Press " + a.Key())})
				return nil
			}
		}
	}
	if m.table.At(place).Modal && p.Do != doHelp {
		if _, local := find(m.table.At(place), p.Do); !local {
			return nil
		}
	}
	return m.act(p.Do)
}

func find(p action.Place, id action.ID) (action.Action, bool) {
	for _, a := range p.Actions {
		if a.ID == id {
			return a, true
		}
	}
	return action.Action{}, false
}

// mouse turns the wheel into rows, and a click into the message of what is under
// it, which is nil where there is nothing.
func (m *Model) mouse(msg tea.MouseMsg) (hit tea.Msg, cmd tea.Cmd) {
	if msg.Action != tea.MouseActionPress {
		return nil, nil
	}
	m.touch()
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return nil, wheel(m, msg, "up")
	case tea.MouseButtonWheelDown:
		return nil, wheel(m, msg, "down")
	case tea.MouseButtonLeft:
		hit, _ = m.Frame().Hit(msg.X, msg.Y)
	}
	return hit, nil
}

// wheel moves in the panel under the pointer, which has the focus then. A form and a pop-up keep theirs.
func wheel(m *Model, msg tea.MouseMsg, to action.ID) tea.Cmd {
	hit, _ := m.Frame().Hit(msg.X, msg.Y)
	over, is := hit.(screen.Click)
	_, mode := m.front().Place()
	if !is || mode != screen.KEYS {
		return m.front().Update(m.env, screen.Command{ID: to})
	}
	over.At = -1
	return tea.Batch(m.front().Update(m.env, over), m.front().Update(m.env, screen.Command{ID: to}))
}

// act performs an action: the root's own ones here, all others in front.
func (m *Model) act(id action.ID) tea.Cmd {
	if page, ok := pageOf(id); ok {
		return m.open(page, nil)
	}
	switch id {
	case doPalette:
		m.showPalette(m.env, m.table, m.opt.Core)
	case doHelp:
		m.showHelp(m.table)
	case doAccount:
		m.chooseAccount()
	case doCopy:
		if !m.showCopies(m.env) {
			m.toast(screen.Toast{Line: canvas.Text("There is nothing to copy here")})
		}
	case doHide:
		m.env.Hidden = !m.env.Hidden
	case doZoom:
		return m.zoom(m.page)
	case doNotices:
		m.push(m.notices(m.screens[m.page], m.banner(m.env), m.say.toasts.kept))
	case doOldest:
		return m.showOldest()
	case doLock:
		return m.lockKey()
	case doStop:
		return m.stop()
	case doQuit:
		return m.quit()
	case doSuspend:
		m.lock()
		return suspend()
	case doRefresh:
		return tea.Batch(tea.Sequence(tea.ClearScreen, screen.Request(redraw{})), m.front().Update(m.env, screen.Command{ID: id}))
	case doEsc:
		if m.pop() || !m.typing() && m.unzoom() {
			return nil
		}
		return m.front().Update(m.env, screen.Command{ID: id})
	default:
		return m.front().Update(m.env, screen.Command{ID: id})
	}
	return nil
}

// stop is ctrl+c: what is typed is cleared, the second one in a row brings it back and quits. It asks once where something typed is
// lost by that.
func (m *Model) stop() tea.Cmd {
	place, _ := m.front().Place()
	switch {
	case place == quitPlace:
		return tea.Quit
	case !m.stopped.IsZero() && m.env.Now.Sub(m.stopped) < stopTwice:
		return tea.Batch(m.front().Update(m.env, screen.Command{ID: "restore"}), leave(m))
	}
	m.stopped = m.env.Now
	m.toast(screen.Toast{Urgent: true, Line: canvas.In(theme.Warn, "Press ctrl+c again to quit")})
	return m.front().Update(m.env, screen.Command{ID: "clear"})
}
