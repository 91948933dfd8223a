package tui_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/fault"
)

func TestWrongPasswordsAreCountedAndDelayed(t *testing.T) {
	uitest.RunReal(t, 80, 24, func(d *uitest.Driver, core *walletcore.Wallet) {
		d.Press("ctrl+l")
		d.Type("wrong")
		d.Press("enter")
		d.Shows("Wrong password. 1 try so far.")
		d.Press("enter enter")
		d.Shows("Wrong password. 3 tries so far; next in 2 s.", "•••••")
		d.Press("enter")
		d.Wait(1500 * time.Millisecond)
		d.Shows("3 tries so far; next in 1 s.")
		d.Wait(600 * time.Millisecond)
		d.Hides("next in")
		d.Press("ctrl+c")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Shows("unlocked")
		if tries := core.Status().WrongTries; tries != 0 {
			t.Errorf("%d wrong tries after the right password", tries)
		}
	})
}

// The wallet counts the tries: guesses of programs show here, and a restarted UI waits as long as the one before.
func TestPasswordDelayOutlivesTheUI(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		folder := t.TempDir()
		core := uitest.RealWallet(t, folder)
		if err := core.Vault.Create(t.Context(), uitest.Password); err != nil {
			t.Fatal(err)
		}
		core.Vault.Lock()
		for range 4 {
			for core.Status().RetryIn > 0 {
				time.Sleep(time.Second)
			}
			if err := core.Vault.Unlock(t.Context(), "guess"); fault.CodeOf(err) != fault.WrongPassword {
				t.Fatal(err)
			}
		}
		uitest.RunOn(t, 80, 24, tui.CoreOf(uitest.RealWallet(t, folder)), tui.Options{}, func(d *uitest.Driver) {
			d.Shows("▲ Wrong passwords: 4 tries so far; next in 4 s.")
			d.Type(uitest.Password)
			d.Press("enter")
			d.Shows("Unlock", "next in 4 s")
			d.Wait(4100 * time.Millisecond)
			d.Press("enter")
			d.Shows("unlocked")
		})
	})
}

func TestUnlockLooksAsDrawn(t *testing.T) {
	scene := uitest.Scene{Locked: true, Options: tui.Options{OfferSandbox: true, Folder: "~/.billfold/default"}}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, _ *uitest.World) {
		d.GoldenSizes("overlay/unlock/unlock", uitest.Sizes())
	})
}

func TestUnlockOpensHome(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{Locked: true}, func(d *uitest.Driver, _ *uitest.World) {
		d.Shows("Unlock", "alice 1.2.34", "locked")
		d.Type(uitest.Password)
		d.Hides(uitest.Password)
		d.Press("enter")
		d.Until("unlocked", "11,503.00709999")
	})
}

func TestPasswordShowsForTenSecondsOnly(t *testing.T) {
	uitest.RunReal(t, 80, 24, func(d *uitest.Driver, _ *walletcore.Wallet) {
		d.Press("ctrl+l")
		d.Type("secret")
		d.Press("ctrl+t")
		d.Shows("secret")
		d.Wait(12 * time.Second)
		d.Hides("secret")
	})
}

func TestLockedWalletCanBeBrowsedWithoutMemos(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Scene{}, func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "5")
		d.Press("tab tab")
		d.Type("rent november")
		d.Until("live check: all good")
		d.Press("ctrl+s")
		d.Until("read back from the bytes")
		d.Wait(time.Second)
		d.Press("S")
		d.Until("waiting for the next block")
		w.Mine()
		d.Press("esc 2")
		d.Until("rent november")
		d.Press("ctrl+l esc 2")
		d.Until("carol", "1.2.57", "locked")
		d.Hides("rent november")
		d.Press("m")
		d.Shows("Password")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("History of alice", "rent november")
	})
}

// What is typed while a password is checked starts another one: it is not appended to the one that was wrong.
func TestTypingWhileAPasswordIsCheckedStartsAnother(t *testing.T) {
	uitest.RunReal(t, 80, 24, func(d *uitest.Driver, _ *walletcore.Wallet) {
		d.Press("ctrl+l")
		d.Type("wrong")
		_, check := d.Model.Update(uitest.Key("enter"))
		for _, letter := range uitest.Password {
			d.Model.Update(uitest.Key(string(letter)))
		}
		d.Run(check)
		d.Until("Wrong password")
		d.Shows(" " + strings.Repeat("•", len(uitest.Password)) + "   ")
		d.Press("enter")
		d.Shows("unlocked")
	})
}

// A form, too, selects a password that was wrong, shown or hidden.
func TestFormSelectsAWrongPassword(t *testing.T) {
	for _, first := range []string{"6 p", "6 p ctrl+t"} {
		uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
			d.Press(first)
			d.Type("wrong")
			d.Press("tab")
			for range 2 {
				d.Type("correct horse battery staple")
				d.Press("enter")
			}
			d.Until("that is not the password")
			d.Type(uitest.Password)
			d.Press("tab tab enter")
			d.Until("browse locked")
		})
	}
}

// A wrong password is selected: the next letter starts a new one, and a key that moves the cursor keeps it.
func TestRetypingReplacesAWrongPassword(t *testing.T) {
	for name, test := range map[string]func(d *uitest.Driver){
		"typed over": func(d *uitest.Driver) {
			d.Type("wrong")
			d.Press("enter")
			d.Shows("Wrong password", " •••••   ")
			d.Type(uitest.Password)
			d.Shows(" " + strings.Repeat("•", len(uitest.Password)) + "   ")
			d.Press("enter")
			d.Shows("unlocked")
		},
		"mended": func(d *uitest.Driver) {
			d.Type("orrect horse")
			d.Press("enter left") // keeps it
			for range len(uitest.Password) {
				d.Press("left")
			}
			d.Type("c")
			d.Press("enter")
			d.Shows("unlocked")
		},
		"deleted": func(d *uitest.Driver) {
			d.Type("wrong")
			d.Press("enter backspace")
			d.Hides("•••")
		},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.RunReal(t, 80, 24, func(d *uitest.Driver, _ *walletcore.Wallet) {
				d.Press("ctrl+l")
				test(d)
			})
		})
	}
}
