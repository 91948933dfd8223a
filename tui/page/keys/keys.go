package keys

import (
	"slices"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	doImport   action.ID = "keys.import"
	doFind     action.ID = "keys.find"
	doReveal   action.ID = "keys.reveal"
	doXray     action.ID = "keys.xray"
	doWhatIf   action.ID = "keys.whatif"
	doPassword action.ID = "keys.password"
	doForget   action.ID = "keys.forget"
	doWatch    action.ID = "keys.watch"
	doRegister action.ID = "keys.register"
	doBackUp   action.ID = "keys.backup"
	doCard     action.ID = "keys.card"
)

// Places are the page's keys, and those while a private key is on screen.
func Places() []action.Place {
	return []action.Place{
		{ID: "keys", Title: "Keys", Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "next panel", Help: "to the roles of the account, and on to the x-ray", Hint: 1},
			{ID: doXray, Keys: []string{"u"}, Word: "x-ray", Help: "show, hide the x-ray: who can sign, down to the last key", Hint: 2},
			{ID: doWhatIf, Keys: []string{"t"}, Word: "what if", Help: "what if the key or account in focus were here, or not", Hint: 3},
			{ID: doImport, Keys: []string{"i"}, Word: "import", Help: "import a private key or a wallet.json", Hint: 4},
			{ID: doFind, Keys: []string{"f"}, Word: "find", Help: "find the accounts of a public key", Hint: 5},
			{ID: doPassword, Keys: []string{"p"}, Word: "password", Help: "change the wallet's password", Hint: 6},
			{ID: doRegister, Keys: []string{"n"}, Help: "register a new account with keys of a recovery phrase…"},
			{ID: doWatch, Keys: []string{"w"}, Help: "watch an account whose keys are elsewhere"},
			{ID: doBackUp, Keys: []string{"b"}, Word: "backup", Help: "prove that your paper brings the account back", Hint: 7},
			{ID: doCard, Keys: []string{"a"}, Help: "account card of the account in focus"},
			{ID: doReveal, Keys: []string{"e"}, Help: "reveal the private key of the key in focus…"},
			{ID: doForget, Keys: []string{"x"}, Help: "take the account in focus off the list; its keys stay"},
			{ID: "esc", Keys: []string{"esc"}, Help: "end what-if; back", Typing: true},
		}},
		{ID: "keys.secret", Title: "A private key", Modal: true, Actions: []action.Action{
			{ID: "esc", Keys: []string{"esc", "enter"}, Word: "hide it", Help: "take the private key off the screen", Hint: 1, Typing: true},
		}},
	}
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, account := m.account(env)
	key, is := m.key(env)
	switch {
	case (do == doForget || do == doBackUp || do == doCard) && !account:
		return "this wallet has no account yet"
	case do == doRegister && m.payer(env).ID == 0:
		return "no account of this wallet can pay the fee; others register one for you"
	case (do == doRegister || do == doWatch) && !env.Online():
		return "no node answers"
	case do == doBackUp && len(m.held(env)) == 0:
		return "no private key of this account is in this wallet"
	case do == doFind && !env.Online():
		return "no node answers"
	case do == doWhatIf && (m.focus != panelTree || m.count(env, panelTree) == 0):
		return "choose a row of the x-ray first (tab)"
	case do == doReveal && !is:
		return "choose a key first"
	case do == doReveal && !m.tree.here[key]:
		return "this private key is not in this wallet"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.form.Form != nil:
		return m.form.Do(env, m.form.Form.Do(id))
	case m.form.secret != nil:
		m.form.hide()
		return nil
	case m.rows[m.focus].Do(id, m.count(env, m.focus)):
		m.moved()
		return nil
	}
	switch id {
	case "next", "enter":
		m.turn(1)
	case "prev":
		m.turn(-1)
	case "refresh":
		return m.read(env)
	case "esc":
		if len(m.tree.flipped) > 0 {
			m.tree.flipped = nil
			return nil
		}
		return screen.Request(screen.Back{})
	case doXray:
		m.off = !m.off
		m.turn(0)
	case doImport:
		return screen.Request(screen.Navigate{To: screen.FirstRun})
	default:
		return m.perform(env, id)
	}
	return nil
}

