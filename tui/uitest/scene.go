package uitest

import (
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui"
)

// Scene is what a test of the UI begins with. The zero value is the unlocked wallet of
// alice, who watches savings-1, online to a ledger on which nothing has happened.
type Scene struct {
	Past   *Past          // what happened before; nil: nothing
	Wallet func(w *World) // happens in the wallet in the half minute before there is a UI; nil: it was just opened
	Locked bool
	Unmade bool // the wallet has no password yet

	OwnClock bool              // the wallet lets the sandbox have a clock of its own
	Core     func(c *tui.Core) // changes the wallet as the UI sees it; nil: nothing
	Options  tui.Options
	Setup    func(o *tui.Options) // adds to Options what has to be made at the time of the test; nil: nothing
}

// Play drives the UI on a scene, in a terminal of w by h cells.
func Play(t *testing.T, w, h int, s Scene, test func(d *Driver, w *World)) {
	t.Helper()
	if s.Past == nil {
		s.Past = nothing
	}
	s.Past.happen(t)
	synctest.Test(t, func(t *testing.T) {
		world := begin(t, s)
		world.look = func(w, h int, end func(), test func(d *Driver)) {
			opt := s.Options
			if s.Setup != nil {
				s.Setup(&opt)
			}
			opt.Clock.Now = func() time.Time { return time.Now().UTC() } // whatever the zone of this machine
			core := tui.CoreOf(world.Wallet)
			if s.Core != nil {
				s.Core(&core)
			}
			start(t, w, h, core, opt, end, test)
		}
		world.look(w, h, world.end, func(d *Driver) { test(d, world) })
	})
}

// Live has a test meet a scene without the UI of pages.
func Live(t *testing.T, s Scene, test func(w *World)) {
	t.Helper()
	if s.Past == nil {
		s.Past = nothing
	}
	s.Past.happen(t)
	synctest.Test(t, func(t *testing.T) {
		w := begin(t, s)
		test(w)
		w.end()
		time.Sleep(time.Minute) // what was waited for ends
	})
}

// Look drives one more UI on the world, as it is now. A World is dear: tests that change
// nothing in it share one.
func (w *World) Look(width, height int, test func(d *Driver)) { w.look(width, height, nil, test) }

// begin makes the world of a scene, as it is when the UI starts.
func begin(t *testing.T, s Scene) *World {
	w := newWorld(t)
	opened, blocks := headAge, s.Past.since
	if s.Wallet != nil {
		opened, blocks = warmUp, s.Past.blocks
	}
	w.Ago(opened)
	w.Ledger = newSandbox(t, w.wire, blocks)
	w.ledger.run(w.Ctx, w.Ledger.Run)
	if !s.Unmade {
		s.Past.copyTo(t, w.dir)
	}
	w.again = func() { w.open(s.Past.Index, s.OwnClock) }
	w.again()
	synctest.Wait()
	if !s.Unmade {
		Must(t, w.Wallet.Vault.Unlock(w.Ctx, Password))
	}
	if s.Wallet != nil {
		s.Wallet(w)
	}
	if s.Locked {
		w.Wallet.Vault.Lock()
	}
	w.Until(Start)
	synctest.Wait()
	w.Wallet.Vault.Touch()
	return w
}
