package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

func TestLockKeepsTheTextOfTheForm(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("3")
		d.Type("carol")
		d.Press("tab")
		d.Type("1")
		old := d.Model.Screen(screen.Home)
		d.Press("ctrl+l")
		d.Shows("Unlock", "locked")
		d.Hides("carol")
		if w.Wallet.Status().Lock != vault.Locked || d.Model.Screen(screen.Home) == old {
			t.Error("the wallet is not locked, or a screen outlived the lock")
		}
		d.Type(uitest.Password)
		d.Press("enter")
		d.Shows("Send › Amount", "carol 1.2.57")
		d.Type("2") // goes after what was typed, not after the name
		d.Shows("= 12.00000000 DCT")
	})
}

func TestIdleWalletLocksItself(t *testing.T) {
	uitest.RunReal(t, 80, 24, func(d *uitest.Driver, core *walletcore.Wallet) {
		d.Wait(time.Minute)
		d.Shows("unlocked")
		core.Vault.SetLockAfter(2 * time.Minute)
		d.Wait(time.Second)
		d.Shows("unlocked  1:59")
		d.Wait(60 * time.Second)
		d.Shows("Locks in 1:00, any key cancels")
		d.Press("down")
		d.Hides("any key stops it")
		d.Wait(119 * time.Second)
		d.Hides("Unlock")
		d.Wait(2 * time.Second)
		d.Shows("Unlock")
		if !core.Vault.IsLocked() {
			t.Error("the wallet is open")
		}
	})
}

// Use of the wallet from elsewhere resets the same countdown, and the warning is shown even while a person types.
func TestUseByProgramsResetsTheCountdown(t *testing.T) {
	uitest.RunReal(t, 80, 24, func(d *uitest.Driver, core *walletcore.Wallet) {
		core.Vault.SetLockAfter(2 * time.Minute)
		d.Wait(50 * time.Second)
		core.Vault.Touch()
		d.Wait(time.Second)
		d.Shows("unlocked  1:59")
		d.Press("3")
		d.Wait(61 * time.Second)
		d.Shows("TYPE", "Locks in 1:00")
		if err := core.Vault.UnlockFor(d.Ctx, uitest.Password, 3*time.Minute); err != nil {
			t.Fatal(err)
		}
		d.Pump()
		d.Shows("unlocked  3:00")
		d.Wait(2*time.Minute + time.Second)
		d.Shows("Locks in 1:00", "the unlock time ends then")
		d.Press("esc x down")
		d.Wait(time.Minute)
		d.Shows("Unlock")
	})
}

// The core may lock before or after a tick of the UI: a page that was made for an open wallet never stays.
func TestLockWithoutAnEventDiscardsTheScreens(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2")
		d.Shows("rent october")
		w.Wallet.Vault.Lock()
		d.Wait(time.Second)
		d.Shows("Unlock")
		d.Press("esc")
		d.Hides("rent october")
	})
}

// A program may set the first password while the first-run page offers to.
func TestPasswordSetByAProgramEndsFirstRun(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, w *uitest.World) {
		d.Press("1")
		w.Fill()
		w.Wallet.Vault.Lock()
		d.Pump()
		d.Shows("Unlock", "Password")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Wait(time.Second)
		d.Shows("alice 1.2.34 · balances")
	})
}

// faultySession reports a fault in how the wallet keeps its keys.
type faultySession struct {
	tui.Session
	why string
}

func (s faultySession) Status() walletcore.Status {
	status := s.Session.Status()
	status.KeysFault = s.why
	return status
}

func TestKeyFileWarningIsShownOnce(t *testing.T) {
	why := "keys may reach the swap: " + strings.Repeat("and so on ", 8) + "to the end"
	scene := uitest.Scene{Locked: true, Core: func(c *tui.Core) { c.Session = faultySession{c.Session, why} }}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.Hides("swap")
		for _, shown := range []func(...string){d.Shows, d.Hides} {
			d.Type(uitest.Password)
			d.Press("enter")
			shown("▲ Careful: keys may reach the swap")
			d.Wait(10 * time.Second)
			d.Hides("swap")
			d.Press("ctrl+l")
		}
		d.Press("esc ~")
		d.Shows("keys may reach the swap", "to the end") // what the toast cut off
	})
}

