package home

import (
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/widget/progress"
	"billfold/tui/widget/rows"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// Places returns the page's keys.
func Places() []action.Place {
	return []action.Place{{ID: "home", Title: "Home", Actions: []action.Action{
		{ID: "up", Keys: []string{"up"}, Show: "↑↓", Word: "row", Help: "row up", Group: "↑↓|row up, down", Hint: 1},
		{ID: "enter", Keys: []string{"enter"}, Word: "details", Help: "open the row in focus", Hint: 2},
		{ID: "home.send", Keys: []string{"s"}, Word: "send", Help: "send the asset in focus", Hint: 3},
		{ID: "home.receive", Keys: []string{"r"}, Word: "receive", Help: "show the code to be paid with", Hint: 4},
		{ID: "home.range", Keys: []string{"c"}, Word: "range", Help: "range of the chart: 24 h, 7 d, 30 d, 1 y, all", Hint: 7},
		{ID: "home.order", Keys: []string{"o"}, Word: "order", Help: "order of the assets: by symbol, by id"},
		{ID: "home.pending", Keys: []string{"p"}, Word: "pending", Help: "go to the pending payments", Hint: 5},
		{ID: "home.again", Keys: []string{"b"}, Help: "repeat the payment in focus under Recent, or pay its sender back"},
		{ID: "home.message", Keys: []string{"e"}, Help: "write to the other side of the row in focus under Recent"},
		{ID: "home.card", Keys: []string{"a"}, Help: "account card of the row in focus, else of the account in focus"},
		{ID: "home.import", Keys: []string{"i"}, Word: "import", Help: "import a private key or a wallet.json", Hint: 6},
		{ID: "home.registered", Keys: []string{"n"}, Help: "show again what a registrar needs for an account of this wallet"},
		{ID: "home.remove", Keys: []string{"d"}, Word: "remove", Help: "remove the account in focus from the list; its keys stay"},
	}}}
}

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) { return "home", screen.KEYS }

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	if m.cursors[m.focus].Do(id, m.rows(env, m.focus)) {
		return nil
	}
	if why := m.whyNoAnswer(env, id); why != "" {
		return screen.NotNow(why)
	}
	switch id {
	case "next":
		m.moveFocus(env, 1)
	case "prev":
		m.moveFocus(env, -1)
	case "home.pending":
		m.focus = panelPending
	case "refresh":
		for _, topic := range []string{topicBalances, topicRecent, topicPast, topicExtras} {
			m.tasks.Forget(topic)
		}
		return tea.Batch(m.readAll(env), m.startReading(env, topicExtras))
	case "home.receive":
		return screen.Request(screen.Navigate{To: screen.Receive})
	case "home.range":
		m.trend.span = (m.trend.span + 1) % spans
		m.trend.compute(env.Now, m.balances)
		return m.startReading(env, topicPast)
	case "home.order":
		m.byID = !m.byID
		m.sortAssets()
	case "home.send":
		return screen.Request(screen.Navigate{To: screen.Send, With: m.assetPayment()})
	case "home.again":
		return rows.PayAgain(m.recent[m.cursors[panelRecent].At])
	case "home.message":
		return rows.WriteTo(env, m.recent[m.cursors[panelRecent].At])
	case "home.card":
		if why := m.Off(env, id); why != "" {
			return screen.NotNow(why)
		}
		return screen.Request(screen.ShowAccount{Account: m.focusAccount(env)})
	case "home.import":
		return screen.Request(screen.Navigate{To: screen.FirstRun})
	case "home.registered":
		if !env.Unlocked() {
			return screen.Request(screen.NeedUnlock{})
		}
		return screen.Request(screen.Navigate{To: screen.FirstRun, With: screen.Steps{Way: screen.WayRegistered, Back: screen.Home}})
	case "home.remove":
		return m.removeAccount(env)
	case "enter":
		return m.enter(env)
	}
	return nil
}

// focusAccount returns the account under the cursor, or the other side of the row under it; else the account in focus.
func (m *Model) focusAccount(env screen.Env) ledgerview.AccountRef {
	at := m.cursors[m.focus].At
	switch {
	case m.focus == panelAccounts && at < len(env.Accounts):
		return env.Accounts[at].AccountRef
	case m.focus == panelRecent && at < len(m.recent):
		if who, ok := rows.Partner(env, m.recent[at]); ok {
			return who
		}
	}
	return env.Account
}

