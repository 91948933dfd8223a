package format

import (
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// Summary shows what operations do, in one line: the amount and who is paid, or a sentence if they pay nobody.
func Summary(m Money, r build.Review) canvas.Line {
	switch {
	case r.Pays():
		return canvas.Join(m.Amount(r.Asset, r.Amount), canvas.Text(" "+theme.SignOut+" "), Recipient(r))
	case r.Sentence != "":
		return canvas.Text(Clean(r.Sentence))
	case r.Amount != 0: // the journal keeps no sentence for what programs send
		return canvas.Join(canvas.Text(Clean(r.Operation)+"  "), m.Amount(r.Asset, r.Amount), beneficiary(r))
	}
	return canvas.Join(canvas.Text(Clean(r.Operation)), beneficiary(r))
}

// beneficiary names the account that gets something from an operation that pays nobody; nil if there are none or several.
func beneficiary(r build.Review) canvas.Line {
	if len(r.Gets) != 1 {
		return nil
	}
	return canvas.Join(canvas.Text("  for "), Account(r.Gets[0]))
}
