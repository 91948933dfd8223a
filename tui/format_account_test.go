package tui_test

import (
	"testing"

	"billfold/tui/format"
	"billfold/walletcore/ledgerview"
)

func TestAnIDWithoutANameIsShownOnce(t *testing.T) {
	for name, want := range map[string]string{"alice": "alice 1.2.34", "": "1.2.34", "1.2.34": "1.2.34", "1.2.35": "1.2.35 1.2.34"} {
		if got := format.Account(ledgerview.AccountRef{ID: 34, Name: name}).String(); got != want {
			t.Errorf("named %q it is shown as %q, not %q", name, got, want)
		}
	}
}
