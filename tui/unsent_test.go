package tui_test

import (
	"context"
	"slices"
	"strconv"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/uitest"
	"billfold/walletcore/draft"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"
)

// One ctrl+c clears nothing for good, and names what the next one does, in a field as well.
func TestCtrlCOnceDropsNothingTyped(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.FillForm("carol", "2.5")
		d.Press("tab tab")
		d.Type("rent")
		d.Press("ctrl+c")
		d.Shows("Press ctrl+c again to quit", "rent", "TYPE")
		d.Press("5 esc")
		d.Press("esc 5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		d.Wait(5 * time.Second)
		d.Press("ctrl+c")
		d.Shows("Press ctrl+c again to quit", "see you")
	})
}

// An unfinished payment becomes a draft of the account it was started with, whichever account is in focus when the program ends.
func TestDraftStaysWithItsAccount(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "33")
		d.Press("esc @ down enter")
		d.Shows("started as a payment of alice 1.2.34")
		uitest.Must(t, d.Model.Keep(w.Ctx))
		other := d.Model.Env().Account.ID
		if a, b := drafts(t, w), drafts(t, w, other); a != 1 || b != 0 || other == uitest.Alice.ID {
			t.Errorf("alice has %d drafts, %d has %d", a, other, b)
		}
	})
}

// The program reports what it keeps when it ends, and nothing else; a draft that was only viewed stays as it is.
func TestQuittingReportsWhatIsKept(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		if reported := d.Model.Saved(w.Ctx); len(reported) > 0 {
			t.Errorf("nothing was typed: %q", reported)
		}
		d.FillForm("carol", "33")
		d.Press("esc 5 n")
		d.Type("carol")
		d.Press("enter")
		d.Until("To carol")
		d.Type("see you")
		reported := []string{"The payment that was half typed is kept as a draft of alice: d on Send shows it.",
			"What you wrote to carol and did not send is kept: it is in its conversation on Messages."}
		if got := d.Model.Saved(w.Ctx); !slices.Equal(got, reported) {
			t.Errorf("it reports %q", got)
		}
		before, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		uitest.Must(t, err)
		w.Look(80, 24, func(d *uitest.Driver) {
			d.Wait(time.Minute)
			d.Press("3 esc")
			d.Until("1 draft: d")
			d.Press("d down")
			d.Until("33 DCT → carol")
			d.Press("enter")
			d.Until("✓ carol")
			if got := d.Model.Saved(w.Ctx); len(got) > 0 {
				t.Errorf("nothing was changed: %q", got)
			}
			after, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
			if uitest.Must(t, err); !slices.Equal(after, before) {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	})
}

// Unfinished input is kept when the wallet locks, however the program ends then; once it is paid, it is no longer kept.
func TestLockKeepsUnfinishedInput(t *testing.T) {
	for name, lock := range map[string]func(d *uitest.Driver, w *uitest.World){
		"with a key": func(d *uitest.Driver, _ *uitest.World) { d.Press("ctrl+l") },
		"automatically": func(d *uitest.Driver, w *uitest.World) {
			w.Wallet.Vault.SetLockAfter(90 * time.Second)
			d.Wait(2 * time.Minute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
				d.FillForm("carol", "33")
				lock(d, w)
				d.Shows("Unlock")
				w.Look(80, 24, func(d *uitest.Driver) { // as if the program were started after the first was killed
					d.Type(uitest.Password)
					d.Press("enter")
					d.Until("balances")
					d.Press("3 esc")
					d.Until("1 draft: d")
				})
				d.Wait(time.Second)
				if n := drafts(t, w); n != 1 {
					t.Fatalf("%d drafts are kept", n)
				}
				d.Press("esc ctrl+s")
				d.Until("33.00000000 DCT")
				d.Wait(time.Second)
				d.Press("S")
				d.Until("waiting for the next block")
				if n := drafts(t, w); n != 0 {
					t.Errorf("%d drafts of what was paid", n)
				}
			})
		})
	}
}

// If the account has as many drafts as it may have, unfinished input stays in the form, and quitting asks.
func TestQuittingAsksIfThereIsNoRoomForADraft(t *testing.T) {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		for n := range draft.Most {
			form := txbuild.TransferParams{To: "carol", Amount: strconv.Itoa(n + 1), Asset: "DCT"}
			_, err := w.Wallet.Drafts.Save(w.Ctx, uitest.Alice.ID, form)
			uitest.Must(t, err)
		}
	}
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "333")
		d.Until("100 drafts: esc d")
		d.Press("esc 2 b")
		d.Until("What is typed here stays: it cannot be kept as a draft", "333")
		if d.Press("esc q"); d.Quit {
			t.Error("it did not ask about input that cannot be kept")
		}
		d.Shows("the account has 100 drafts")
		if n := drafts(t, w); n != draft.Most {
			t.Errorf("%d drafts", n)
		}
	})
}

// stuck is a draft store whose disk does not respond.
type stuck struct{ send.Keeper }

func (stuck) Save(context.Context, ledger.AccountID, txbuild.TransferParams) (int64, error) {
	time.Sleep(time.Minute)
	return 0, nil
}

// Locking does not wait for the disk; what was typed stays in the form.
func TestLockDoesNotWaitForTheDisk(t *testing.T) {
	scene := uitest.Rows()
	scene.Core = func(c *tui.Core) { c.Send.Drafts = stuck{c.Send.Drafts} }
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.FillForm("carol", "33")
		began := time.Now()
		d.Press("ctrl+l")
		if took := time.Since(began); took > time.Second || w.Wallet.Vault.State() != vault.Locked {
			t.Errorf("after %v it is %v", took, w.Wallet.Vault.State())
		}
		d.Type(uitest.Password)
		d.Press("enter")
		d.Until("= 33.00000000 DCT")
		d.Wait(2 * time.Minute)
	})
}
