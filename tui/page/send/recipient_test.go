package send_test

import (
	"errors"
	"testing"
	"time"

	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/event"
)

// A recipient that no node was asked about, or did not answer about, is not called
// missing, then or later.
func TestRecipientThatNobodyLookedUpIsNotMissing(t *testing.T) {
	for name, c := range map[string]struct {
		gone, back func(p *uitest.FakeWallet)
		kind       event.Kind
		says       string
	}{
		"no node": {
			func(p *uitest.FakeWallet) { p.State.Daemon = walletcore.DaemonOffline },
			func(p *uitest.FakeWallet) { p.State.Daemon = walletcore.DaemonOnline }, event.Daemon, "cannot check: no node"},
		"failed look-up": {
			func(p *uitest.FakeWallet) { p.FindErr = errors.New("the line broke") },
			func(p *uitest.FakeWallet) { p.FindErr = nil }, event.Block, "cannot check: the look-up failed"},
	} {
		t.Run(name, func(t *testing.T) {
			core := uitest.Drawn()
			uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
				d.Press("3")
				core.Change(event.Daemon, func() { c.gone(core) })
				d.Pump()
				d.Type("merchant-7")
				d.Shows(c.says)
				d.Press("tab")
				d.Hides("no such account")
				core.Change(c.kind, func() { c.back(core) })
				d.Pump()
				d.Shows("✓ merchant-7 1.2.1189")
				d.Hides("no such account")
			})
		})
	}
}

// What a node said is missing is asked for again once another may answer.
func TestMissingRecipientIsAskedForAgain(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("3")
		d.Type("nobody-here")
		d.Shows("no such account")
		core.Change(event.Daemon, func() { core.State.Daemon, core.State.Since = walletcore.DaemonOffline, time.Now() })
		d.Pump()
		d.Shows("cannot check: no node")
		core.Change(event.Daemon, func() { core.State.Daemon, core.FindErr = walletcore.DaemonOnline, errors.New("no answer") })
		d.Pump()
		d.Shows("cannot check: the look-up failed")
		d.Hides("no such account")
	})
}
