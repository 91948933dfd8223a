package tui

import (
	"time"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"

	tea "github.com/charmbracelet/bubbletea"
)

// stopTwice is the time within which the second ctrl+c must follow to quit.
const stopTwice = 3 * time.Second

// onKey finds the key in the key table and performs its action; in a field, a key that is in no row is text.
func (m *Model) onKey(k tea.KeyMsg) tea.Cmd {
	m.touch()
	m.deadKey = ""
	m.dropHeldKey(&m.env)
	place, mode := m.front().Place()
	typing := mode == screen.TYPE
	sayHowToOpenOldest(m, k)
	if cmd, deaf := m.rejectEarlyKey(&m.env, m.table, k); deaf {
		return cmd
	}
	switch {
	case m.isUnlockRepeat(k):
		return nil
	case m.bands().TooSmall && k.String() != "ctrl+c" && k.String() != "ctrl+l" && k.String() != "ctrl+z":
		return nil
	case typing && (k.Paste || k.Type == tea.KeyRunes && len(k.Runes) > 1): // a typed word such as "enter" is not a key
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
		return m.opt.Clock.after(aloneTime, m.hold(a.ID))
	case ok:
		return m.act(a.ID)
	case typing:
		return m.front().Update(m.env, screen.Text{Key: k})
	}
	m.deadKey, m.deadKeyAt = action.Written(k.String()), m.env.Now
	return nil
}

// deadFor is the time for which the last row says that a key does nothing.
const deadFor = 3 * time.Second

// crumb returns where one is, and for a moment that the last key does nothing there; the row of the keys stays.
func (m *Model) crumb() string {
	if m.deadKey == "" || m.env.Now.Sub(m.deadKeyAt) >= deadFor {
		return m.stack.crumb()
	}
	return format.Clean(m.deadKey) + " does nothing here"
}

// opensOldest returns which keys open the oldest request from what is in front, as the start of a sentence.
func opensOldest(s *stack, table action.Table) string {
	key := table.KeyOf(action.Everywhere, doOldest)
	place, _ := s.front().Place()
	if _, here := findAction(table.At(place), doOldest); table.At(place).Modal && !here {
		return "esc first, then " + key + " opens"
	}
	return key + " opens"
}

// sayHowToOpenOldest shows which keys open the oldest request if the usual key was pressed where it does nothing.
func sayHowToOpenOldest(m *Model, k tea.KeyMsg) {
	place, mode := m.front().Place()
	_, bound := m.table.Find(place, k.String(), mode == screen.TYPE)
	key := m.table.KeyOf(action.Everywhere, doOldest)
	if !bound && mode != screen.TYPE && k.String() == key && len(m.env.Approvals) > 0 {
		m.toast(screen.Toast{Line: canvas.Text("A request waits: " + opensOldest(&m.stack, m.table) + " it")})
	}
}

// burst handles keys that arrived together: typed fast, repeated by a held key, or pasted by a terminal that does not mark a paste.
// Because of the last case, they never sign.
func (m *Model) burst(k tea.KeyMsg) tea.Cmd {
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		place, mode := m.front().Place()
		if a, ok := m.table.Find(place, string(r), mode == screen.TYPE); ok && a.Money {
			continue
		}
		cmds = append(cmds, m.onKey(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}),
			m.followFront(&m.env, m.table, &m.say.toasts))
	}
	return tea.Batch(cmds...)
}

// onPress performs what a click stands for. If that signs, approves or deletes, it only names the key.
func (m *Model) onPress(p frame.Press) tea.Cmd {
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
		if _, local := findAction(m.table.At(place), p.Do); !local {
			return nil
		}
	}
	return m.act(p.Do)
}

func findAction(p action.Place, id action.ID) (action.Action, bool) {
	for _, a := range p.Actions {
		if a.ID == id {
			return a, true
		}
	}
	return action.Action{}, false
}

// onMouse turns the wheel into row movements, and a click into the message of what is under it, nil if nothing is.
func (m *Model) onMouse(msg tea.MouseMsg) (hit tea.Msg, cmd tea.Cmd) {
	if msg.Action != tea.MouseActionPress {
		return nil, nil
	}
	m.touch()
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		return nil, onWheel(m, msg, "up")
	case tea.MouseButtonWheelDown:
		return nil, onWheel(m, msg, "down")
	case tea.MouseButtonLeft:
		hit, _ = m.Frame().Hit(msg.X, msg.Y)
	}
	return hit, nil
}

// onWheel moves in the panel under the pointer and focuses it. A form or a pop-up keeps its own focus.
func onWheel(m *Model, msg tea.MouseMsg, to action.ID) tea.Cmd {
	hit, _ := m.Frame().Hit(msg.X, msg.Y)
	over, is := hit.(screen.Click)
	_, mode := m.front().Place()
	if !is || mode != screen.KEYS {
		return m.front().Update(m.env, screen.Command{ID: to})
	}
	over.At = -1
	return tea.Batch(m.front().Update(m.env, over), m.front().Update(m.env, screen.Command{ID: to}))
}

// act performs an action: the root's own here, all others in front.
func (m *Model) act(id action.ID) tea.Cmd {
	switch page, ok := pageOf(id); {
	case page == screen.Send && ok:
		return m.open(page, screen.Pay{})
	case ok:
		return m.open(page, nil)
	}
	switch id {
	case doPalette:
		if pop := m.showPalette(m.env, m.table, m.opt.Core); pop != nil {
			return readFindable(m.ctx, m.opt.Core, m.env, pop)
		}
	case doHelp:
		m.showHelp(m.table)
	case doAccount:
		return m.chooseAccount()
	case doCopy:
		if !m.showCopies(m.env) {
			m.toast(screen.Toast{Line: canvas.Text("There is nothing to copy here")})
		}
	case doHide:
		m.env.Hidden = !m.env.Hidden
	case doZoom:
		return m.zoom(m.page)
	case doNotices:
		m.push(m.notices(m.screens[m.page], m.banner(m.env), m.say.toasts))
		if m.env.Status.OwnChanged != "" { // it is what the banner says
			return acknowledgeChanges(m.opt.Core.Session)
		}
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
		if c, is := m.front().(*card.Model); is && c.Back() {
			return nil
		}
		if m.pop() || !m.typing() && m.unzoom() {
			return nil
		}
		return m.front().Update(m.env, screen.Command{ID: id})
	default:
		return m.front().Update(m.env, screen.Command{ID: id})
	}
	return nil
}

// stop handles ctrl+c: it clears what is typed; the second ctrl+c in a row restores that and quits. If quitting would lose something
// typed, it asks once.
func (m *Model) stop() tea.Cmd {
	place, _ := m.front().Place()
	switch {
	case place == quitPlace:
		return tea.Quit
	case !m.lastCtrlC.IsZero() && m.env.Now.Sub(m.lastCtrlC) < stopTwice:
		return tea.Batch(m.front().Update(m.env, screen.Command{ID: "restore"}), quitUnlessUnsaved(m))
	}
	m.lastCtrlC = m.env.Now
	m.toast(screen.Toast{Urgent: true, Line: canvas.In(theme.Warn, "Press ctrl+c again to quit")})
	return m.front().Update(m.env, screen.Command{ID: "clear"})
}
