package history

import (
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
	historyexport "billfold/walletcore/history/export"
	"billfold/walletcore/vault"
)

// Copies implements screen.Copier: the values of the row in focus, the id of its transaction first.
func (m *Model) Copies(env screen.Env) []screen.Value {
	e, ok := m.list.table.focused()
	if !ok || m.export != nil || m.label.ask != nil {
		return nil
	}
	e.Final = isFinal(env, e)
	out := append([]screen.Value{{Name: "Tx id", Text: m.rowInfo.id}}, rows.Copies(e)...)
	row := historyexport.Row{Entry: e, Transaction: m.rowInfo.id}
	row.Label, _ = m.rowInfo.labelOf(e)
	private := row.Label != "" || e.MemoState == vault.MemoOpen
	if text, err := row.JSON(); err == nil {
		out = append(out, screen.Value{Name: "Row as JSON", Text: string(text), Private: private})
	}
	return append(out, screen.Value{Name: "Receipt", Text: receiptText(row), Private: private})
}

// receiptText returns the row as lines that a person can pass on, without the private label.
func receiptText(r historyexport.Row) string {
	var b strings.Builder
	line := func(name, text string) {
		if text != "" {
			b.WriteString(name + strings.Repeat(" ", 14-len(name)) + text + "\n")
		}
	}
	line("Operation", format.Clean(r.Name)+" "+r.ID.String())
	if r.Direction == history.Other {
		line("By", format.Account(r.From).String())
	} else {
		line("From", format.Account(r.From).String())
		line("To", format.Account(r.To).String())
	}
	if r.Amount != 0 {
		line("Amount", format.Digits(r.Asset, r.Amount)+" "+format.Clean(r.Asset.Symbol))
	}
	line("Fee", format.Digits(r.FeeAsset, r.Fee)+" "+format.Clean(r.FeeAsset.Symbol)+", paid by the sender")
	if r.Time != 0 {
		line("Time", format.UTC(r.Time))
	}
	state := ", not final yet"
	if r.Final {
		state = ", irreversible"
	}
	line("Block", format.Block(r.Block)+state)
	line("Transaction", r.Transaction)
	if r.Memo != "" {
		line("Memo", format.Clean(r.Memo))
	}
	return b.String()
}

// Call implements screen.Caller: the operation reads the newest rows of the account in focus.
func (m *Model) Call(env screen.Env) string {
	if env.Account.Name == "" {
		return ""
	}
	return "get_account_history " + env.Account.Name + " 100"
}
