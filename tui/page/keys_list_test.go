package page_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// board is the eight signers of an account of many.
func board() (out []ledger.KeyWeight) {
	out = append(out, ledger.KeyWeight{Key: uitest.KeyOf("alice").Public(), Weight: 1})
	for i := range 7 {
		out = append(out, ledger.KeyWeight{Key: uitest.KeyOf(fmt.Sprint("signer ", i)).Public(), Weight: 1})
	}
	slices.SortFunc(out, func(a, b ledger.KeyWeight) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	return out
}

var ofMany = &uitest.Past{Ledger: func(w *uitest.World) {
	all := ledger.Authority{WeightThreshold: 2, KeyAuths: board()}
	w.Push(&ledger.AccountUpdateOp{Account: uitest.Alice.ID, Owner: &all, Active: &all})
	w.Mine()
}}

// panelRows are the lines of a panel from its title to the frame below, without the frame.
func panelRows(d *uitest.Driver, title string) (out []string) {
	within := false
	left := 0
	for line := range strings.Lines(d.Screen()) {
		r := []rune(strings.TrimRight(line, "\n"))
		if at := strings.Index(line, title); at >= 0 && strings.ContainsAny(line, "╭┏") {
			within, left = true, len([]rune(line[:at]))-3
			continue
		}
		if !within || left >= len(r) {
			continue
		}
		if strings.ContainsRune("╰┗", r[left]) {
			return out
		}
		out = append(out, string(r[left+1:]))
	}
	return out
}

func shortKeys() (out []string) {
	for _, k := range board() {
		out = append(out, format.KeyShort(k.Key))
	}
	return out
}

// inFocus is the key of the row in focus; empty where there is none on screen.
func inFocus(rows []string) string {
	for _, row := range rows {
		if strings.HasPrefix(row, "▌") {
			return regexp.MustCompile(`DCT\S+`).FindString(row)
		}
	}
	return ""
}

// A list of signers goes with its cursor, and never loses its heads: the columns', and whose authority the first row is of.
func TestSignersScrollWithTheirHeads(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: ofMany}, func(d *uitest.Driver, w *uitest.World) {
		everySigner(d)
		w.Look(140, 40, everySigner)
		d.Press("tab G")
		if rows := panelRows(d, "X-ray"); !strings.HasPrefix(strings.TrimLeft(rows[0], "▌ "), "owner") {
			t.Errorf("the first row of the tree does not say whose it is:\n%s", d.Screen())
		}
		d.Golden("keys/keys-many80x24")
	})
}

// everySigner goes through the roles.
func everySigner(d *uitest.Driver) {
	d.Press("6")
	d.Until("Keys of alice", "Result:")
	d.Press("tab")
	for _, of := range []string{"owner", "active"} {
		var seen []string
		for j := range len(board()) {
			rows := panelRows(d, "Keys of alice")
			if first := strings.TrimLeft(rows[1], "▌ "); !strings.Contains(rows[0], "ROLE") ||
				!strings.HasPrefix(first, "owner") && !strings.HasPrefix(first, of) {
				d.T.Fatalf("the heads are not there at signer %d of %s:\n%s", j, of, d.Screen())
			}
			seen = append(seen, inFocus(rows))
			d.Press("down")
		}
		slices.Sort(seen)
		if !slices.Equal(seen, slices.Sorted(slices.Values(shortKeys()))) {
			d.T.Fatalf("in focus as %s were %q:\n%s", of, seen, d.Screen())
		}
	}
}

// The wheel moves in the panel under the pointer; a click beside the rows moves nothing.
func TestTheWheelMovesUnderThePointer(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Past: ofMany}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("6")
		d.Until("Keys of alice", "Result:")
		for range 3 {
			d.Send(tea.MouseMsg{X: 50, Y: 6, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
		}
		d.Shows("Keys › Roles")
		if rows := panelRows(d, "Keys of alice"); !strings.HasPrefix(rows[4], "▌") {
			t.Errorf("the wheel did not go three rows down:\n%s", d.Screen())
		}
		d.ClickAt(50, 13) // beside the rows
		if rows := panelRows(d, "Keys of alice"); !strings.HasPrefix(rows[4], "▌") {
			t.Errorf("a click beside the rows moved:\n%s", d.Screen())
		}
	})
}