// moved starts at the top of another account.
func (m *Model) moved() {
	if m.focus == panelAccounts {
		m.rows[panelRoles], m.rows[panelTree], m.tree.flipped = list.Cursor{}, list.Cursor{}, nil
	}
}

func (m *Model) turn(by int) {
	n := panels
	if m.off {
		n--
	}
	m.focus = (min(m.focus, n-1) + by + n) % n
}

// perform does what needs an account, a key, a node or the open wallet.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	if !env.Unlocked() && slices.Contains([]action.ID{doReveal, doPassword, doRegister, doWatch, doBackUp}, id) {
		return screen.Request(screen.NeedUnlock{Back: screen.Keys})
	}
	a, _ := m.account(env)
	key, _ := m.key(env)
	switch id {
	case doWhatIf:
		m.whatIf(env)
	case doFind:
		m.form.openFind(key)
	case doReveal:
		m.form.openReveal(key)
	case doPassword:
		m.form.openPassword()
	case doForget:
		return screen.Request(screen.RemoveAccount{ID: a.ID})
	case doCard:
		return screen.Request(screen.ShowAccount{Account: a.AccountRef})
	case doWatch:
		return steps(screen.Steps{Way: screen.WayWatch})
	case doRegister:
		return steps(screen.Steps{Way: screen.WayRegister, Account: m.payer(env)})
	case doBackUp:
		return steps(screen.Steps{Way: screen.WayBackUp, Account: a.AccountRef, Held: m.held(env)})
	}
	return nil
}

// steps asks the root for one way, which leads back here.
func steps(s screen.Steps) tea.Cmd {
	s.Back = screen.Keys
	return screen.Request(screen.Navigate{To: screen.FirstRun, With: s})
}

// whatIf makes the row in focus count the other way round.
func (m *Model) whatIf(env screen.Env) {
	a, _ := m.account(env)
	rows := m.tree.rows(a.ID)
	what := rows[min(m.rows[panelTree].At, len(rows)-1)].flips()
	if m.tree.flipped == nil {
		m.tree.flipped = map[string]bool{}
	}
	if m.tree.flipped[what] = !m.tree.flipped[what]; !m.tree.flipped[what] {
		delete(m.tree.flipped, what)
	}
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.form.expire(env.Now)
	m.follow(env)
	switch msg := msg.(type) {
	case screen.Result:
		return m.result(env, msg)
	case screen.Text:
		if m.form.Form != nil {
			return m.form.typed(env, msg.Key)
		}
	case screen.Click:
		m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		return m.read(env)
	case event.Event:
		return m.read(env)
	}
	return nil
}

// follow goes to the account in focus of the other pages, when that became another one.
func (m *Model) follow(env screen.Env) {
	if env.Account.ID == m.shown {
		return
	}
	m.shown = env.Account.ID
	for i, a := range env.Accounts {
		if a.ID == m.shown {
			m.rows[panelAccounts].Jump(i, len(env.Accounts))
		}
	}
	m.rows[panelRoles], m.rows[panelTree], m.tree.flipped = list.Cursor{}, list.Cursor{}, nil
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicTree:
		m.take(env, msg)
	case topicJudge:
		m.form.judged(msg)
	case topicForm:
		return m.form.done(env, msg)
	}
	return nil
}

func (m *Model) click(env screen.Env, c screen.Click) {
	if m.form.Form != nil {
		m.form.Form.Click(c)
		return
	}
	m.focus = c.Panel
	if c.At >= 0 {
		m.rows[c.Panel].Jump(c.At, m.count(env, c.Panel))
		m.moved()
	}
}