// removeAccount asks whether to remove the account under the cursor, else the account in focus.
func (m *Model) removeAccount(env screen.Env) tea.Cmd {
	id := env.Account.ID
	if at := m.cursors[panelAccounts].At; m.focus == panelAccounts && at < len(env.Accounts) {
		id = env.Accounts[at].ID
	}
	return screen.Request(screen.RemoveAccount{ID: id})
}

// moveFocus moves the focus to the next panel that is on the page.
func (m *Model) moveFocus(env screen.Env, by int) {
	m.focus = (m.focus + by + panels) % panels
	if m.focus == panelAccounts && m.accountsHidden(env) {
		m.focus = (m.focus + by + panels) % panels
	}
}

// assetPayment returns a payment with the asset under the cursor, for screen.Navigate; nil if there is none.
func (m *Model) assetPayment() any {
	if at := m.cursors[panelBalances].At; at < len(m.balances) {
		return screen.Payment{Asset: m.balances[at].Asset}
	}
	return screen.Pay{}
}

func (m *Model) enter(env screen.Env) tea.Cmd {
	at := m.cursors[m.focus].At
	if at >= m.rows(env, m.focus) {
		return nil
	}
	switch m.focus {
	case panelAccounts:
		return screen.Request(screen.UseAccount{ID: env.Accounts[at].ID})
	case panelBalances:
		return screen.Request(screen.ShowAsset{Asset: m.balances[at].Asset})
	case panelPending:
		p := progress.Underway(env)[at]
		if progress.Signing(p) {
			return screen.Request(screen.Navigate{To: screen.Send})
		}
		return screen.Request(screen.Navigate{To: screen.Send, With: p.ID})
	}
	return screen.Request(screen.Navigate{To: screen.History, With: m.recent[at].ID})
}

// whyNoAnswer returns why there is no row in focus that the key can answer with a payment or a message.
func (m *Model) whyNoAnswer(env screen.Env, do action.ID) string {
	if do != "home.again" && do != "home.message" {
		return ""
	}
	at := m.cursors[panelRecent].At
	if m.focus != panelRecent || at >= len(m.recent) {
		return "choose a row under Recent activity first; tab goes there"
	}
	if _, ok := rows.Answer(m.recent[at]); !ok && do == "home.again" {
		return rows.NoPayment
	}
	if _, ok := rows.Partner(env, m.recent[at]); !ok && do == "home.message" {
		return rows.NoPartner
	}
	return ""
}

// Off implements screen.Limiter: without a chart its range cannot be chosen, and only a row of the history can be answered.
func (m *Model) Off(env screen.Env, id action.ID) string {
	if id == "home.range" && (env.Zoomed || !layout.HomeCharts(env.H, env.Class)) {
		return "the chart needs 100 columns and 30 rows"
	}
	if id == "home.card" && len(env.Accounts) == 0 {
		return "this wallet has no account yet"
	}
	return m.whyNoAnswer(env, id)
}

// Copies implements screen.Copier: the values of the row in focus, then of the account in focus.
func (m *Model) Copies(env screen.Env) []screen.Value {
	if len(env.Accounts) == 0 {
		return nil
	}
	account := accountCopies(env.Account)
	at := m.cursors[m.focus].At
	if at >= m.rows(env, m.focus) {
		return account
	}
	switch m.focus {
	case panelAccounts:
		return accountCopies(env.Accounts[at].AccountRef)
	case panelBalances:
		b := m.balances[at]
		return append([]screen.Value{
			{Name: "Balance", Text: format.Digits(b.Asset, b.Amount) + " " + b.Asset.Symbol}, {Name: "Asset id", Text: b.Asset.ID.String()},
		}, account...)
	case panelPending:
		return rows.CopiesOf(progress.Underway(env)[at])
	}
	return rows.Copies(m.recent[at])
}

func accountCopies(a ledgerview.AccountRef) []screen.Value {
	return []screen.Value{{Name: "Account", Text: a.Name}, {Name: "Account id", Text: a.ID.String()}}
}

// Call implements screen.Caller: the operation lists the balances of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "list_account_balances " + env.Account.Name
}
