package keys

import (
	"slices"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	_, account := m.account(env)
	key, is := m.focusedKey(env)
	switch {
	case m.plan.change != nil:
		return m.offPlan(env, do)
	case (do == doForget || do == doBackUp || do == doCard || do == doChange || do == doMultisig) && !account:
		return "this wallet has no account yet"
	case do == doRegister && m.payer(env).ID == 0:
		return "no account of this wallet can pay the fee; others can register one for you, r shows how"
	case (do == doRegister || do == doWatch || do == doChange || do == doMultisig) && !env.Online():
		return env.NoNode()
	case (do == doMultisig || do == doBackUp) && m.ledgerAccount(env) == nil:
		return "the account is not read yet"
	case do == doBackUp && len(m.heldKeys(env)) == 0:
		return "no private key of this account is in this wallet"
	case do == doFind && !env.Online():
		return env.NoNode()
	case do == doWhatIf && (m.focus != panelTree || m.rowCount(env, panelTree) == 0):
		return "choose a row of the x-ray first (tab)"
	case do == doReveal && !is:
		return "choose a key first"
	case do == doReveal && !m.tree.keysHere[key]:
		return "this private key is not in this wallet"
	}
	return ""
}

func (m *Model) do(env screen.Env, id action.ID) tea.Cmd {
	switch {
	case m.form.Form != nil:
		return m.form.Do(env, m.form.Form.Do(id))
	case m.form.secret != nil:
		m.form.hideSecret()
		return nil
	case m.plan.change != nil:
		return m.doPlan(env, id)
	case m.cursors[m.focus].Do(id, m.rowCount(env, m.focus)):
		m.resetPanels()
		return nil
	}
	switch id {
	case "next", "enter":
		m.moveFocus(1)
	case "prev":
		m.moveFocus(-1)
	case "refresh":
		return m.startReading(env)
	case "esc":
		if len(m.tree.flipped) > 0 {
			m.tree.flipped = nil
			return nil
		}
		return screen.Request(screen.Back{})
	case doXray:
		m.treeHidden = !m.treeHidden
		m.moveFocus(0)
	case doImport:
		return screen.Request(screen.Navigate{To: screen.FirstRun})
	default:
		return m.perform(env, id)
	}
	return nil
}

// resetPanels goes to the top of the other panels if the account changed, and ends what-if.
func (m *Model) resetPanels() {
	if m.focus == panelAccounts {
		m.cursors[panelRoles], m.cursors[panelTree], m.tree.flipped = list.Cursor{}, list.Cursor{}, nil
	}
}

func (m *Model) moveFocus(by int) {
	n := panels
	if m.treeHidden {
		n--
	}
	m.focus = (min(m.focus, n-1) + by + n) % n
}

// perform does what needs an account, a key, a node or an unlocked wallet.
func (m *Model) perform(env screen.Env, id action.ID) tea.Cmd {
	if why := m.Off(env, id); why != "" {
		return screen.NotNow(why)
	}
	needOpen := []action.ID{doReveal, doPassword, doRegister, doRegistered, doWatch, doBackUp, doChange, doMultisig}
	if !env.Unlocked() && slices.Contains(needOpen, id) {
		return screen.Request(screen.NeedUnlock{})
	}
	a, _ := m.account(env)
	key, _ := m.focusedKey(env)
	switch id {
	case doWhatIf:
		m.toggleWhatIf(env)
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
		m.form.openSigners(m.ledgerAccount(env), m.roleToChange(env), m.nameOf)
	case doCard:
		return screen.Request(screen.ShowAccount{Account: a.AccountRef})
	case doWatch:
		return openSteps(screen.Steps{Way: screen.WayWatch})
	case doRegistered:
		return openSteps(screen.Steps{Way: screen.WayRegistered})
	case doRegister:
		return openSteps(screen.Steps{Way: screen.WayRegister, Account: m.payer(env)})
	case doBackUp:
		return openSteps(screen.Steps{Way: screen.WayBackUp, Account: a.AccountRef, Held: m.heldKeys(env)})
	}
	return nil
}

