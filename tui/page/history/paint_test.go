package history_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/history"
	"billfold/tui/uitest"
	corehistory "billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// counted counts what is read from the index.
type counted struct {
	history.Rows

	mu    sync.Mutex
	pages []int // how many rows each reading wanted
}

func (c *counted) Page(
	ctx context.Context, id ledger.AccountID, f historyindex.Filter, win historyindex.Window,
) ([]corehistory.Entry, error) {
	c.mu.Lock()
	c.pages = append(c.pages, win.Limit)
	c.mu.Unlock()
	return c.Rows.Page(ctx, id, f, win)
}

// since returns how many rows were asked for since it was called last, and how many by the first reading.
func (c *counted) since() (rows, first int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, n := range c.pages {
		if rows += n; i == 0 {
			first = n
		}
	}
	c.pages = nil
	return rows, first
}

func countedShop() (uitest.Scene, *counted) {
	read, scene := new(counted), ofShop()
	scene.Core = func(c *tui.Core) {
		read.Rows = c.History.Rows
		c.History.Rows = read
	}
	return scene, read
}

// What a key reads is what a person waits for on a slow machine: going down through a list reads each row once and not the
// screens around it again, and what is far away is read as far as the screen shows it before the rest is.
func TestRowsAreReadOnce(t *testing.T) {
	scene, read := countedShop()
	uitest.Play(t, 140, 40, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Shows("row 1 of 1,204")
		read.since()
		d.Press(strings.Repeat("down ", 300))
		d.Shows("row 301 of 1,204", "1.7.903 ")
		if rows, _ := read.since(); rows > 400 {
			t.Errorf("300 rows down read %d rows", rows)
		}
		d.Press(strings.Repeat("pgup ", 30))
		d.Shows("row 1 of 1,204", "1.7.1203")
		if rows, _ := read.since(); rows > 400 {
			t.Errorf("300 rows up read %d rows", rows)
		}
		const screen = 33
		d.Press("G")
		d.Shows("row 1,204 of 1,204", "1.7.0 ")
		if rows, first := read.since(); first > 2*screen || rows > 5*screen {
			t.Errorf("a jump to the end read %d rows, %d of them first", rows, first)
		}
	})
}

// A frame is painted for each key: what it makes must not grow with the rows that are measured or the accounts there are.
func TestAFrameMakesLittle(t *testing.T) {
	uitest.Play(t, 140, 40, ofShop(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2")
		d.Shows("row 1 of 1,204")
		const most = 3000 // with each row made every time it is measured it would be twice as many
		for _, keys := range []string{"", strings.Repeat("down ", 300)} {
			d.Press(keys)
			if n := testing.AllocsPerRun(10, func() { _ = d.Model.View() }); n > most {
				t.Errorf("a frame makes %.0f objects after %q", n, keys)
			}
		}
	})
}
