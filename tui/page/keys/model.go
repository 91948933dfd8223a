// Package keys is the page of who may act for the wallet's accounts: the keys and accounts of each role, which of them
// this wallet holds, and what it could do if it held others.
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
	authorities
	form         form
	plan         plan
	focus        int
	cursors      [panels]list.Cursor
	treeHidden   bool             // the x-ray is hidden
	shownAccount ledger.AccountID // the account in focus on all pages, as last seen
}

// New makes the page.
func New(core Core, tasks *screen.Tasks) *Model {
	return &Model{authorities: authorities{core: core, tasks: tasks}, form: newForm(core, tasks)}
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

// Resume implements screen.Resumer: the form of a change opens again, even if the change was built already.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if !is {
		return
	}
	work, signers := before.form.Work, before.form.signers
	if before.plan.change != nil && work.Form == nil {
		work, signers = before.plan.form, before.plan.signers
	}
	m.form.Work.Resume(work)
	if m.form.Form != nil {
		m.form.signers = signers
	}
	m.plan.builtReview, m.plan.builtAt = before.plan.builtReview, before.plan.builtAt
	m.focus, m.cursors, m.shownAccount = before.focus, before.cursors, before.shownAccount
	before.plan.discard()
	if made := before.form.made; made != nil {
		made.Wipe() // those that the wallet does not have are made anew
		m.form.made = made
	}
}

// Unsaved implements screen.Holder.
func (m *Model) Unsaved() string {
	if m.plan.change != nil && m.form.Form == nil {
		return "A change of keys is planned and not signed; quitting drops it."
	}
	return m.form.Unsaved()
}

// account returns the account in focus.
func (m *Model) account(env screen.Env) (vault.OwnAccount, bool) {
	at := m.cursors[panelAccounts].At
	if at >= len(env.Accounts) {
		return vault.OwnAccount{}, false
	}
	return env.Accounts[at], true
}

// payer returns who pays for a registration: the account in focus if the wallet can sign for it, else the first for which it can.
func (m *Model) payer(env screen.Env) ledgerview.AccountRef {
	a, _ := m.account(env)
	return payerFor(env, a.ID)
}

// ledgerAccount returns the account in focus as the ledger has it; nil if it was not read yet.
func (m *Model) ledgerAccount(env screen.Env) *ledger.Account {
	a, _ := m.account(env)
	return m.tree.lookup(a.ID)
}

// roleToChange returns the role whose signers are changed: that of the row in focus, else active.
func (m *Model) roleToChange(env screen.Env) string {
	a, _ := m.account(env)
	rows := m.tree.roleRows(a.ID)
	if at := m.cursors[panelRoles].At; m.focus == panelRoles && at < len(rows) && rows[at].role == "owner" {
		return "owner"
	}
	return "active"
}

// heldKeys returns the keys of the account in focus that are in this wallet.
func (m *Model) heldKeys(env screen.Env) []screen.HeldKey {
	a, _ := m.account(env)
	return m.tree.heldKeys(a.ID)
}

// rowCount returns how many rows a panel has.
func (m *Model) rowCount(env screen.Env, panel int) int {
	a, there := m.account(env)
	switch {
	case panel == panelAccounts:
		return len(env.Accounts)
	case !there:
		return 0
	case panel == panelRoles:
		return len(m.tree.roleRows(a.ID))
	}
	return len(m.tree.partyRows(a.ID))
}

// focusedKey returns the public key in focus: that of the row in the x-ray, else of the row among the roles.
func (m *Model) focusedKey(env screen.Env) (ledger.PublicKey, bool) {
	a, there := m.account(env)
	if !there {
		return ledger.PublicKey{}, false
	}
	if m.focus == panelTree {
		rows := m.tree.partyRows(a.ID)
		if at := m.cursors[panelTree].At; at < len(rows) {
			return rows[at].key, rows[at].account == 0
		}
		return ledger.PublicKey{}, false
	}
	rows := m.tree.roleRows(a.ID)
	if at := m.cursors[panelRoles].At; at < len(rows) {
		return rows[at].key, rows[at].account == 0
	}
	return ledger.PublicKey{}, false
}

// Copies implements screen.Copier. Private keys are never among the values.
func (m *Model) Copies(env screen.Env) []screen.Value {
	a, there := m.account(env)
	if !there {
		return nil
	}
	out := []screen.Value{{Name: "Account", Text: a.Name}, {Name: "Account id", Text: a.ID.String()}}
	if key, is := m.focusedKey(env); is {
		out = append(out, screen.Value{Name: "Public key", Text: key.String()})
	}
	return out
}

// Call implements screen.Caller: the operation reads the account in focus with its authorities.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "get_account " + env.Account.Name
}
