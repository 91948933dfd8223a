package tui

import (
	"fmt"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/overlay/help"
	"billfold/tui/overlay/palette"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// maxPopups is how deep pop-ups stack.
const maxPopups = 2

func (m *Model) push(p screen.Screen) tea.Cmd {
	if len(m.popups) < maxPopups {
		m.popups = append(m.popups, p)
	}
	return nil
}

func (m *Model) showHelp() tea.Cmd {
	place, _ := m.front().Place()
	if place == help.Place {
		return nil
	}
	return m.push(help.New(m.table, place))
}

func (m *Model) showPalette() tea.Cmd {
	place, _ := m.front().Place()
	if len(m.popups) > 0 || m.page == screen.Unlock || m.page == screen.FirstRun {
		return nil
	}
	return m.push(palette.New(m.table, place, pages(), m.env.Accounts, m.off))
}

func (m *Model) chooseAccount() tea.Cmd {
	accounts := m.env.Accounts
	if len(accounts) == 0 {
		m.toasts.add(m.env.Now, screen.Toast{Line: canvas.Text("This wallet has no account yet")})
		return nil
	}
	d := &dialog.Model{Title: "Switch account", Foot: "↵ take it · esc keep " + format.Name(m.env.Account).String(),
		Pick: func(i int) tea.Msg { return screen.UseAccount{ID: accounts[i].ID} }}
	for i, a := range accounts {
		d.Rows = append(d.Rows, canvas.Join(signs(a), canvas.Text(" "), format.Account(a.AccountRef)))
		if a.ID == m.account {
			d.At(i)
		}
	}
	return m.push(d)
}

// removeNow takes an account off the list; a person said yes.
type removeNow struct{ account ledgerview.AccountRef }

// askToRemove asks whether an account shall leave the list. A locked wallet
// cannot write its list.
func (m *Model) askToRemove(id ledger.AccountID) tea.Cmd {
	account, listed := m.env.Listed(id)
	switch {
	case !listed:
		m.toasts.add(m.env.Now, screen.Toast{Line: canvas.Text("This wallet has no account yet")})
		return nil
	case !m.env.Unlocked():
		return screen.Request(screen.NeedUnlock{Back: screen.Home})
	}
	return m.push(&dialog.Model{Title: "Take off the list", Foot: "↵ take it off · esc keep it",
		Text: []canvas.Line{format.Account(account.AccountRef), canvas.Text("Its keys stay in this wallet; importing one of them lists it again.")},
		Rows: []canvas.Line{canvas.Text("Take it off the list")},
		Pick: func(int) tea.Msg { return removeNow{account.AccountRef} }})
}

func (m *Model) remove(a ledgerview.AccountRef) tea.Cmd {
	return func() tea.Msg {
		if err := m.core.Accounts.RemoveAccount(a.ID.String()); err != nil {
			return screen.Toast{Bad: true, Line: canvas.Text(advice.Said(err))}
		}
		return screen.Toast{Line: canvas.Join(format.Account(a), canvas.Text(" is off the list; its keys stay"))}
	}
}

// signs returns in a sign and words what the wallet's keys may do for an account.
func signs(a vault.OwnAccount) canvas.Line {
	word := map[vault.Ownership]string{
		vault.OwnershipFull: "can sign", vault.OwnershipPartial: "in part",
		vault.OwnershipWatch: "watch", vault.OwnershipUnknown: "checking",
	}[a.Ownership]
	return canvas.Join(format.Ownership(a.Ownership), canvas.In(theme.Muted, fmt.Sprintf(" %-9s", word)))
}

func (m *Model) showNotices() tea.Cmd {
	d := &dialog.Model{Title: "Past notices", Foot: "esc close"}
	for i := len(m.toasts.past) - 1; i >= 0; i-- {
		n := m.toasts.past[i]
		when := canvas.In(theme.Muted, format.Clock(n.at)+"  ")
		for _, l := range n.line.Wrap(max(m.env.W-28, 20)) {
			d.Rows = append(d.Rows, canvas.Join(when, l))
			when = canvas.Text("          ")
		}
	}
	if len(d.Rows) == 0 {
		d.Text = []canvas.Line{canvas.Text("Nothing was said yet.")}
	}
	return m.push(d)
}

// quit leaves; it asks first while a payment is not final or a program waits for
// an answer.
func (m *Model) quit() tea.Cmd {
	open := 0
	for _, p := range m.env.Payments {
		if p.State <= walletcore.PaymentInBlock || p.State == walletcore.PaymentUnknown {
			open++
		}
	}
	var text []canvas.Line
	switch open {
	case 0:
	case 1:
		text = append(text, canvas.Text("1 payment is not final. It does not need Billfold to be final."))
	default:
		text = append(text, canvas.Text(fmt.Sprintf("%d payments are not final. They do not need Billfold to be final.", open)))
	}
	if n := len(m.waiting()); n > 0 {
		text = append(text, canvas.Text(fmt.Sprintf("%d of your programs' payments wait for your answer; quitting means no.", n)))
	}
	if len(text) == 0 {
		return tea.Quit
	}
	return m.push(&dialog.Model{Title: "Quit", Keys: "dialog.quit", Text: text,
		Foot: "q quits · esc stays", Pick: func(int) tea.Msg { return quitNow{} }})
}
