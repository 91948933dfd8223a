package assets

import (
	"billfold/tui/action"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/widget/list"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doSend    action.ID = "assets.send"
	doReceive action.ID = "assets.receive"
	doHistory action.ID = "assets.history"
	doFind    action.ID = "assets.find"
)

// Places returns the page's keys: the usual ones, and those while the search field has the keyboard.
func Places() []action.Place {
	return []action.Place{
		{ID: "assets", Title: "Assets", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "open", Help: "open the card of the asset or token in focus", Hint: 1},
			{ID: doSend, Keys: []string{"s"}, Word: "send", Help: "send the asset in focus", Hint: 2},
			{ID: doReceive, Keys: []string{"r"}, Word: "receive", Help: "receive the asset in focus", Hint: 3},
			{ID: doHistory, Keys: []string{"v"}, Word: "history", Help: "your history in the asset in focus", Hint: 4},
			{ID: doFind, Keys: []string{"/"}, Word: "find any", Help: "find any asset of the ledger by the beginning of its symbol", Hint: 5},
			{ID: "esc", Keys: []string{"esc"}, Help: "end the search; back to Home", Typing: true},
		}},
		{ID: "assets.type", Title: "Assets, finding", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter", "tab"}, Word: "to the list", Help: "go to what was found", Hint: 1, Typing: true},
			{ID: "assets.down", Keys: []string{"down"}, Help: "row down", Typing: true},
			{ID: "assets.up", Keys: []string{"up"}, Help: "row up", Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "end the search", Help: "back to what the account holds", Hint: 2, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, token := m.token()
	switch {
	case do == "enter" && m.typing:
		return ""
	case do == "enter" && m.focus == panelTokens && !token:
		return "there is no token"
	case do == "enter" && m.focus == panelAssets && m.symbol() == "":
		return "there is no asset"
	case do != doSend && do != doReceive && do != doHistory:
		return ""
	case len(env.Accounts) == 0:
		return "this wallet has no account yet"
	case m.focus == panelTokens:
		return "a token is not an asset; tab goes to the assets"
	case m.symbol() == "":
		return "there is no asset"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.typing {
		return m.doTyping(env, id)
	}
	if m.cursors[m.focus].Do(id, m.rows()) {
		return m.readAsset(env)
	}
	switch id {
	case "next", "prev":
		m.focus = (m.focus + 1) % panels
	case "refresh":
		clear(m.details)
		return m.readHoldings(env)
	case doFind:
		m.typing, m.focus = true, panelAssets
		m.cursors[panelAssets] = list.Cursor{}
		return m.searchAssets(env)
	case "enter":
		return m.openCard(env)
	case doSend, doReceive, doHistory:
		return m.openPage(env, id)
	case "esc":
		if m.searching() {
			m.endSearch()
			if !env.WayBack {
				return m.readAsset(env)
			}
		}
		return screen.Request(screen.Back{})
	}
	return nil
}

func (m *Model) doTyping(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "enter":
		m.typing = false
		if m.search.Empty() {
			m.endSearch()
		}
	case "assets.down":
		m.cursors[panelAssets].Move(1, m.rows())
	case "assets.up":
		m.cursors[panelAssets].Move(-1, m.rows())
	case "esc":
		m.endSearch()
	}
	return m.readAsset(env)
}

// endSearch goes back to what the account holds.
func (m *Model) endSearch() {
	m.typing = false
	m.search.Set("")
	m.cursors[panelAssets] = list.Cursor{}
}

// openCard opens the card of the asset or token in focus.
func (m *Model) openCard(env screen.Env) tea.Cmd {
	if why := m.Off(env, "enter"); why != "" {
		return screen.NotNow(why)
	}
	if t, there := m.token(); there && m.focus == panelTokens {
		return screen.Request(card.Show{Card: OfToken(t)})
	}
	return screen.Request(screen.ShowAsset{Asset: m.asset()})
}

// openPage opens the page that sends, receives or lists the asset in focus.
func (m *Model) openPage(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	switch symbol := m.symbol(); id {
	case doSend:
		return screen.Request(screen.Navigate{To: screen.Send, With: screen.Typed{Asset: symbol}})
	case doHistory:
		return screen.Request(screen.Navigate{To: screen.History, With: screen.Filter("asset:" + symbol)})
	}
	return screen.Request(screen.Navigate{To: screen.Receive})
}

// typeKey types into the search field and searches again.
func (m *Model) typeKey(env screen.Env, k tea.KeyMsg) tea.Cmd {
	if !m.typing || !m.search.Key(k) {
		return nil
	}
	m.cursors[panelAssets] = list.Cursor{}
	return m.searchAssets(env)
}
