package tui

import (
	"errors"
	"testing"
	"time"

	"billfold/walletcore"
	"billfold/walletcore/event"
)

// A recipient that no node was asked about, or did not answer about, is not called
// missing, then or later.
func TestRecipientThatNobodyLookedUpIsNotMissing(t *testing.T) {
	for name, c := range map[string]struct {
		gone, back func(p *paper)
		kind       event.Kind
		says       string
	}{
		"no node": {
			func(p *paper) { p.status.Daemon = walletcore.DaemonOffline },
			func(p *paper) { p.status.Daemon = walletcore.DaemonOnline }, event.Daemon, "cannot check: no node"},
		"failed look-up": {
			func(p *paper) { p.findErr = errors.New("the line broke") },
			func(p *paper) { p.findErr = nil }, event.Block, "cannot check: the look-up failed"},
	} {
		t.Run(name, func(t *testing.T) {
			core := sample()
			driven(t, 80, 24, core, func(d *drive) {
				d.press("3")
				core.change(event.Daemon, func() { c.gone(core) })
				d.pump()
				d.typed("merchant-7")
				d.shows(c.says)
				d.press("tab")
				d.hides("no such account")
				core.change(c.kind, func() { c.back(core) })
				d.pump()
				d.shows("✓ merchant-7 1.2.1189")
				d.hides("no such account")
			})
		})
	}
}

// What a node said is missing is asked for again once another may answer.
func TestMissingRecipientIsAskedForAgain(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("3")
		d.typed("nobody-here")
		d.shows("no such account")
		core.change(event.Daemon, func() { core.status.Daemon, core.status.Since = walletcore.DaemonOffline, time.Now() })
		d.pump()
		d.shows("cannot check: no node")
		core.change(event.Daemon, func() { core.status.Daemon, core.findErr = walletcore.DaemonOnline, errors.New("no answer") })
		d.pump()
		d.shows("cannot check: the look-up failed")
		d.hides("no such account")
	})
}