func TestLockFromElsewhereDiscardsTheReview(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		w.Wallet.Vault.Lock()
		d.Pump()
		d.Shows("Unlock")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Shows("Send › ", "carol", "nothing is signed yet")
		if w.Paid() != 0 {
			t.Error("unlocking sent a payment")
		}
	})
}

// A result that comes after its screen was discarded is dropped.
func TestLateResultsAreDropped(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("ctrl+l")
		d.Send(screen.Result{Owner: screen.Home, Topic: "balances", Seq: 1,
			Body: []ledgerview.Balance{{Asset: uitest.DCT, Amount: 66600000000}}})
		d.Press("esc")
		d.Hides("666.0")
		d.Shows("12,600.50410000")
	})
}

// While a locked wallet is browsed, ctrl+l asks for the password and then leads back.
func TestCtrlLUnlocksAgain(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("2 ctrl+l")
		d.Shows("Unlock", "Password")
		d.Press("esc 4")
		d.Hides("Password")
		d.Press("ctrl+l")
		d.Shows("Unlock", "Password")
		d.Press("ctrl+l ctrl+l")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Shows("unlocked", "[4 Receive]")
	})
}

// ctrl+z locks in a field, in a review and in a question, too, and what was typed is still there afterwards.
func TestSuspendingLocksFromAnywhere(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		for _, where := range []string{"", "ctrl+s", "f1"} {
			d.Press("3 ctrl+x esc")
			d.FillForm("carol", "12")
			d.Press(where)
			d.Until(map[string]string{"": "TYPE", "ctrl+s": "Review", "f1": "Help"}[where])
			d.Press("ctrl+z")
			if d.Model.Page() != screen.Unlock {
				t.Fatalf("ctrl+z after %q did not lock:\n%s", where, d.Screen())
			}
			d.Type(uitest.Password)
			d.Press("enter")
			d.Until("[3 Send", "carol", "12")
			d.Press("esc 1")
		}
	})
}

// The next person to look may be somebody else: ctrl+l and ctrl+z drop a half-typed password or private key, and hide a phrase.
func TestLockDropsTypedSecrets(t *testing.T) {
	for _, key := range []string{"ctrl+l", "ctrl+z"} {
		uitest.Play(t, 80, 24, uitest.Scene{Locked: true}, func(d *uitest.Driver, _ *uitest.World) {
			d.Type(uitest.Password)
			d.Press(key + " enter")
			d.Wait(10 * time.Second)
			if d.Shows("Unlock"); d.Model.Env().Unlocked() {
				t.Errorf("the password typed before %s unlocked the wallet", key)
			}
		})
		uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, _ *uitest.World) {
			wif := uitest.KeyOf("alice").WIF()
			d.Press("3")
			d.Type(wif)
			d.Press(key + " ctrl+t")
			d.Hides(wif[:8], "••••")
		})
	}
}

// A lock also drops a half-typed word of the quiz about the phrase, and the phrase stays hidden until it is asked for again.
func TestLockDropsTheQuizAnswer(t *testing.T) {
	for _, key := range []string{"ctrl+l", "ctrl+z"} {
		uitest.Play(t, 80, 24, uitest.Scene{Unmade: true}, func(d *uitest.Driver, _ *uitest.World) {
			d.Press("1")
			for range 2 {
				d.Type("four unlikely words here")
				d.Press("enter")
			}
			d.Until("This phrase is the whole wallet")
			words := d.Phrase()
			d.Press("enter")
			d.Type("XYLOPHONE")
			d.Shows("Word 3", "XYLOPHONE")
			d.Press(key)
			d.Hides("XYLOPHONE")
			d.Shows("Word 3", "There is no wallet yet")
			d.HidesPhrase(words)
			d.Type(words[2])
			d.Press("enter")
			d.Shows("Word 9")
		})
	}
}
