package send

import (
	"cmp"
	"strings"

	"billfold/walletcore/paylink"
)

// takeLink reads a payment link in the recipient's field while that has the keyboard, and reports whether there was one: the form
// is to become that of the link. Nothing of it is trusted more than what is typed.
func (f *form) takeLink() bool {
	text := f.text(fieldTo)
	if f.focus != fieldTo || !paylink.Is(text) {
		return false
	}
	link, err := paylink.Parse(text)
	if err != nil {
		return false // problem says why
	}
	f.link = &Form{To: link.To, Amount: link.Amount, Memo: link.Memo, Plain: f.plain,
		Asset: cmp.Or(strings.ToUpper(link.Asset), emptyForm().Asset)}
	return true
}

// linkProblem is why a payment link is not taken over yet.
func linkProblem(text string) string {
	if _, err := paylink.Parse(text); err != nil {
		return err.Error()
	}
	return "tab takes the payment link over"
}
