package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"billfold/tui/theme"
	"billfold/walletcore"
)

// sizes are those at which every screen has a golden drawing.
func sizes() [][2]int { return [][2]int{{80, 24}, {100, 30}, {140, 40}, {60, 20}, {50, 16}} }

// scenes are the drawings: how to get there from the start.
func scenes() map[string]func(d *drive) {
	pay := func(d *drive) {
		d.press("3")
		d.typed("carol")
		d.press("tab")
		d.typed("250")
		d.press("tab tab")
		d.typed("rent november, thank you")
	}
	return map[string]func(d *drive){
		"home":    func(*drive) {},
		"history": func(d *drive) { d.press("2") },
		"detail":  func(d *drive) { d.press("2 enter") },
		"send":    pay,
		"review":  func(d *drive) { pay(d); d.press("ctrl+s"); d.wait(time.Second) },
		"unknown": func(d *drive) { d.press("p enter") },
		"help":    func(d *drive) { d.press("2 ?") },
		"receive": func(d *drive) { d.press("4") },
	}
}

func TestScreensLookAsDrawn(t *testing.T) {
	for name, scene := range scenes() {
		for _, s := range sizes() {
			t.Run(fmt.Sprintf("%s%dx%d", name, s[0], s[1]), func(t *testing.T) {
				driven(t, s[0], s[1], sample(), func(d *drive) {
					scene(d)
					d.golden(fmt.Sprintf("%s%dx%d", name, s[0], s[1]))
				})
			})
		}
	}
}

func TestUnlockAndFirstRunLookAsDrawn(t *testing.T) {
	for name, lock := range map[string]walletcore.LockState{"unlock": walletcore.LockLocked, "firstrun": walletcore.LockNew} {
		for _, s := range sizes() {
			t.Run(fmt.Sprintf("%s%dx%d", name, s[0], s[1]), func(t *testing.T) {
				core := sample()
				core.status.Lock = lock
				drivenWith(t, s[0], s[1], core, Options{OfferSandbox: true, Folder: "~/.billfold/default"}, func(d *drive) {
					d.golden(fmt.Sprintf("%s%dx%d", name, s[0], s[1]))
				})
			})
		}
	}
}

// The meanings of the cells, as names: a change of colour is a change of
// meaning and shows here.
func TestMeaningsAreDrawnAsNamed(t *testing.T) {
	for _, name := range []string{"home", "history", "review", "unknown"} {
		driven(t, 80, 24, sample(), func(d *drive) {
			scenes()[name](d)
			goldenFile(t, name+"80x24.meanings", meanings(d))
		})
	}
}

// meanings lists the runs of each row: "1-6 focus".
func meanings(d *drive) string {
	var out strings.Builder
	c := d.model.canvas()
	for y := range d.model.h {
		fmt.Fprintf(&out, "%d:", y)
		for x, start := 1, 0; x <= d.model.w; x++ {
			if x < d.model.w && c.StyleAt(x, y) == c.StyleAt(start, y) {
				continue
			}
			s := c.StyleAt(start, y)
			fmt.Fprintf(&out, " %d-%d %v", start, x-1, s.Fg)
			if s.Bg != theme.NoBg {
				fmt.Fprintf(&out, " on %v", s.Bg)
			}
			start = x
		}
		out.WriteByte('\n')
	}
	return out.String()
}

func TestEmptyWalletSaysWhatToDo(t *testing.T) {
	core := sample()
	core.accounts, core.balances, core.history, core.payments = nil, nil, nil, nil
	driven(t, 100, 30, core, func(d *drive) {
		for _, key := range []string{"1", "2", "3", "esc 4"} {
			d.press(key)
			d.shows("no account")
			d.hides("1.2.0")
		}
	})
}
