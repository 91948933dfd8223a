package walletcore_test

import (
	"testing"

	"billfold/walletcore/history/export"
)

// Text by others is never a formula in a spreadsheet, wherever one might begin, and is otherwise unchanged.
func TestCellsAreNeverFormulas(t *testing.T) {
	for text, want := range map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@sum": "'@sum", "\t=1+1": "\t'=1+1", "\r\n @x": "\\x0d\n' @x", "\n @x": "\n' @x", "＝1": "'＝1", " ＋1": "' ＋1",
		"": "", " ": " ", "rent = 5": "rent = 5", "\x00=1": `\x00=1`,
		"rent; =1": "rent;' =1", `a;"=1";b`: `a;'"=1";b`, "a|-b\n+c": "a|'-b\n'+c", ";;": ";;", "a; b": "a; b",
	} {
		if got := export.Cell(text); got != want {
			t.Errorf("%q is written as %q, want %q", text, got, want)
		}
	}
}
