package palette

import (
	"encoding/hex"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"

	tea "github.com/charmbracelet/bubbletea"
)

// entry is something that can be found.
type entry struct {
	group, word string // word: its letters are matched in order
	help        string // matched only if the whole text is in it
	line        canvas.Line
	key, off    string // off: why it is not possible now; empty if it is
	do          tea.Msg
}

// The groups.
const (
	sentences = "SENTENCE"
	pages     = "GO TO"
	actions   = "ACTION"
	accounts  = "ACCOUNT"
	contacts  = "CONTACT"
	assets    = "ASSET"
	others    = "KNOWN ACCOUNT"
	rows      = "HISTORY"
	payments  = "PAYMENT"
	settings  = "SETTING"
	calls     = "WALLET CALL"
	objects   = "FIND"
)

// groups returns the groups in the order of the list.
func groups() []string {
	return []string{sentences, pages, actions, accounts, contacts, others, assets, payments, rows, settings, calls, objects}
}

// narrow maps a first character to the groups that are searched then.
func narrow() map[byte][]string {
	return map[byte][]string{'>': {actions}, '@': {accounts, contacts, others}, '#': {objects}, '!': {calls}, ',': {settings}}
}

// Sources holds what the palette searches.
type Sources struct {
	Table    action.Table
	Place    string // the place in the key table of what is in front
	Pages    []frame.Page
	Env      screen.Env
	Off      func(action.ID) string // why an action is not possible now; empty if it is
	Settings []Named
	Calls    []Named
}

// Named is something with a name and a description, and perhaps what a person calls it.
type Named struct{ Name, Help, Title string }

func (s Sources) entries() (all []entry) {
	for _, p := range s.Pages {
		all = append(all, entry{group: pages, word: p.Name, line: canvas.Text(p.Name), key: p.Key, do: screen.Navigate{To: p.ID}})
		if p.ID == screen.Send {
			all = append(all, entry{group: actions, word: "pay several, many recipients: table, CSV, payout", help: "paste names and amounts from a spreadsheet",
				line: canvas.Text("pay several recipients: paste or type a table"), key: p.Key + " ctrl+n", do: screen.Navigate{To: screen.Send, With: screen.SeveralPayments{}}})
		}
	}
	for _, where := range []string{s.Place, action.Everywhere} {
		for _, a := range s.Table.At(where).Actions {
			if !a.Alias && !strings.HasPrefix(string(a.ID), "go.") && !isKeyOnly(a.ID) {
				all = append(all, entry{group: actions, word: a.Help, line: canvas.Text(a.Help),
					key: a.Key(), off: s.Off(a.ID), do: frame.Press{Do: a.ID}})
			}
		}
	}
	const ways = "import a private key, a phrase or a wallet.json"
	if !slices.ContainsFunc(all, func(e entry) bool { return strings.HasPrefix(e.word, "import ") }) {
		all = append(all, entry{group: actions, word: ways, line: canvas.Text(ways), do: screen.Navigate{To: screen.FirstRun}})
	}
	return append(append(all, s.people()...), s.others()...)
}

// people returns entries for the own accounts, the contacts and the payments.
func (s Sources) people() (all []entry) {
	for _, a := range s.Env.Accounts {
		line := format.Account(a.AccountRef)
		all = append(all, entry{group: accounts, word: line.String(), line: line, key: "@", do: screen.UseAccount{ID: a.ID}})
	}
	for _, c := range s.Env.Contacts {
		line := format.Account(c.AccountRef)
		all = append(all, entry{group: contacts, word: line.String(), line: line, key: "pay",
			do: screen.Navigate{To: screen.Send, With: s.payTo(c.AccountRef)}})
	}
	for _, p := range s.Env.Payments {
		all = append(all, paymentEntry(s.Env, p))
	}
	return all
}

// payTo returns what opens the payment form for a contact: if the form is in front already, only its recipient is replaced; elsewhere
// a new payment is started.
func (s Sources) payTo(to ledgerview.AccountRef) any {
	if s.Place == "send.form" || s.Place == "send.type" {
		return screen.Recipient{Account: to}
	}
	return screen.Typed{To: to.Name}
}

// paymentEntry returns the entry of one of this wallet's payments.
func paymentEntry(env screen.Env, p payment.Payment) entry {
	to := format.RecipientID(p.Review)
	if p.Review.To != (ledgerview.AccountRef{}) {
		to = format.Account(p.Review.To).String()
	}
	amount := env.Money().Amount(p.Review.Asset, p.Review.Amount)
	line := canvas.Join(canvas.Text(p.State.String()+"  "), amount, canvas.Text(" "+theme.SignOut+" "+to))
	return entry{group: payments, word: to + " " + format.Digits(p.Review.Asset, p.Review.Amount) + " " + p.ID.String(), line: line,
		do: screen.Navigate{To: screen.Send, With: p.ID}}
}

