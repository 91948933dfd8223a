package rpc

import (
	"billfold/tui/action"
	"billfold/tui/screen"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doSwitch action.ID = "rpc.switch"
	doNew    action.ID = "rpc.new"
	doEdit   action.ID = "rpc.edit"
	doCut    action.ID = "rpc.cut"
	doFreeze action.ID = "rpc.freeze"
	doDetail action.ID = "rpc.detail"
)

// Places are the page's keys, and those while the text of a new token is on screen.
func Places() []action.Place {
	return []action.Place{
		{ID: "rpc", Title: "RPC", Actions: []action.Action{
			{ID: doSwitch, Keys: []string{" "}, Show: "space", Word: "on/off", Help: "open, close the listener in focus", Hint: 1},
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the request in focus; show the call in focus whole", Hint: 2},
			{ID: doNew, Keys: []string{"n"}, Word: "token", Help: "make a token for a program", Hint: 3},
			{ID: doEdit, Keys: []string{"e"}, Word: "policy", Help: "change what the token in focus permits", Hint: 4},
			{ID: doCut, Keys: []string{"x"}, Word: "cut/revoke", Help: "cut off the client in focus; revoke the token in focus…", Hint: 5},
			{ID: doFreeze, Keys: []string{"f"}, Word: "freeze", Help: "stop the list of calls, let it go on", Hint: 6},
			{ID: doDetail, Keys: []string{"v"}, Help: "show the call in focus whole"},
			{ID: "esc", Keys: []string{"esc"}, Help: "back to Home", Typing: true},
		}},
		{ID: "rpc.secret", Title: "A new token", Modal: true, Actions: []action.Action{
			{ID: "copy", Keys: []string{"y"}, Word: "copy", Help: "copy the token; the clipboard is cleared after 30 s", Hint: 1},
			{ID: "esc", Keys: []string{"esc"}, Word: "I kept it", Help: "take it off the screen; it is never shown again", Hint: 2, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	there := m.at[m.focus].At < m.count(env, m.focus)
	switch {
	case m.core.Server == nil && do != "enter" && do != "esc":
		return "this program has no listeners"
	case do == "enter" && m.focus == panelQueue && !there:
		return "no program is waiting"
	case do == doSwitch && (m.focus != panelListeners || !there):
		return "tab goes to the listeners"
	case do == doEdit && (m.focus != panelTokens || !there):
		return "tab goes to the tokens"
	case do == doCut && (!there || m.focus != panelTokens && m.focus != panelClients):
		return "choose a client or a token first (tab)"
	case do == doDetail && m.focus != panelCalls:
		return "tab goes to the calls"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.form.Form != nil:
		cmd := m.form.Do(env, m.form.Form.Do(id))
		m.describe()
		return cmd
	case m.secret != nil:
		if id == "esc" {
			m.wipe()
		}
		return nil
	case m.at[m.focus].Do(id, m.count(env, m.focus)):
		m.whole = false
		m.look()
		return nil
	}
	switch id {
	case "next":
		m.focus = (m.focus + 1) % panels
	case "prev":
		m.focus = (m.focus + panels - 1) % panels
	case "esc":
		return screen.Request(screen.Back{})
	case "refresh":
		return m.readTokens(env)
	case "enter":
		return m.enter(env)
	case doFreeze:
		m.frozen = !m.frozen
		m.look()
	case doDetail:
		m.whole = !m.whole
	case doSwitch, doNew, doEdit, doCut:
		return m.perform(env, id)
	}
	return nil
}

// enter opens what is in focus.
func (m *Model) enter(env screen.Env) tea.Cmd {
	at := m.at[m.focus].At
	switch {
	case m.focus == panelCalls:
		m.whole = !m.whole
	case m.focus == panelQueue && at < len(env.Approvals):
		return screen.Request(screen.Decide{Request: env.Approvals[at]})
	}
	return nil
}

// perform does what changes who may call. Whoever finds the wallet locked may close a listener and cut off, no more.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return say("Not now: " + why)
	}
	at := m.at[m.focus].At
	closes := id == doSwitch && m.listeners[at].On || id == doCut && m.focus == panelClients
	if !env.Unlocked() && !closes {
		return screen.Request(screen.NeedUnlock{Back: screen.RPC})
	}
	t, _ := m.token()
	switch {
	case id == doSwitch:
		return m.toggle(env)
	case id == doNew:
		m.openNew()
	case id == doEdit:
		m.openEdit(t)
	case m.focus == panelClients:
		return m.cutOff(m.clients[at])
	default:
		m.openRevoke(t)
	}
	return nil
}

func (m *Model) cutOff(c Client) tea.Cmd {
	switch {
	case !c.Open:
		return say("It comes over HTTP and stays not connected: revoke its token, or close the listener")
	case m.core.Traffic.CutOff(c.Number):
		return say("Cut off. It may connect again as long as its token holds")
	}
	return say("It has left already")
}
