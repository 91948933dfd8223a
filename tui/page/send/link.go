package send

import (
	"cmp"
	"strings"

	"billfold/walletcore/paylink"
)

// takeLink reports whether the field of the recipient, which must have the focus, holds a payment link, from which the form is then
// filled. Nothing in it is trusted more than what is typed.
func (f *form) takeLink() bool {
	text := f.text(fieldTo)
	if f.focus != fieldTo || !paylink.Is(text) {
		return false
	}
	link, err := paylink.Parse(text)
	if err != nil {
		return false // problem shows why
	}
	f.link = &Form{To: link.To, Amount: link.Amount, Memo: link.Memo, Plain: f.plain, Proposes: f.proposes,
		Asset: cmp.Or(strings.ToUpper(link.Asset), emptyForm().Asset)}
	return true
}

// linkProblem returns why the form is not filled from a payment link yet.
func linkProblem(text string) string {
	if _, err := paylink.Parse(text); err != nil {
		return err.Error()
	}
	return "tab takes over the payment link"
}
