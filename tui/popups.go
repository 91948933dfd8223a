package tui

import (
	"fmt"

	"billfold/tui/canvas"
	"billfold/tui/dialog"
	"billfold/tui/help"
	"billfold/tui/palette"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/tui/theme"
	"billfold/walletcore"

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
		m.toasts.add(m.env.Now, screen.Say{Line: canvas.Say("This wallet has no account yet")})
		return nil
	}
	d := &dialog.Model{Title: "Switch account", Foot: "↵ take it · esc keep " + show.Name(m.env.Account).String(),
		Pick: func(i int) tea.Msg { return screen.UseAccount{ID: accounts[i].ID} }}
	for i, a := range accounts {
		d.Rows = append(d.Rows, canvas.Join(Signs(a), canvas.Say(" "), show.Account(a.AccountRef)))
		if a.ID == m.account {
			d.At(i)
		}
	}
	return m.push(d)
}

// Signs says in a sign and words whether the wallet can sign for an account.
func Signs(a walletcore.OwnAccount) canvas.Line {
	if a.CanSign {
		return canvas.Join(canvas.In(theme.OK, theme.SignOn), canvas.In(theme.Muted, " can sign "))
	}
	return canvas.In(theme.Muted, theme.SignOff+" watch    ")
}

func (m *Model) showNotices() tea.Cmd {
	d := &dialog.Model{Title: "Past notices", Foot: "esc close"}
	for i := len(m.toasts.past) - 1; i >= 0; i-- {
		n := m.toasts.past[i]
		when := canvas.In(theme.Muted, show.Clock(n.at)+"  ")
		for _, l := range n.line.Wrap(max(m.env.W-28, 20)) {
			d.Rows = append(d.Rows, canvas.Join(when, l))
			when = canvas.Say("          ")
		}
	}
	if len(d.Rows) == 0 {
		d.Text = []canvas.Line{canvas.Say("Nothing was said yet.")}
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
		text = append(text, canvas.Say("1 payment is not final. It does not need Billfold to be final."))
	default:
		text = append(text, canvas.Say(fmt.Sprintf("%d payments are not final. They do not need Billfold to be final.", open)))
	}
	if n := len(m.waiting()); n > 0 {
		text = append(text, canvas.Say(fmt.Sprintf("%d of your programs' payments wait for your answer; quitting means no.", n)))
	}
	if len(text) == 0 {
		return tea.Quit
	}
	return m.push(&dialog.Model{Title: "Quit", Keys: "dialog.quit", Text: text,
		Foot: "q quits · esc stays", Pick: func(int) tea.Msg { return quitNow{} }})
}
