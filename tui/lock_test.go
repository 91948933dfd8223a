package tui

import (
	"errors"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

func locked() *paper {
	core := sample()
	core.status.Lock = walletcore.LockLocked
	return core
}

func TestUnlockOpensHome(t *testing.T) {
	driven(t, 80, 24, locked(), func(d *drive) {
		d.shows("Unlock", "alice 1.2.34", "locked")
		d.typed(password)
		d.hides(password)
		d.press("enter")
		d.shows("unlocked 15:00", "12,480.50310000")
	})
}

func TestWrongPasswordIsCountedAndHeldBack(t *testing.T) {
	core := locked()
	driven(t, 80, 24, core, func(d *drive) {
		d.typed("wrong")
		d.press("enter enter enter")
		d.shows("Not the right password", "3 tries so far", "next in 2 s", "•••••")
		if d.press("enter"); core.unlocks != 3 {
			t.Errorf("%d tries reached the wallet within the waiting time", core.unlocks)
		}
		d.wait(2100 * time.Millisecond)
		d.press("ctrl+c")
		d.typed(password)
		d.press("enter")
		d.shows("unlocked")
	})
}

func TestPasswordShowsForTenSecondsOnly(t *testing.T) {
	driven(t, 80, 24, locked(), func(d *drive) {
		d.typed("secret")
		d.press("ctrl+t")
		d.shows("secret")
		d.wait(12 * time.Second)
		d.hides("secret")
	})
}

func TestLockedWalletCanBeBrowsedWithoutMemos(t *testing.T) {
	driven(t, 100, 30, locked(), func(d *drive) {
		d.press("esc 2")
		d.shows("carol 1.2.57", "locked")
		d.hides("rent november")
		d.press("m")
		d.shows("Password")
		d.typed(password)
		d.press("enter")
		d.shows("History of alice", "rent november, thank you")
	})
}

func TestLockKeepsTheTextOfTheForm(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("3")
		d.typed("carol")
		old := d.model.screens[screen.Home]
		d.press("ctrl+l")
		d.shows("Unlock", "locked")
		d.hides("carol")
		if core.Status().Lock != walletcore.LockLocked || d.model.screens[screen.Home] == old {
			t.Error("the wallet is not locked, or a screen outlived the lock")
		}
		d.typed(password)
		d.press("enter")
		d.shows("Send › To", "carol 1.2.57")
	})
}

func TestIdleWalletLocksItself(t *testing.T) {
	core := sample()
	drivenWith(t, 80, 24, core, Options{LockAfter: 2 * time.Minute}, func(d *drive) {
		d.wait(61 * time.Second)
		d.shows("Locks in 60 s")
		d.press("down")
		d.wait(100 * time.Second)
		d.hides("Unlock")
		d.wait(25 * time.Second)
		d.shows("Unlock")
		if core.Status().Lock != walletcore.LockLocked {
			t.Error("the wallet is open")
		}
	})
}

func TestLockByAnotherThrowsTheReviewAway(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		core.change(walletcore.EventLock, func() { core.status.Lock = walletcore.LockLocked })
		d.pump()
		d.shows("Unlock")
		d.typed(password)
		d.press("enter")
		d.shows("Send › ", "carol", "nothing is signed yet")
		if core.sent != 0 {
			t.Error("unlocking sent a payment")
		}
	})
}

// A result that comes after the screens were thrown away is for nobody.
func TestLateResultsAreDropped(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		d.press("ctrl+l")
		d.send(screen.Mail{Owner: screen.Home, Topic: "balances", Seq: 1,
			Body: []walletcore.Balance{{Asset: dct, Amount: 66600000000}}})
		d.press("esc")
		d.hides("666.0")
		d.shows("12,480.50310000")
	})
}

func TestFirstRunMakesAWallet(t *testing.T) {
	core := sample()
	core.status.Lock, core.accounts, core.balances, core.history, core.payments = walletcore.LockNew, nil, nil, nil, nil
	driven(t, 80, 24, core, func(d *drive) {
		d.press("1")
		d.typed("hunter two")
		d.hides("hunter")
		d.press("enter")
		d.typed("hunter too")
		d.press("enter")
		d.shows("The two passwords differ")
		d.press("backspace backspace backspace")
		d.typed("two")
		d.press("enter")
		d.shows("The wallet is made")
		d.press("enter")
		d.shows("This wallet has no account yet")
		d.press("i")
		d.shows("Import a private key")
		d.press("esc")
		d.shows("no account yet")
	})
}

func TestFirstRunImportsAKey(t *testing.T) {
	core := sample()
	core.status.Lock, core.accounts = walletcore.LockNew, nil
	key := ledger.DeriveKey("a test key", 0)
	driven(t, 100, 30, core, func(d *drive) {
		d.press("3")
		d.typed("5nonsense")
		d.press("enter")
		d.shows("not a private key")
		d.press("ctrl+c")
		d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(key.WIF()), Paste: true})
		d.hides(key.WIF())
		d.shows("checksum matches: " + key.Public().String())
		d.press("enter")
		d.typed("nobody")
		d.press("enter")
		for range 2 {
			d.typed("pw")
			d.press("enter")
		}
		d.shows("there is no account nobody")
		if !core.IsNew() {
			t.Error("a wallet was made although nothing was imported")
		}
		d.press("esc esc ctrl+u")
		d.typed("alice")
		d.press("enter")
		for range 2 {
			d.typed("pw")
			d.press("enter")
		}
		d.shows("belongs to alice 1.2.34")
		d.press("enter")
		d.shows("Balances of alice")
	})
}

func TestFirstRunOffersTheSandbox(t *testing.T) {
	core := sample()
	core.status.Lock = walletcore.LockNew
	drivenWith(t, 80, 24, core, Options{OfferSandbox: true}, func(d *drive) {
		if d.press("6"); !d.quit || !errors.Is(d.model.result, ErrWantSandbox) {
			t.Error("6 did not leave for the sandbox")
		}
	})
}
