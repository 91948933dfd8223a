package send

import (
	"cmp"
	"strings"

	"billfold/tui/screen"
	"billfold/walletcore/paylink"

	tea "github.com/charmbracelet/bubbletea"
)

// takeLink makes the form that of a payment link in the recipient's field, and reports
// whether there was one. What was typed for another payment goes. Nothing of it is trusted more than what is typed.
func (f *form) takeLink() bool {
	text := f.text(fieldTo)
	if !paylink.Is(text) {
		return false
	}
	link, err := paylink.Parse(text)
	if err != nil {
		return false // problem says why
	}
	f.fill(Form{To: link.To, Amount: link.Amount, Memo: link.Memo, Plain: f.plain,
		Asset: cmp.Or(strings.ToUpper(link.Asset), emptyForm().Asset)})
	return true
}

// afterLink asks for what a link named.
func (f *form) afterLink(env screen.Env) tea.Cmd {
	return tea.Batch(f.look(env), f.lookAsset(env))
}

// linkProblem is why a payment link is not taken over yet.
func linkProblem(text string) string {
	if _, err := paylink.Parse(text); err != nil {
		return err.Error()
	}
	return "tab takes the payment link over"
}
