package printable_test

import (
	"testing"

	"billfold/ledger/printable"
)

// A verb agrees with what is counted, also where that is a part of a whole.
func TestVerbsAgreeWithCounts(t *testing.T) {
	for want, got := range map[string]string{
		"1 payment was": printable.Were(1, "payment"), "2 payments were": printable.Were(2, "payment"), "0 payments were": printable.Were(0, "payment"),
		"1 of 1 payment was": printable.PartWere(1, 1, "payment"), "0 of 1 payment was": printable.PartWere(0, 1, "payment"),
		"1 of 2 payments was": printable.PartWere(1, 2, "payment"), "0 of 2 payments were": printable.PartWere(0, 2, "payment"), "2 of 2 payments were": printable.PartWere(2, 2, "payment"),
		"line 2 was": printable.LinesWere("line 2"), "line 2, line 5 were": printable.LinesWere("line 2, line 5"), "lines 2 to 5 were": printable.LinesWere("lines 2 to 5"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
