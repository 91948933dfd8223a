package keys

import (
	"slices"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, account := m.account(env)
	key, is := m.key(env)
	switch {
	case m.plan.change != nil:
		return m.offPlan(env, do)
	case (do == doForget || do == doBackUp || do == doCard || do == doChange || do == doMultisig) && !account:
		return "this wallet has no account yet"
	case do == doRegister && m.payer(env).ID == 0:
		return "no account of this wallet can pay the fee; others register one for you, r says how"
	case (do == doRegister || do == doWatch || do == doChange || do == doMultisig) && !env.Online():
		return "no node answers"
	case (do == doMultisig || do == doBackUp) && m.own(env) == nil:
		return "the account is not read yet"
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
	case m.plan.change != nil:
		return m.doPlan(env, id)
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
	needOpen := []action.ID{doReveal, doPassword, doRegister, doAgain, doWatch, doBackUp, doChange, doMultisig}
	if !env.Unlocked() && slices.Contains(needOpen, id) {
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
	case doChange:
		m.form.openKeys(a.AccountRef)
	case doMultisig:
		m.form.openSigners(m.own(env), m.role(env), m.name)
	case doCard:
		return screen.Request(screen.ShowAccount{Account: a.AccountRef})
	case doWatch:
		return steps(screen.Steps{Way: screen.WayWatch})
	case doAgain:
		return steps(screen.Steps{Way: screen.WayRegistered})
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
		if m.plan.sent(env) {
			m.plan.drop()
			m.form.Close()
		}
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
	case topicPlan:
		return m.planned(env, msg)
	case topicForm:
		return m.answered(env, msg)
	}
	return nil
}

// answered takes what a form led to: a change that is shown, what was built of one, or the form's own end.
func (m *Model) answered(env screen.Env, msg screen.Result) tea.Cmd {
	change, is := msg.Body.(*Change)
	switch _, built := msg.Body.(screen.Built); {
	case built && msg.Err == nil:
		m.form.Close()
		return m.planned(env, msg)
	case !is || msg.Err != nil:
		return m.form.done(env, msg)
	case m.form.Form == nil: // it was left meanwhile
		change.Wipe()
		return nil
	}
	m.form.Form.Busy = ""
	m.plan.begin(change, &m.form)
	m.form.Form = nil
	return nil
}

func (m *Model) click(env screen.Env, c screen.Click) {
	if m.form.Form != nil {
		m.form.Form.Click(c)
		return
	}
	if m.plan.change != nil {
		m.plan.click(c)
		return
	}
	m.focus = c.Panel
	if c.At >= 0 {
		m.rows[c.Panel].Jump(c.At, m.count(env, c.Panel))
		m.moved()
	}
}
