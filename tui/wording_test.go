package tui

import (
	"testing"

	"billfold/ledger"
)

// The form says what is wrong with what was typed, and advises nothing that has
// nothing to do with it.
func TestFormAdvisesOnlyWhatFits(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("3")
		d.typed(ledger.DeriveKey("a key", 0).Public().String())
		d.shows("that is a public key, not an account")
		d.press("tab")
		for text, want := range map[string]string{"1..5": "more than one point; leave one point", "bobby": "more than digits and a point",
			"0": "an amount above zero is needed"} {
			d.press("ctrl+u")
			d.typed(text)
			d.shows(want)
			d.hides("12.5")
		}
		d.press("tab")
		for text, want := range map[string]string{"NONE": "you hold none of this asset", "GHOST": "there is no such asset", "x": "there is no such asset"} {
			d.press("ctrl+u")
			d.typed(text)
			d.shows(want)
		}
	})
}
