package rpc

import (
	"billfold/tui/action"
	"billfold/tui/overlay/card"
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

// Places returns the page's keys, and those while the text of a new token is on screen.
func Places() []action.Place {
	return []action.Place{
		{ID: "rpc", Title: "RPC", Actions: []action.Action{
			{ID: doSwitch, Keys: []string{" "}, Show: "space", Word: "on/off", Help: "open, close the listener in focus", Hint: 1},
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the request in focus, or the card of the token in focus; expand or fold the call in focus", Hint: 2},
			{ID: doNew, Keys: []string{"n"}, Word: "token", Help: "make a token for a program", Hint: 3},
			{ID: doEdit, Keys: []string{"e"}, Word: "policy", Help: "change what the token in focus permits", Hint: 4},
			{ID: doCut, Keys: []string{"x"}, Word: "cut/revoke", Help: "cut off the client in focus; revoke the token in focus…", Hint: 5},
			{ID: doFreeze, Keys: []string{"f"}, Word: "freeze", Help: "stop the list of calls, let it run again", Hint: 6},
			{ID: doDetail, Keys: []string{"v"}, Help: "expand or fold the call in focus"},
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
	there := m.cursors[m.focus].At < m.rowCount(env, m.focus)
	switch {
	case m.core.Server == nil && do != "enter" && do != "esc":
		return "this program has no listeners"
	case do == "enter" && m.focus == panelQueue && !there:
		return "no program is waiting"
	case do == "enter" && m.focus == panelQueue && m.cursors[panelQueue].At >= len(env.Approvals):
		return "nobody answered it in time; the program has to ask again"
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
		m.describePolicy()
		return cmd
	case m.secret != nil:
		if id == "esc" {
			m.wipeSecret()
		}
		return nil
	case m.cursors[m.focus].Do(id, m.rowCount(env, m.focus)):
		m.expanded = false
		m.readServer()
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
		m.readServer()
	case doDetail:
		m.expanded = !m.expanded
	case doSwitch, doNew, doEdit, doCut:
		return m.perform(env, id)
	}
	return nil
}

// enter opens what is in focus.
func (m *Model) enter(env screen.Env) tea.Cmd {
	at := m.cursors[m.focus].At
	switch {
	case m.focus == panelCalls:
		m.expanded = !m.expanded
	case m.focus == panelTokens && at < len(m.tokens):
		return screen.Request(card.Show{Card: m.tokenCard(m.tokens[at])})
	case m.focus == panelQueue && at < len(env.Approvals):
		return screen.Request(screen.Decide{Request: env.Approvals[at]})
	case m.focus == panelQueue && at < m.rowCount(env, panelQueue):
		return toast("Not now: " + m.Off(env, "enter"))
	}
	return nil
}

// perform does what changes who may call. While the wallet is locked, listeners can be closed and clients cut off, no more.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return toast("Not now: " + why)
	}
	at := m.cursors[m.focus].At
	closes := id == doSwitch && m.listeners[at].On || id == doCut && m.focus == panelClients
	if !env.Unlocked() && !closes {
		return screen.Request(screen.NeedUnlock{})
	}
	t, _ := m.focusedToken()
	switch {
	case id == doSwitch:
		return m.toggleListener(env)
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

// tokenCard returns the card of a token.
func (m *Model) tokenCard(t Token) card.Card {
	off := func(screen.Env) string {
		if now, there := m.focusedToken(); !there || now.ID != t.ID || m.focus != panelTokens {
			return "the token is not on the list any more"
		}
		return ""
	}
	return card.Card{Title: "Token card", Rows: func(env screen.Env) []card.Row { return TokenRows(env, t, m.clients) }, Copies: copiesOf(t),
		Can: func(env screen.Env) []card.Offer {
			return []card.Offer{{Do: card.Edit, Off: off(env), Then: screen.Command{ID: doEdit}}, {Do: card.Remove, Off: off(env), Then: screen.Command{ID: doCut}}}
		}}
}

func (m *Model) cutOff(c Client) tea.Cmd {
	switch {
	case !c.Open:
		return toast("It calls over HTTP and keeps no connection: revoke its token, or close the listener")
	case m.core.Traffic.CutOff(c.Number):
		return toast("Cut off. It may connect again as long as its token holds")
	}
	return toast("It has left already")
}