// openSteps asks the root for one of the ways of the first page, which leads back here.
func openSteps(s screen.Steps) tea.Cmd {
	s.Back = screen.Keys
	return screen.Request(screen.Navigate{To: screen.FirstRun, With: s})
}

// toggleWhatIf switches whether the row in focus counts.
func (m *Model) toggleWhatIf(env screen.Env) {
	a, _ := m.account(env)
	rows := m.tree.partyRows(a.ID)
	what := rows[min(m.cursors[panelTree].At, len(rows)-1)].flipKey()
	if m.tree.flipped == nil {
		m.tree.flipped = map[string]bool{}
	}
	if m.tree.flipped[what] = !m.tree.flipped[what]; !m.tree.flipped[what] {
		delete(m.tree.flipped, what)
	}
}

// Update implements screen.Screen.
func (m *Model) Update(env screen.Env, msg tea.Msg) tea.Cmd {
	did := m.update(env, msg)
	return tea.Batch(did, m.dropNewKeys())
}

// dropNewKeys wipes the keys that were made for a change once its form is closed, and tells which of them stay in the wallet for nothing.
func (m *Model) dropNewKeys() tea.Cmd {
	if m.form.made == nil || m.form.Form != nil || m.plan.change != nil {
		return nil
	}
	left := m.form.made.Left(format.KeyShort)
	m.form.made.Wipe()
	if m.form.made = nil; left == "" {
		return nil
	}
	return screen.Request(screen.Toast{Urgent: true, Line: canvas.Text(left)})
}

func (m *Model) update(env screen.Env, msg tea.Msg) tea.Cmd {
	m.form.hideExpired(env.Now)
	m.followAccount(env)
	switch msg := msg.(type) {
	case screen.Result:
		return m.applyResult(env, msg)
	case screen.Text:
		if m.form.Form != nil {
			return m.form.typeKey(env, msg.Key)
		}
	case screen.Click:
		m.click(env, msg)
	case screen.Command:
		return m.do(env, msg.ID)
	case screen.Opened:
		if m.plan.sent(env) {
			m.plan.discard()
			m.form.Close()
		}
		return m.startReading(env)
	case event.Event:
		return m.startReading(env)
	}
	return nil
}

// followAccount moves to the account in focus if another page changed it.
func (m *Model) followAccount(env screen.Env) {
	if env.Account.ID == m.shownAccount {
		return
	}
	m.shownAccount = env.Account.ID
	for i, a := range env.Accounts {
		if a.ID == m.shownAccount {
			m.cursors[panelAccounts].Jump(i, len(env.Accounts))
		}
	}
	m.cursors[panelRoles], m.cursors[panelTree], m.tree.flipped = list.Cursor{}, list.Cursor{}, nil
}

func (m *Model) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	switch msg.Topic {
	case topicTree:
		m.applyTree(env, msg)
	case topicJudge:
		m.form.applyVerdict(msg)
	case topicPlan:
		return m.openPlanReview(env, msg)
	case topicForm:
		return m.applyFormResult(env, msg)
	}
	return nil
}

// applyFormResult takes the end of a form's work: a planned change, what was built of one, or something else that the form did.
func (m *Model) applyFormResult(env screen.Env, msg screen.Result) tea.Cmd {
	change, is := msg.Body.(*Change)
	switch _, built := msg.Body.(screen.Built); {
	case built && msg.Err == nil:
		m.form.Close()
		return m.openPlanReview(env, msg)
	case !is || msg.Err != nil:
		return m.form.finish(env, msg)
	case m.form.Form == nil: // the form was closed meanwhile
		return nil
	}
	m.form.Form.Busy = ""
	m.plan.open(change, &m.form)
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
		m.cursors[c.Panel].Jump(c.At, m.rowCount(env, c.Panel))
		m.resetPanels()
	}
}
