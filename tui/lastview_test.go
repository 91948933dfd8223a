package tui_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/lastview"
)

func TestVisitsAreRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), lastview.Name)
	one, two := ledger.ChainID{1}, ledger.ChainID{2}
	v := lastview.Open(path)
	was := lastview.View{Row: 99, At: time.Date(2026, 11, 20, 21, 4, 0, 0, time.UTC)}
	for _, err := range []error{v.SetFocus(one, 34), v.Note(one, 34, lastview.View{Row: 5}), v.Note(one, 34, was), v.SetFocus(two, 7)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	v = lastview.Open(path)
	if last, ok := v.Last(one, 34); v.Focus(one) != 34 || v.Focus(two) != 7 || !ok || last != was {
		t.Errorf("%d %d %v %v", v.Focus(one), v.Focus(two), last, ok)
	}
	if _, ok := v.Last(two, 34); ok || v.Focus(ledger.ChainID{3}) != 0 {
		t.Error("another ledger is remembered")
	}
	for _, broken := range []string{"", "{", `{"x":[]}`, "[]", `{"x":{"accounts":null}}`} {
		if err := os.WriteFile(path, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		if v = lastview.Open(path); v.Focus(one) != 0 || v.SetFocus(one, 1) != nil || lastview.Open(path).Focus(one) != 1 {
			t.Errorf("a file with %q is not replaced", broken)
		}
	}
}
