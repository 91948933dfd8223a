package tui

import (
	"fmt"
	"testing"
	"time"

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
