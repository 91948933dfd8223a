package tui

import (
	"encoding/json"
	"fmt"

	"billfold/tui/format"
	"billfold/tui/overlay/dialog"
	"billfold/tui/page/console"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/commandline"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// accountDialog chooses the account in focus.
func accountDialog(env screen.Env) *dialog.Model {
	accounts := env.Accounts
	d := &dialog.Model{Title: "Switch account", Foot: "↵ switch · esc keep " + format.Name(env.Account).String(),
		Pick: func(i int) tea.Msg { return screen.UseAccount{ID: accounts[i].ID} }}
	for i, a := range accounts {
		d.Rows = append(d.Rows, canvas.Join(signs(a), canvas.Text(" "), format.Account(a.AccountRef)))
		if a.ID == env.Account.ID {
			d.At(i)
		}
	}
	return d
}

// signs returns in a sign and words what the wallet's keys may do for an account.
func signs(a vault.OwnAccount) canvas.Line {
	word := map[vault.Ownership]string{
		vault.OwnershipFull: "can sign", vault.OwnershipPartial: "in part",
		vault.OwnershipWatch: "watch", vault.OwnershipUnknown: "checking",
	}[a.Ownership]
	return canvas.Join(format.Ownership(a.Ownership), canvas.In(theme.Muted, fmt.Sprintf(" %-9s", word)))
}

// removeNow takes an account off the list; a person said yes.
type removeNow struct{ account ledgerview.AccountRef }

// removeDialog asks whether an account shall leave the list.
func removeDialog(account ledgerview.AccountRef) *dialog.Model {
	return &dialog.Model{Title: "Remove from the list", Foot: "↵ remove · esc keep",
		Text: []canvas.Line{format.Account(account), canvas.Text("Its keys stay in this wallet; importing one of them lists it again.")},
		Rows: []canvas.Line{canvas.Text("Remove it from the list")},
		Pick: func(int) tea.Msg { return removeNow{account} }}
}

// callOf is what the page shows or did, as commands and as a call for a shell; none where there is no such operation or command.
func callOf(env screen.Env, page screen.Screen, shell ConsoleShell, url string) (out []screen.Value) {
	if of, ok := page.(screen.Commander); ok {
		out = of.Commands(env)
	}
	caller, ok := page.(screen.Caller)
	if !ok || shell == nil {
		return out
	}
	line := caller.Call(env)
	body := shell.Request(line)
	parsed, err := commandline.Parse(line)
	if body == "" || err != nil {
		return out
	}
	words := []string{"billfold", "call", parsed.Method}
	for _, param := range parsed.Params {
		text := string(param)
		_ = json.Unmarshal(param, &text) // what is no text stays as it is
		words = append(words, text)
	}
	out = append(out, screen.Value{Name: "Command", Text: screen.ShellLine(words...)})
	if url != "" {
		out = append(out, screen.Value{Name: "curl", Text: console.Curl(url, body)})
	}
	return out
}

// noticesDialog shows the same as a call, and lists what toasts said, the newest first, in w cells.
func noticesDialog(kept []notice, calls []screen.Value, w int) *dialog.Model {
	d := &dialog.Model{Title: "Past notices", Foot: "esc close"}
	var of []screen.Value // of each row that copies
	for _, v := range calls {
		name := canvas.In(theme.Muted, fmt.Sprintf("%-10s", v.Name))
		for _, l := range canvas.Text(format.Clean(v.Text)).Wrap(w) {
			d.Rows, of = append(d.Rows, canvas.Join(name, l)), append(of, v)
			name = canvas.Text("          ")
		}
	}
	if len(of) > 0 {
		d.Text = []canvas.Line{canvas.In(theme.Muted, "Run from a shell, this does the same once more. ↵ copies it.")}
		d.Title, d.Foot = "As a command · "+d.Title, "↵ copy · esc close"
		d.Pick = func(row int) tea.Msg {
			if row < len(of) {
				return screen.Copy{Value: of[row]}
			}
			return nil
		}
	}
	for i := len(kept) - 1; i >= 0; i-- {
		when := canvas.In(theme.Muted, format.Clock(kept[i].at)+"  ")
		for _, l := range kept[i].line.Wrap(w) {
			d.Rows = append(d.Rows, canvas.Join(when, l))
			when = canvas.Text("          ")
		}
	}
	if len(kept) == 0 && len(of) == 0 {
		d.Text = []canvas.Line{canvas.Text("No notices yet.")}
	}
	return d
}

type quitNow struct{}

// quitDialog asks before leaving while a payment is not final or a program waits
// for an answer; ok is false when there is nothing to ask.
func quitDialog(env screen.Env) (d *dialog.Model, ok bool) {
	var text []canvas.Line
	switch open := openPayments(env); open {
	case 0:
	case 1:
		text = append(text, canvas.Text("1 payment is not final. It does not need Billfold to be final."))
	default:
		text = append(text, canvas.Text(fmt.Sprintf("%d payments are not final. They do not need Billfold to be final.", open)))
	}
	if n := len(env.Approvals); n > 0 {
		text = append(text, canvas.Text(fmt.Sprintf("%d of your programs' payments wait for your answer; quitting denies them.", n)))
	}
	return &dialog.Model{Title: "Quit", Keys: "dialog.quit", Text: text,
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