// More holds what a palette searches besides what is in memory when it opens: what the account in focus has, and the newest rows of its history.
type More struct {
	Balances []ledgerview.Balance
	Rows     []history.Entry
}

// Add adds entries for more, and for the accounts in its rows that are neither own nor contacts.
func (m *Model) Add(env screen.Env, more More) {
	for _, b := range more.Balances {
		line := canvas.Join(canvas.Text(b.Asset.Symbol+"  "), env.Money().Amount(b.Asset, b.Amount))
		m.all = append(m.all, entry{group: assets, word: b.Asset.Symbol, line: line,
			do: screen.Navigate{To: screen.Assets, With: screen.Filter(b.Asset.Symbol)}})
	}
	known := map[ledger.AccountID]bool{}
	for _, own := range env.Accounts {
		known[own.ID] = true
	}
	for _, c := range env.Contacts {
		known[c.ID] = true
	}
	for _, e := range more.Rows {
		if with := e.With; !known[with.ID] && with.Name != "" {
			known[with.ID] = true
			line := format.Account(with)
			m.all = append(m.all, entry{group: others, word: line.String(), line: line, do: screen.ShowAccount{Account: with}})
		}
		m.all = append(m.all, rowEntry(env, e))
	}
}

// rowEntry returns the entry of a row of the history.
func rowEntry(env screen.Env, e history.Entry) entry {
	day := env.Times().Day(e.Time.Time())
	sign := ""
	switch e.Direction {
	case history.In:
		sign = theme.SignIn + " "
	case history.Out:
		sign = theme.SignOut + " "
	case history.Other, history.Self:
	}
	words, line := []string{e.Name, e.With.Name, day, e.ID.String()}, canvas.Text(day+"  "+e.Name+"  "+sign+format.Account(e.With).String())
	if e.Amount != 0 {
		words = append(words, format.Digits(e.Asset, e.Amount), e.Asset.Symbol)
		line = canvas.Join(line, canvas.Text("  "), env.Money().Amount(e.Asset, e.Amount))
	}
	return entry{group: rows, word: strings.Join(words, " "), line: line, do: screen.Navigate{To: screen.History, With: e.ID}}
}

// others returns entries for the settings and the wallet calls.
func (s Sources) others() (all []entry) {
	for _, one := range s.Settings {
		all = append(all, entry{group: settings, word: one.Title + " " + one.Name, help: one.Help,
			line: canvas.Join(canvas.Text(one.Title), canvas.In(theme.Muted, "  --"+one.Name+"  "+one.Help)),
			do:   screen.Navigate{To: screen.Settings, With: screen.Filter(one.Name)}})
	}
	for _, one := range s.Calls {
		all = append(all, entry{group: calls, word: one.Name, help: one.Help, line: described(one),
			do: screen.Navigate{To: screen.Console, With: screen.Line(one.Name + " ")}})
	}
	return all
}

func described(n Named) canvas.Line {
	return canvas.Join(canvas.Text(n.Name), canvas.In(theme.Muted, "  "+n.Help))
}

// objectSign before an id narrows the search to objects.
const objectSign = string('#')

// named returns entries for what the typed text itself names: a ledger object, or rows of the history.
func named(text string) (all []entry) {
	rest, sign := strings.CutPrefix(text, objectSign)
	id := strings.TrimSpace(rest)
	find := func(what, filter string) {
		line := canvas.Join(canvas.Text(what+" "), canvas.Bold(theme.Text, format.Clean(id)))
		all = append(all, entry{group: objects, word: text, line: line,
			do: screen.Navigate{To: screen.History, With: screen.Filter(filter)}})
	}
	if account, err := ledger.ParseAccountID(id); err == nil {
		all = append(all, entry{group: objects, word: text, line: canvas.Join(canvas.Text("Account card of "), canvas.Bold(theme.Text, id)),
			do: screen.ShowAccount{Account: ledgerview.AccountRef{ID: account}}})
	}
	switch _, err := hex.DecodeString(id); {
	case len(id) == 40 && err == nil:
		find("History: transaction", "tx:"+id)
	case strings.HasPrefix(id, "1.7."):
		find("History: operation", "id:"+id)
	case sign && strings.Trim(id, "0123456789,") == "" && id != "":
		find("History: block", "block:"+id)
	case len(id) > 2 && !strings.ContainsAny(text[:1], ">@!,#"):
		find("History: rows with", quoted(id))
	}
	return all
}

// quoted returns a text as one word of a filter.
func quoted(text string) string {
	if strings.ContainsAny(text, " :()<>=-") {
		return `"` + strings.ReplaceAll(text, `"`, "") + `"`
	}
	return text
}

// isKeyOnly reports whether an action makes sense only as a key, so that the palette does not list it.
func isKeyOnly(id action.ID) bool {
	switch id {
	case "up", "down", "left", "right", "first", "last", "pgup", "pgdn", "next", "prev", "enter", "esc", "stop", "palette",
		"send.up", "send.down":
		return true
	}
	return false
}
