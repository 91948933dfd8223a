package send_test

import (
	"context"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui"
	"billfold/tui/page/send"
	"billfold/tui/screen"
	"billfold/tui/uitest"
	"billfold/walletcore/draft"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// waitsFor approves 5.5 DCT to carol, to leave at a time.
func waitsFor(d *uitest.Driver, when string) {
	d.FillForm("carol", "5.5")
	d.Press("ctrl+s")
	d.Until("Review")
	d.Wait(time.Second)
	d.Press("l")
	d.Until("When this payment leaves")
	d.Type(when)
	d.Wait(time.Second)
	d.Press("enter")
	d.Until("It leaves")
}

// A payment that waits leaves at its time, once, and its draft with it; not a minute before.
func TestAWaitingPaymentLeavesAtItsTimeOnce(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 2m")
		keeps(w, "carol 5.5 DCT")
		d.Press("esc d")
		d.Until("leaves ", "5.5 DCT → carol")
		d.Press("esc 1")
		d.Until("1 draft · leaves ")
		d.Press("q")
		d.Until("leaves only while Billfold runs")
		d.Press("esc")
		d.Wait(time.Minute)
		if w.Paid() != 0 {
			t.Fatal("it left before its time")
		}
		d.Wait(2 * time.Minute)
		if w.Paid() != 1 {
			t.Fatalf("%d payments were made", w.Paid())
		}
		keeps(w)
		d.Wait(2 * time.Minute)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}

// What has changed in the review is named, and nothing is paid before a person reads it.
func TestAWaitingPaymentAsksAgainIfItsReviewChanged(t *testing.T) {
	uitest.Play(t, 100, 30, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 2m")
		if _, err := w.Send(uitest.Carol, "5.5"); err != nil {
			t.Fatal(err)
		}
		d.Wait(3 * time.Minute)
		if w.Paid() != 1 {
			t.Fatalf("%d payments were made", w.Paid())
		}
		keeps(w, "carol 5.5 DCT")
		d.Press("esc d")
		d.Until("asks again: whether the same was paid lately changed")
		d.Press("down enter")
		d.Until("5.5")
		d.Press("ctrl+s")
		d.Until("Review", "It did not leave by itself", "whether the same was paid lately changed")
	})
}

func TestADeletedWaitingPaymentNeverLeaves(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 2m")
		d.Press("esc d down")
		d.Until("leaves ")
		d.Sure("X")
		d.Until("Deleted")
		d.Wait(3 * time.Minute)
		if w.Paid() != 0 {
			t.Error("it was deleted, and left")
		}
	})
}

// One that was opened does not leave under the hands of who changes it.
func TestAnOpenedWaitingPaymentWaitsNoLonger(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 2m")
		d.Press("esc d down")
		d.Until("leaves ")
		d.Press("enter")
		d.Until("✓ carol", "It waits no longer")
		d.Wait(3 * time.Minute)
		if w.Paid() != 0 {
			t.Error("it left while it was changed")
		}
	})
}

func TestAWaitingPaymentWaitsForTheUnlock(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 2m")
		d.Wait(time.Minute)
		d.Press("esc ctrl+l")
		d.Wait(time.Minute + 2*time.Second)
		d.Shows("A payment is due; it waits until the wallet is unlocked")
		d.Wait(time.Minute)
		if w.Paid() != 0 {
			t.Fatal("it left from a locked wallet")
		}
		d.Press("3 esc d")
		d.Until("Unlock")
		d.Type(uitest.Password)
		d.Press("enter")
		d.Wait(time.Minute)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}

// approved is a payment that waits since an earlier run, due so long ago.
func approved(late time.Duration, key, memo string) uitest.Scene {
	scene := uitest.Rows()
	scene.Wallet = func(w *uitest.World) {
		req := txbuild.TransferParams{From: "alice", To: "carol", Amount: "5.5", Asset: "DCT", Memo: memo}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, transferOf(req))
		uitest.Must(w.T, err)
		wait := draft.Wait{At: time.Now().Add(-late), Key: "later-1", Approved: made.Review().Terms()}
		_, err = w.Wallet.Drafts.SaveWaiting(w.Ctx, uitest.Alice.ID, req, wait)
		uitest.Must(w.T, err)
		if key != "" {
			_, err = w.Wallet.Payments.SendUnder(w.Ctx, made, key)
			uitest.Must(w.T, err)
		}
	}
	return scene
}

// Minutes late it leaves, and hours late it asks; what another run sent under its key is not sent again.
func TestAWaitingPaymentOfAnEarlierRun(t *testing.T) {
	for name, c := range map[string]struct {
		late time.Duration
		key  string
		paid int
		kept []string
	}{
		"minutes late":     {late: 10 * time.Minute, paid: 1},
		"hours late":       {late: 2 * time.Hour, kept: []string{"carol 5.5 DCT"}},
		"sent already":     {late: 10 * time.Minute, key: "later-1", paid: 1},
		"another was sent": {late: 10 * time.Minute, key: "later-2", paid: 1, kept: []string{"carol 5.5 DCT"}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, approved(c.late, c.key, ""), func(d *uitest.Driver, w *uitest.World) {
				d.Wait(time.Minute)
				if w.Paid() != c.paid {
					t.Errorf("%d payments were made", w.Paid())
				}
				keeps(w, c.kept...)
			})
		})
	}
}

