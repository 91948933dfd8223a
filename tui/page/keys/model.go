// Package keys is the page of who may act for the wallet's accounts: the keys and accounts of each role, what of it
// this wallet holds, and what would be if it held more or less.
package keys

import (
	"billfold/ledger"
	"billfold/tui/overlay/ask"
	"billfold/tui/screen"
	"billfold/tui/widget/list"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// The panels in reading order.
const (
	panelAccounts = iota
	panelRoles
	panelTree
	panels
)

// Model is the page.
type Model struct {
	known
	form  form
	plan  plan
	focus int
	rows  [panels]list.Cursor
	off   bool             // the tree is not shown
	shown ledger.AccountID // the account in focus of all pages, as last seen
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{known: known{core: core, tasks: tasks}, form: newForm(core, tasks)}
}

// Crumb implements screen.Screen.
func (m *Model) Crumb() string {
	if m.plan.change != nil {
		return "Keys › Who may sign"
	}
	return "Keys › " + [panels]string{"Accounts", "Roles", "X-ray"}[m.focus]
}

// Asking implements ask.Asker.
func (m *Model) Asking() *ask.Form { return m.form.Form }

// Place implements screen.Screen.
func (m *Model) Place() (string, screen.Mode) {
	switch {
	case m.form.Form != nil:
		return m.form.Form.Place()
	case m.form.secret != nil:
		return "keys.secret", screen.MODAL
	case m.plan.change != nil:
		return planPlace, screen.KEYS
	}
	return "keys", screen.KEYS
}

// Resume implements screen.Resumer: a change that was asked for is asked for again, also where it was built already.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	asked, signs := before.form.Work, before.form.signs
	if before.plan.change != nil && asked.Form == nil {
		asked, signs = before.plan.form, before.plan.signs
	}
	m.form.Work.Resume(asked)
	if m.form.Form != nil {
		m.form.signs = signs
	}
	m.plan.built, m.plan.at = before.plan.built, before.plan.at
	m.focus, m.rows, m.shown = before.focus, before.rows, before.shown
	before.plan.drop()
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if m.plan.change != nil && m.form.Form == nil {
		return "A change of keys is planned and not signed; quitting drops it."
	}
	return m.form.Unsaved()
}

// account is the account in focus.
func (m *Model) account(env screen.Env) (vault.OwnAccount, bool) {
	at := m.rows[panelAccounts].At
	if at >= len(env.Accounts) {
		return vault.OwnAccount{}, false
	}
	return env.Accounts[at], true
}

// payer is who pays for what is registered: the account in focus if its keys are here, else the first whose are.
func (m *Model) payer(env screen.Env) ledgerview.AccountRef {
	a, _ := m.account(env)
	return payerFor(env, a.ID)
}

// own is the account in focus as it was read; nil: not yet.
func (m *Model) own(env screen.Env) *ledger.Account {
	a, _ := m.account(env)
	return m.tree.lookup(a.ID)
}

// role is the one of the row in focus: whose signers are to be changed.
func (m *Model) role(env screen.Env) string {
	a, _ := m.account(env)
	rows := m.tree.roles(a.ID)
	if at := m.rows[panelRoles].At; m.focus == panelRoles && at < len(rows) && rows[at].role == "owner" {
		return "owner"
	}
	return "active"
}

// held are the keys of the account in focus that are here.
func (m *Model) held(env screen.Env) []screen.HeldKey {
	a, _ := m.account(env)
	return m.tree.held(a.ID)
}

// count is how many rows a panel has.
func (m *Model) count(env screen.Env, panel int) int {
	a, there := m.account(env)
	switch {
	case panel == panelAccounts:
		return len(env.Accounts)
	case !there:
		return 0
	case panel == panelRoles:
		return len(m.tree.roles(a.ID))
	}
	return len(m.tree.rows(a.ID))
}

// key is the public key in focus; of the accounts, the first active one.
func (m *Model) key(env screen.Env) (ledger.PublicKey, bool) {
	a, there := m.account(env)
	if !there {
		return ledger.PublicKey{}, false
	}
	if m.focus == panelTree {
		rows := m.tree.rows(a.ID)
		if at := m.rows[panelTree].At; at < len(rows) {
			return rows[at].key, rows[at].account == 0
		}
		return ledger.PublicKey{}, false
	}
	rows := m.tree.roles(a.ID)
	if at := m.rows[panelRoles].At; at < len(rows) {
		return rows[at].key, rows[at].account == 0
	}
	return ledger.PublicKey{}, false
}

// Copies implements screen.Copier. Private keys are never among it.
func (m *Model) Copies(env screen.Env) []screen.Value {
	a, there := m.account(env)
	if !there {
		return nil
	}
	out := []screen.Value{{Name: "Account", Text: a.Name}, {Name: "Account id", Text: a.ID.String()}}
	if key, is := m.key(env); is {
		out = append(out, screen.Value{Name: "Public key", Text: key.String()})
	}
	return out
}

// Call implements screen.Caller: the account with its authorities of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "get_account " + env.Account.Name
}
