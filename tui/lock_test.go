package tui

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"
	"billfold/tui/screen"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"

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
	drivenReal(t, 80, 24, func(d *drive, core *walletcore.Wallet) {
		d.press("ctrl+l")
		d.typed("wrong")
		d.press("enter")
		d.shows("Not the right password. 1 try so far.")
		d.press("enter enter")
		d.shows("Not the right password. 3 tries so far; next in 2 s.", "•••••")
		d.press("enter")
		d.wait(1500 * time.Millisecond)
		d.shows("3 tries so far; next in 1 s.")
		d.wait(600 * time.Millisecond)
		d.hides("next in")
		d.press("ctrl+c")
		d.typed(password)
		d.press("enter")
		d.shows("unlocked")
		if tries := core.Status().WrongTries; tries != 0 {
			t.Errorf("%d wrong tries after the right password", tries)
		}
	})
}

// The count is the wallet's: programs that guess show here, and a UI that is
// started anew waits as long as the old one.
func TestWaitingOutlivesTheUI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		core := realWallet(t, folder)
		if err := core.Create(t.Context(), password); err != nil {
			t.Fatal(err)
		}
		core.Lock()
		for range 4 {
			for core.Status().RetryIn > 0 {
				time.Sleep(time.Second)
			}
			if err := core.Unlock(t.Context(), "guess"); fault.CodeOf(err) != fault.WrongPassword {
				t.Fatal(err)
			}
		}
		driveOn(t, 80, 24, CoreOf(realWallet(t, folder)), Options{}, func(d *drive) {
			d.shows("▲ Wrong passwords: 4 tries so far; next in 4 s.")
			d.typed(password)
			d.press("enter")
			d.shows("Unlock", "next in 4 s")
			d.wait(4100 * time.Millisecond)
			d.press("enter")
			d.shows("unlocked")
		})
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
	drivenReal(t, 80, 24, func(d *drive, core *walletcore.Wallet) {
		d.wait(time.Minute)
		d.shows("unlocked")
		core.SetLockAfter(2 * time.Minute)
		d.wait(time.Second)
		d.shows("unlocked  1:59")
		d.wait(60 * time.Second)
		d.shows("Locks in 1:00, any key stops it")
		d.press("down")
		d.hides("any key stops it")
		d.wait(119 * time.Second)
		d.hides("Unlock")
		d.wait(2 * time.Second)
		d.shows("Unlock")
		if !core.IsLocked() {
			t.Error("the wallet is open")
		}
	})
}

// What keeps a wallet open elsewhere moves the same countdown, and the warning
// is seen while a person types.
func TestUseByProgramsShowsInTheCountdown(t *testing.T) {
	drivenReal(t, 80, 24, func(d *drive, core *walletcore.Wallet) {
		core.SetLockAfter(2 * time.Minute)
		d.wait(50 * time.Second)
		core.Touch()
		d.wait(time.Second)
		d.shows("unlocked  1:59")
		d.press("3")
		d.wait(61 * time.Second)
		d.shows("TYPE", "Locks in 1:00")
		if err := core.UnlockFor(d.ctx, password, 3*time.Minute); err != nil {
			t.Fatal(err)
		}
		d.pump()
		d.shows("unlocked  3:00")
		d.wait(2*time.Minute + time.Second)
		d.shows("Locks in 1:00", "the time it was opened for")
		d.press("esc x down")
		d.wait(time.Minute)
		d.shows("Unlock")
	})
}

// The core's clock and a tick of the UI may come in any order: a page that was
// made for an open wallet never stays.
func TestLockWithoutAnEventThrowsTheScreensAway(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2")
		d.shows("rent november")
		core.Lock()
		d.wait(time.Second)
		d.shows("Unlock")
		d.press("esc")
		d.hides("rent november")
	})
}

// A program may set the first password while the terminal offers to.
func TestPasswordSetByAProgramEndsTheFirstRun(t *testing.T) {
	core := sample()
	core.status.Lock = walletcore.LockNew
	driven(t, 80, 24, core, func(d *drive) {
		d.press("1")
		core.change(event.Lock, func() { core.status.Lock = walletcore.LockLocked })
		d.pump()
		d.shows("Unlock", "Password")
		d.typed(password)
		d.press("enter")
		d.shows("alice 1.2.34 · balances")
	})
}

func TestWeakKeepingIsToldOnce(t *testing.T) {
	core := locked()
	core.status.KeysFault = "keys may reach the swap: " + strings.Repeat("and so on ", 8) + "to the end"
	driven(t, 80, 24, core, func(d *drive) {
		d.hides("swap")
		for _, shown := range []func(...string){d.shows, d.hides} {
			d.typed(password)
			d.press("enter")
			shown("▲ Careful: keys may reach the swap")
			d.wait(10 * time.Second)
			d.hides("swap")
			d.press("ctrl+l")
		}
		d.press("esc ~")
		d.shows("keys may reach the swap", "to the end") // what the toast cut off
	})
}

func TestLockByAnotherThrowsTheReviewAway(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		core.change(event.Lock, func() { core.status.Lock = walletcore.LockLocked })
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
		d.send(screen.Result{Owner: screen.Home, Topic: "balances", Seq: 1,
			Body: []ledgerview.Balance{{Asset: dct, Amount: 66600000000}}})
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
		d.shows("there is no account nobody")
		if !core.IsNew() {
			t.Error("a wallet was made although nothing was imported")
		}
		d.press("ctrl+u")
		d.typed("alice")
		d.press("enter")
		for range 2 {
			d.typed("pw")
			d.press("enter")
		}
		d.shows("alice 1.2.34, as its active, memo key")
		d.press("enter")
		d.shows("Balances of alice")
	})
}

func TestFirstRunOffersTheSandbox(t *testing.T) {
	core := sample()
	core.status.Lock = walletcore.LockNew
	drivenWith(t, 80, 24, core, Options{OfferSandbox: true}, func(d *drive) {
		if d.press("6"); !d.quit || !errors.Is(d.model.err, ErrWantSandbox) {
			t.Error("6 did not leave for the sandbox")
		}
	})
}

// A wrong password is marked: the next key begins a new one, and a key that moves
// keeps it.
func TestRetypingReplacesAWrongPassword(t *testing.T) {
	driven(t, 80, 24, locked(), func(d *drive) {
		d.typed("wrong")
		d.press("enter")
		d.shows("Not the right password", " •••••   ")
		d.typed(password)
		d.shows(" " + strings.Repeat("•", len(password)) + "   ")
		d.press("enter")
		d.shows("unlocked")
	})
	driven(t, 80, 24, locked(), func(d *drive) {
		d.typed("orrect horse")
		d.press("enter left") // keeps it
		for range len(password) {
			d.press("left")
		}
		d.typed("c")
		d.press("enter")
		d.shows("unlocked")
	})
	driven(t, 80, 24, locked(), func(d *drive) {
		d.typed("wrong")
		d.press("enter backspace")
		d.hides("•••")
	})
}

// On a locked wallet that is browsed, ctrl+l asks for the password and leads back.
func TestCtrlLUnlocksAgain(t *testing.T) {
	driven(t, 80, 24, sample(), func(d *drive) {
		d.press("2 ctrl+l")
		d.shows("Unlock", "Password")
		d.press("esc 4")
		d.hides("Password")
		d.press("ctrl+l")
		d.shows("Unlock", "Password")
		d.press("ctrl+l ctrl+l")
		d.typed(password)
		d.press("enter")
		d.shows("unlocked", "[4 Receive]")
	})
}
