package format

import (
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// Deed is what operations do, in one line: the amount and who gets it, or a sentence where
// they pay nobody.
func Deed(m Money, r build.Review) canvas.Line {
	switch {
	case r.Amount != 0:
		return canvas.Join(m.Amount(r.Asset, r.Amount), canvas.Text(" "+theme.SignOut+" "), Recipient(r))
	case r.Sentence != "":
		return canvas.Text(Clean(r.Sentence))
	}
	return canvas.Text(Clean(r.Operation))
}
