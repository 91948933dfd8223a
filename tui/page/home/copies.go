package home

import (
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/progress"
	"billfold/tui/widget/rows"
	"billfold/walletcore/ledgerview"
)

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
