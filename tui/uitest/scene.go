package uitest

import (
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui"
)

// Scene is the starting point of a UI test. The zero value is the unlocked wallet of alice, who watches savings-1, online to a ledger on
// which nothing has happened.
type Scene struct {
	Past   *Past          // what happened before; nil: nothing
	Wallet func(w *World) // happens in the wallet in the last half minute before the UI starts; nil: the wallet was just opened
	Locked bool
	Unmade bool // the wallet has no password yet

	OwnClock bool              // the wallet accepts a sandbox with a clock of its own
	Core     func(c *tui.Core) // changes the wallet as the UI sees it; nil: nothing is changed
	Options  tui.Options
	Setup    func(o *tui.Options) // adds to Options what can be made only during the test; nil: nothing
}

// Play drives the UI on a new World of the scene, in a terminal of w by h cells.
func Play(t *testing.T, w, h int, s Scene, test func(d *Driver, w *World)) {
	t.Helper()
	if s.Past == nil {
		s.Past = noPast
	}
	s.Past.makeOnce(t)
	synctest.Test(t, func(t *testing.T) {
		world := startScene(t, s)
		world.openUI = func(w, h int, end func(), test func(d *Driver)) {
			opt := s.Options
			if s.Setup != nil {
				s.Setup(&opt)
			}
			if opt.Clock.Now == nil {
				opt.Clock.Now = func() time.Time { return time.Now().UTC() } // whatever the zone of this machine
			}
			core := tui.CoreOf(world.Wallet)
			if s.Core != nil {
				s.Core(&core)
			}
			start(t, w, h, core, opt, end, test)
		}
		world.openUI(w, h, world.end, func(d *Driver) { test(d, world) })
	})
}

// Live runs a test on a new World of the scene, without the UI.
func Live(t *testing.T, s Scene, test func(w *World)) {
	t.Helper()
	if s.Past == nil {
		s.Past = noPast
	}
	s.Past.makeOnce(t)
	synctest.Test(t, func(t *testing.T) {
		w := startScene(t, s)
		test(w)
		w.end()
		time.Sleep(time.Minute) // let everything that is waited for end
	})
}

// Look drives another UI on the world as it is now. Worlds are expensive, so tests that change nothing in one share it.
func (w *World) Look(width, height int, test func(d *Driver)) { w.openUI(width, height, nil, test) }

// startScene returns a new World of the scene, as it is when the UI starts.
func startScene(t *testing.T, s Scene) *World {
	w := newWorld(t)
	opened, blocks := headAge, s.Past.allBlocks
	if s.Wallet != nil {
		opened, blocks = warmUp, s.Past.blocks
	}
	w.Ago(opened)
	w.Ledger = newSandbox(t, w.wire, blocks)
	w.ledger.run(w.Ctx, w.Ledger.Run)
	if !s.Unmade {
		s.Past.copyTo(t, w.dir)
	}
	w.reopen = func() { w.open(s.Past.Index, s.OwnClock) }
	w.reopen()
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
