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

// The name suggested instead of one with capital letters is a valid account name.
func TestOnlyValidNamesAreSuggested(t *testing.T) {
	const rule = "names have 5 to 63 of a–z, 0–9, - and ., and no capital letters"
	for typed, want := range map[string]string{"carol": "", "1.2.34": "", "hurry one": "", "Carol": "names are lower case; write carol",
		"Hurry-One.Two": "names are lower case; write hurry-one.two", "Hurry One": rule, "Bob": rule, "Ärger": "character 1 of it is U+00C4, whatever it looks like, and names have a–z, 0–9, - and . alone"} {
		if got := format.NameHint(typed); got != want {
			t.Errorf("for %q the advice is %q, not %q", typed, got, want)
		}
	}
}
