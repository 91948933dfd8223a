package send_test

import (
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
)

// A recipient that no node was asked about, or did not answer about, is not called
// missing, then or later.
func TestRecipientThatNobodyLookedUpIsNotMissing(t *testing.T) {
	var finder failing
	for name, c := range map[string]struct {
		gone, back func(w *uitest.World)
		says       string
	}{
		"no node": {(*uitest.World).Cut, (*uitest.World).Join, "cannot check: no node"},
		"failed look-up": {func(*uitest.World) { finder.broken = true }, func(*uitest.World) { finder.broken = false },
			"cannot check: the look-up failed"},
	} {
		t.Run(name, func(t *testing.T) {
			scene := uitest.Rows()
			scene.Core = finder.install
			uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
				d.Press("3")
				c.gone(w)
				d.Wait(time.Second)
				d.Type("merchant-7")
				d.Shows(c.says)
				d.Press("tab")
				d.Hides("no such account")
				c.back(w)
				d.Wait(20 * time.Second) // a block comes, at the latest once the node is there again
				d.Shows("✓ merchant-7 1.2.111")
				d.Hides("no such account")
			})
		})
	}
}

// A name with a slip in it is not taken for another one, but what it was perhaps meant to be is a key away.
func TestMistypedNameIsOffered(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type("crol")
		d.Shows("no such account; did you mean this?", "▌ carol           1.2.57")
		d.Press("tab")
		d.Shows("crol", "no such account; did you mean carol 1.2.57?")
		d.Press("ctrl+s")
		d.Shows(`There is no account "crol". Did you mean carol 1.2.57?`)
		d.Press("enter")
		d.Shows("✓ carol 1.2.57")
		d.Press("esc 3")
		d.Press("ctrl+x")
		d.Type("zzzzz")
		d.Shows("no such account")
		d.Hides("did you mean")
	})
}

// What a node said is missing is asked for again once another may answer.
func TestMissingRecipientIsAskedForAgain(t *testing.T) {
	var finder failing
	scene := uitest.Rows()
	scene.Core = finder.install
	uitest.Play(t, 80, 24, scene, func(d *uitest.Driver, w *uitest.World) {
		d.Press("3")
		d.Type("nobody-here")
		d.Shows("no such account")
		w.Cut()
		d.Wait(time.Second)
		d.Shows("cannot check: no node")
		finder.broken = true
		w.Join()
		d.Wait(20 * time.Second)
		d.Shows("cannot check: the look-up failed")
		d.Hides("no such account")
	})
}

// While a name is typed that others begin with, the form offers them; that nobody has it is said when nobody can be meant any more,
// or the field is left.
func TestANameThatNobodyHasIsSaidWhileTyping(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Scene{}, func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Type("car")
		d.Until("↑↓ choose  ↵ take it", "carol")
		d.Hides("no such account")
		d.Type("x")
		d.Until("▲ no such account")
		d.Press("backspace tab")
		d.Until("▲ no such account")
	})
}

// The asset is marked as a choice where there is one.
func TestAnAssetIsMarkedAsAChoice(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, _ *uitest.World) {
		d.Press("3")
		d.Until("Asset     DCT ▾")
		d.Press("tab tab down")
		d.Hides("DCT ▾")
		d.Press("ctrl+u")
		d.Type("longest.asset-name")
		d.Hides("asset-name ▾", "asset-name▾")
	})
}

// Strangers choose how many rows a history gets: whom it paid, and whose name is alike, is known however many came since.
func TestDustHidesNobodyWhoWasPaid(t *testing.T) {
	scene := uitest.Charted()
	uitest.Play(t, 100, 30, scene, func(d *uitest.Driver, w *uitest.World) {
		for range 3 {
			var dust []ledger.Operation
			for n := range 50 {
				dust = append(dust, ledger.NewOperation(&ledger.TransferObsoleteOp{From: uitest.Bob.ID, To: uitest.Alice.ID,
					Amount: ledger.AssetAmount{Amount: int64(n + 1)}}))
			}
			_, err := w.Ledger.PushUnsigned(dust...)
			uitest.Must(t, err)
		}
		d.Wait(10 * time.Second)
		d.Press("3")
		d.Type("caro1")
		d.Until("caro1 1.2.112 looks like carol 1.2.57", "first payment")
		d.Press("ctrl+u")
		d.Type("carol")
		d.Until("✓ carol 1.2.57  paid 2 times, last 2026-11-20")
		d.Press("tab")
		d.Type("1")
		d.Press("ctrl+s")
		d.Until("carol 1.2.57", "paid 2 times")
		d.Hides("FIRST PAYMENT")
	})
}

// An account that is registered while the form says that there is none is found: with the next block, and when the form is entered again.
// So it is where the review said so.
func TestARecipientThatIsRegisteredMeanwhileIsFound(t *testing.T) {
	for name, away := range map[string]bool{"in front": false, "behind another page": true} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
				d.FillForm("new-shop", "5")
				d.Until("▲ no such account", "no such recipient")
				d.Press("ctrl+s")
				d.Until("✗ ")
				if away {
					w.Ledger.StopBlocks(true)
					d.Press("esc 1")
				}
				key := uitest.KeyOf("new-shop").Public()
				keys := ledger.Authority{WeightThreshold: 1, KeyAuths: []ledger.KeyWeight{{Key: key, Weight: 1}}}
				w.Push(&ledger.AccountCreateOp{Registrar: uitest.Carol.ID, Name: "new-shop", Owner: keys, Active: keys,
					Options: ledger.NewAccountOptions(key)})
				w.Mine()
				if away {
					d.Press("3")
				}
				d.Wait(time.Second)
				d.Shows("✓ new-shop")
				d.Hides("no such", "✗ ")
			})
		})
	}
}
