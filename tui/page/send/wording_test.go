package send_test

import (
	"testing"

	"billfold/ledger"
	"billfold/tui/uitest"
)

// The form says what is wrong with what was typed, and advises nothing that has
// nothing to do with it.
func TestFormAdvisesOnlyWhatFits(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type(ledger.DeriveKey("a key", 0).Public().String())
		d.Shows("that is a public key, not an account")
		d.Press("tab")
		for text, want := range map[string]string{"1..5": "more than one point; leave one point", "bobby": "more than digits and a point",
			"0": "an amount above zero is needed"} {
			d.Press("ctrl+u")
			d.Type(text)
			d.Shows(want)
			d.Hides("12.5")
		}
		d.Press("tab")
		for text, want := range map[string]string{"NONE": "you hold none of this asset",
			"GHOST": "there is no such asset", "x": "there is no such asset"} {
			d.Press("ctrl+u")
			d.Type(text)
			d.Shows(want)
		}
	})
}
