package format

import (
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// Deed is what operations do, in one line: the amount and who is paid, or a sentence where
// they pay nobody.
func Deed(m Money, r build.Review) canvas.Line {
	switch {
	case r.Pays():
		return canvas.Join(m.Amount(r.Asset, r.Amount), canvas.Text(" "+theme.SignOut+" "), Recipient(r))
	case r.Sentence != "":
		return canvas.Text(Clean(r.Sentence))
	case r.Amount != 0: // the journal keeps no sentence of what programs send
		return canvas.Join(canvas.Text(Clean(r.Operation)+"  "), m.Amount(r.Asset, r.Amount), forWhom(r))
	}
	return canvas.Join(canvas.Text(Clean(r.Operation)), forWhom(r))
}

// forWhom names the one who gets something by an operation that pays nobody; empty for none and for several.
func forWhom(r build.Review) canvas.Line {
	if len(r.Gets) != 1 {
		return nil
	}
	return canvas.Join(canvas.Text("  for "), Account(r.Gets[0]))
}
