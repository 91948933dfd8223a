package tui

import (
	"fmt"
	"slices"

	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/page/home"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// accountDialog lets the person choose the account in focus. Each shows what it has, as Home read it last.
type accountDialog struct {
	dialog.Model
	accounts []vault.OwnAccount
	home     *home.Model
}

func newAccountDialog(env screen.Env, of *home.Model) *accountDialog {
	accounts := env.Accounts
	d := &accountDialog{dialog.Model{Title: "Switch account", Foot: "↵ switch · esc keep " + format.Name(env.Account).String(),
		Pick: func(i int) tea.Msg { return screen.UseAccount{ID: accounts[i].ID} }}, accounts, of}
	d.fill(env)
	if at := slices.IndexFunc(accounts, func(a vault.OwnAccount) bool { return a.ID == env.Account.ID }); at > 0 {
		d.At(at)
	}
	return d
}

// fill writes the rows. An amount that has no room in its row is left out, never cut.
func (d *accountDialog) fill(env screen.Env) {
	d.Rows = nil
	totals, focus := d.home.Totals(), d.home.FocusAsset()
	w, amountW := 0, 0
	for _, a := range d.accounts {
		w = max(w, format.Account(a.AccountRef).Width())
		amountW = max(amountW, totals.Lines(env, a.ID, focus)[0].Width())
	}
	for _, a := range d.accounts {
		row := canvas.Join(ownershipLabel(a), canvas.Text(" "), format.Account(a.AccountRef))
		if len(d.accounts) > 1 {
			for _, amount := range totals.Lines(env, a.ID, focus) {
				if wider := canvas.Join(row.Pad(12+w), canvas.Text("  "), amount.PadLeft(amountW)); wider.Width() <= env.W-12 {
					row = wider
				}
			}
		}
		d.Rows = append(d.Rows, row)
	}
	d.Text = totals.SumLines(env, focus)
	if note := home.Uncounted(env); note != nil && len(d.Text) > 0 {
		d.Text = append(d.Text, note)
	}
	if watched := slices.ContainsFunc(d.accounts, func(a vault.OwnAccount) bool { return !a.CanSign() }); watched && len(d.Text) > 0 {
		d.Text = append(d.Text, canvas.In(theme.Muted, "Accounts that are only watched are counted, too."))
	}
}

// Size returns how much room the pop-up wants.
func (d *accountDialog) Size(env screen.Env) (w, h int) {
	d.fill(env)
	return d.Model.Size(env)
}

// Draw implements screen.Screen.
func (d *accountDialog) Draw(env screen.Env, a canvas.Area) {
	d.fill(env)
	d.Model.Draw(env, a)
}

// ownershipLabel shows, as a sign and words, what the wallet's keys may do for an account.
func ownershipLabel(a vault.OwnAccount) canvas.Line {
	word := map[vault.Ownership]string{
		vault.OwnershipFull: "can sign", vault.OwnershipPartial: "in part",
		vault.OwnershipWatch: "watch", vault.OwnershipUnknown: "checking", vault.OwnershipMissing: "not there",
	}[a.Ownership]
	return canvas.Join(format.Ownership(a.Ownership), canvas.In(theme.Muted, fmt.Sprintf(" %-9s", word)))
}

// removeNow is the person's yes to removing an account from the list.
type removeNow struct{ account ledgerview.AccountRef }

// removeDialog asks whether to remove an account from the list.
func removeDialog(account ledgerview.AccountRef) *dialog.Model {
	return &dialog.Model{Title: "Remove from the list", Keys: dialog.Removal, Foot: "X remove · esc keep",
		Text: []canvas.Line{format.Account(account), canvas.Text("Its keys stay in this wallet; importing one of them lists it again.")},
		Pick: func(int) tea.Msg { return removeNow{account} }}
}

type quitNow struct{}

// quitPlace is the place of the quit question in the key table.
const quitPlace = "dialog.quit"

// quitWidth is the width of the question if there is room.
const quitWidth = 78

// quitDialog asks before quitting while a payment is not final, a program waits for an answer, or something typed would be lost; ok
// is false if there is nothing to ask.
func quitDialog(env screen.Env, unsaved []string, sandbox bool) (d *dialog.Model, ok bool) {
	var text []canvas.Line
	for _, lost := range unsaved {
		text = append(text, canvas.Text(lost).Wrap(max(min(env.W, quitWidth)-10, 2))...)
	}
	switch open := openPayments(env); {
	case open == 0:
	case sandbox: // payments need it to become final, and it ends with the program
		text = append(text, canvas.Text(format.Many(open, "payment")+" not final. The sandbox ends with Billfold."))
	case open == 1:
		text = append(text, canvas.Text("1 payment is not final. It does not need Billfold to be final."))
	default:
		text = append(text, canvas.Text(fmt.Sprintf("%d payments are not final. They do not need Billfold to be final.", open)))
	}
	switch n := len(env.Approvals); n {
	case 0:
	case 1:
		text = append(text, canvas.Text("1 payment of your programs waits for you; quitting denies it."))
	default:
		text = append(text, canvas.Text(fmt.Sprintf("%d payments of your programs wait for you; quitting denies them.", n)))
	}
	return &dialog.Model{Title: "Quit", Keys: quitPlace, Text: text,
		Foot: "q quits · esc stays", Pick: func(int) tea.Msg { return quitNow{} }}, len(text) > 0
}

func openPayments(env screen.Env) int {
	n := 0
	for _, p := range env.Payments {
		if p.State <= payment.InBlock || p.State == payment.Unknown {
			n++
		}
	}
	return n
}
