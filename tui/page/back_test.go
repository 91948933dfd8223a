package page_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// After unlocking, a person is where they were: History has its filter and the row in focus, Messages its conversation, and nothing of that is seen while
// the wallet is locked.
func TestUnlockingLeadsBackToTheSpot(t *testing.T) {
	unlock := func(d *uitest.Driver) {
		d.Press("ctrl+l")
		d.Until("Unlock")
		d.Hides("bob-trade", "see you")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("unlocked")
		d.Wait(2 * time.Second)
	}
	rows := uitest.Charted()
	uitest.Play(t, 100, 30, rows, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 /")
		d.Type("dir:in")
		d.Wait(time.Second)
		d.Press("enter down down")
		d.Wait(time.Second)
		before := d.Screen()
		d.Shows("Filter / dir:in", "▌ ")
		unlock(d)
		d.Shows("Filter / dir:in")
		if got, want := focusedRow(d.Screen()), focusedRow(before); got != want || want == "" {
			t.Errorf("the row in focus is %q, it was %q", got, want)
		}
		d.Shows("History") // not its detail
		d.Press("enter")
		d.Shows("esc back to the rows")
		unlock(d)
		d.Shows("esc back to the rows")
	})
	uitest.Play(t, 100, 30, conversationScene(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("5")
		d.Until("carol 1.2.57", "invoice 88")
		d.Press("down")
		d.Until("invoice 88 is paid", "bob-trade 1.2.110 ")
		before := focusedRow(d.Screen())
		unlock(d)
		d.Until("carol 1.2.57", "invoice 88")
		if got := focusedRow(d.Screen()); got != before || before == "" {
			t.Errorf("the conversation in focus is %q, it was %q", got, before)
		}
	})
}

// focusedRow returns the first row on screen that has the focus, without what follows its first columns.
func focusedRow(screen string) string {
	for line := range strings.SplitSeq(screen, "\n") {
		if _, row, is := strings.Cut(line, "▌"); is {
			return strings.Join(strings.Fields(row)[:3], " ")
		}
	}
	return ""
}
