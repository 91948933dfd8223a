package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/uitest"
)

// The node is gone between S and the block: nobody knows what became of the
// payment, and the page says so until a node answers.
func TestNodeGoneBetweenSignAndBlock(t *testing.T) {
	for name, c := range map[string]struct{ gone, back func(w *uitest.World) }{
		"away":   {(*uitest.World).Cut, (*uitest.World).Join},
		"silent": {func(w *uitest.World) { w.Ledger.Delay(time.Hour) }, func(w *uitest.World) { w.Ledger.Delay(0); w.Cut(); w.Join() }},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
				d.ToReview()
				d.Wait(time.Second)
				d.Press("S")
				d.Shows("waiting for the next block", "step 3 of 4")
				c.gone(w)
				d.Wait(3 * time.Second)
				d.Shows(
					"? outcome unknown",
					"Do not send again.",
					"only until 14:03:25 UTC, in 23 s.",
					"settled when a node answers",
					"? Sent",
					"as of 14:0",
				)
				d.Hides("accepted by the node", "waiting for the next block")
				d.Wait(40 * time.Second)
				d.Shows("It may have gone through, only until 14:03:25 UTC, 17 s ago.")
				d.Press("r")
				d.Press("b")
				d.Shows("Not while the outcome is unknown")
				d.Press("1")
				d.Shows("? 250.00000000 DCT", "unknown, settled when a node answers", "Pending payments · as of")
				c.back(w)
				d.Wait(12 * time.Second)
				d.Shows("in block, irreversible in")
				d.Hides("as of", "settled when")
			})
		})
	}
}

// A node that makes no blocks any more leaves the payment as unknown as one that is gone.
func TestNodeFallsBehindBetweenSignAndBlock(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("waiting for the next block")
		w.Ledger.StopBlocks(true)
		d.Wait(61 * time.Second)
		d.Shows("? outcome unknown", "Do not send again.", "It may have gone through, only until 14:03:25 UTC",
			"settled when a node answers")
		w.Ledger.StopBlocks(false)
		d.Wait(130 * time.Second)
		d.Shows("Final in block #34.")
	})
}

// Before the core has answered, the page shows what the journal has.
func TestNodeGoneWhileSending(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		d.ToReview()
		d.Wait(time.Second)
		uitest.Must(t, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
		w.Ledger.DelayMethod("broadcast_transaction", time.Minute) // which nobody hears in time
		d.Press("S")
		d.Shows("Signing and sending")
		d.Wait(3 * time.Second)
		d.Shows("being sent")
		w.Cut()
		d.Wait(time.Second)
		d.Shows("? outcome unknown", "Do not send again.")
		d.Wait(2 * time.Minute)
	})
}

func TestInBlockCannotBeCheckedWithoutANode(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("p down enter")
		d.Shows("In a block", "is at #19")
		w.Cut()
		d.Wait(time.Second)
		d.Shows("Cannot be checked now. Do not send again.", "? Irreversible", "as of 14:0")
		d.Hides("in ~")
		d.Press("1")
		d.Shows("in block #32, cannot check")
	})
}

// Every page that shows what a node said carries the time of it.
func TestOfflineDataCarriesItsTime(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, w *uitest.World) {
		d.Press("2 3")
		d.Type("carol")
		d.Press("tab")
		d.Type("5")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Shows("Review")
		d.Hides("as of")
		w.Cut()
		d.Wait(10 * time.Second)
		d.Shows("Review · transfer (0) · as of 14:02:58 UTC, node away", "S is off: no node")
		d.Press("esc")
		d.Shows("Send · as of 14:02:5", "live check: not possible, no node")
		for _, page := range [][2]string{{"1", "balances · as of 14:02:5"}, {"2", "History of alice 1.2.34 · as of 14:02:5"}} {
			d.Press("esc esc " + page[0])
			d.Shows(page[1], "node away", "No node answers. Shown as of")
		}
		d.Press("enter")
		d.Shows("Detail · as of 14:02:5")
		w.Ledger.StopBlocks(true)
		d.Wait(time.Minute)
		w.Join()
		d.Wait(20 * time.Second)
		d.Shows("node behind")
	})
}

// A node that is connected is not green for that alone.
func TestDoubtOfANodeIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(w *uitest.World)
		want []string
	}{
		"fewer blocks": {func(w *uitest.World) { uitest.Must(t, w.Ledger.End(0)) },
			[]string{"blocks fewer than it had.", "▲ #", "= ▲ −"}},
		"silent": {func(w *uitest.World) { w.Ledger.Delay(time.Hour) },
			[]string{"✗ The node does not answer. As of 14:02:55 UTC. Nothing is sent.", "= ▲ silent", "node silent"}},
		"lied": {func(w *uitest.World) { w.Lie(`"id":"1.2.34"`, `"id":"1.2.35"`) },
			[]string{"▲ The node gave a false answer", "▲ #3"}},
		"ahead": {func(w *uitest.World) { w.Ledger.Jump(10*time.Minute + 30*time.Second) },
			[]string{"▲ The node's last block is 10 min ahead of this computer's clock.", "node behind"}},
	} {
		t.Run(name, func(t *testing.T) {
			uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
				c.set(w)
				d.Wait(5 * time.Second)
				d.Shows(c.want...)
				if strings.Contains(d.Screen(), "● #") {
					t.Error("the dot is green")
				}
			})
		})
	}
}

func TestFinalityByTheNodesWordIsCalledSo(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Shown(), func(d *uitest.Driver, w *uitest.World) {
		w.Lie(`"last_irreversible_block_num":20`, `"last_irreversible_block_num":34`)
		d.Wait(3 * time.Second)
		d.Shows("in block, final by node's word only")
		d.Press("p down enter")
		d.Shows("by the node's word, not proven", "Final by the node's word alone.")
		d.Hides("✓ Irreversible")
	})
}

// A node that takes seconds for each answer gets as long as a review needs.
func TestASlowNodeIsWaitedForWithAReview(t *testing.T) {
	uitest.Play(t, 80, 24, uitest.Rows(), func(d *uitest.Driver, w *uitest.World) {
		w.Ledger.Delay(4 * time.Second)
		d.Wait(30 * time.Second)
		d.FillForm("carol", "7.77")
		d.Wait(15 * time.Second)
		d.Press("ctrl+s")
		d.Wait(50 * time.Second)
		d.Shows("Review", "7.77")
	})
}