// An encrypted memo comes out with another nonce each time, which is no change; that somebody else could read it is one.
func TestAWaitingMemoIsForTheKeyThatWasApproved(t *testing.T) {
	for name, change := range map[string]bool{"the same key": false, "another key": true} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, approved(-time.Minute, "", "rent"), func(d *uitest.Driver, w *uitest.World) {
				want := 1
				if change {
					options := ledger.NewAccountOptions(uitest.KeyOf("mallory").Public())
					w.Push(&ledger.AccountUpdateOp{Fee: ledger.AssetAmount{Amount: 500_000}, Account: uitest.Carol.ID, NewOptions: &options})
					w.Mine()
					want = 0
				}
				d.Wait(3 * time.Minute)
				if w.Paid() != want {
					t.Errorf("%d payments were made", w.Paid())
				}
				if change {
					d.Press("3 esc d")
					d.Until("asks again: the key of the memo changed")
				}
			})
		})
	}
}

// As long as nobody knows what became of the same payment, it does not leave beside it, as S would not send it.
func TestAWaitingPaymentDoesNotLeaveBesideAnUnknownOne(t *testing.T) {
	uitest.Play(t, 100, 30, approved(-10*time.Second, "", ""), func(d *uitest.Driver, w *uitest.World) {
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		if _, err := w.Send(uitest.Carol, "5.5"); err == nil {
			t.Fatal("the outcome is known")
		}
		d.Wait(20 * time.Second)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
		d.Press("3 esc d")
		d.Until("asks again: the same payment of ", "has an unknown outcome")
	})
}

// What the balance covered when it was approved and does not when it is due asks, and is no payment that the node refuses.
func TestAWaitingPaymentAsksIfTheBalanceIsGone(t *testing.T) {
	uitest.Play(t, 100, 30, approved(-time.Hour, "", ""), func(d *uitest.Driver, w *uitest.World) {
		held, err := w.Wallet.View.Assets.Held(w.Ctx, uitest.Alice.ID, ledger.CoreAsset)
		uitest.Must(t, err)
		most := ledger.FormatAmount(held[ledger.CoreAsset]*3/5, 8)
		req := txbuild.TransferParams{From: "alice", To: "carol", Amount: most, Asset: "DCT"}
		made, err := w.Wallet.Payments.Prepare(w.Ctx, transferOf(req))
		uitest.Must(t, err)
		_, err = w.Wallet.Drafts.SaveWaiting(w.Ctx, uitest.Alice.ID, req, draft.Wait{At: time.Now().Add(20 * time.Second), Key: "later-2", Approved: made.Review().Terms()})
		uitest.Must(t, err)
		_, err = w.Send(uitest.Bob, most)
		uitest.Must(t, err)
		d.Wait(50 * time.Second)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
		d.Press("3 esc d")
		d.Until("asks again: it cannot be built: the account alice has")
	})
}

// meanwhile does something while a payment that is due is built.
type meanwhile struct {
	send.Payer
	do func() error
}

func (m meanwhile) Prepare(ctx context.Context, req txbuild.TransferParams) (screen.Built, error) {
	if err := m.do(); err != nil {
		return nil, err
	}
	return m.Payer.Prepare(ctx, req)
}

// A draft that is deleted while it is built does not leave, and one that a node kept from being built is tried again.
func TestWhatHappensWhileAWaitingPaymentIsBuilt(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *uitest.World, n int) error
		paid int
	}{
		"it is deleted": {func(w *uitest.World, _ int) error {
			list, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
			if err == nil && len(list) == 1 {
				_, err = w.Wallet.Drafts.Drop(w.Ctx, list[0].Number)
			}
			return err
		}, 0},
		"the node goes away": {func(_ *uitest.World, n int) error {
			if n > 1 {
				return nil
			}
			return &fault.Error{Code: fault.DaemonAway, Op: "transfer", Message: "the daemon is away"}
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var world *uitest.World
			scene, tries := approved(time.Minute, "", ""), 0
			fill := scene.Wallet
			scene.Wallet = func(w *uitest.World) { world = w; fill(w) }
			scene.Core = func(core *tui.Core) {
				core.Send.Payer = meanwhile{core.Send.Payer, func() error { tries++; return c.do(world, tries) }}
			}
			uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
				d.Wait(time.Minute)
				if w.Paid() != c.paid {
					t.Errorf("%d payments were made", w.Paid())
				}
				keeps(w)
			})
		})
	}
}

// The node goes and comes back within the hour: it leaves then.
func TestAWaitingPaymentWaitsForTheNode(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		waitsFor(d, "in 1m")
		w.Cut()
		d.Wait(3 * time.Minute)
		if w.Paid() != 0 {
			t.Fatal("it left without a node")
		}
		keeps(w, "carol 5.5 DCT")
		w.Join()
		d.Wait(2 * time.Minute)
		if w.Paid() != 1 {
			t.Errorf("%d payments were made", w.Paid())
		}
	})
}

// Of two programs that read the same draft, one pays it: the commit of the other is refused.
func TestAWaitingPaymentIsTakenOnce(t *testing.T) {
	uitest.Live(t, approved(time.Minute, "", ""), func(w *uitest.World) {
		list, err := w.Wallet.Drafts.List(w.Ctx, uitest.Alice.ID)
		uitest.Must(t, err)
		uitest.Must(t, w.Wallet.Drafts.Ask(w.Ctx, list[0], "it was opened"))
		made, err := w.Wallet.Payments.Prepare(w.Ctx, transferOf(list[0].Request))
		uitest.Must(t, err)
		if _, err := w.Wallet.Payments.SendUnder(draft.Leaving(w.Ctx, list[0]), made, list[0].Wait.Key); err == nil || w.Paid() != 0 {
			t.Errorf("%d payments were made of a draft that was opened meanwhile: %v", w.Paid(), err)
		}
	})
}

func transferOf(req txbuild.TransferParams) txbuild.Request {
	return txbuild.NewRequest("transfer", req, txbuild.Transfer)
}
