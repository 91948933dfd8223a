package tui

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

func away(core *paper) {
	core.change(event.Daemon, func() { core.status.Daemon, core.status.Since = walletcore.DaemonOffline, time.Now() })
}

// The node is gone between S and the block: nobody knows what became of the
// payment, and the page says so until a node answers.
func TestNodeGoneBetweenSignAndBlock(t *testing.T) {
	for name, gone := range map[string]func(s *walletcore.Status){
		"away":   func(s *walletcore.Status) { s.Daemon, s.Since = walletcore.DaemonOffline, time.Now() },
		"behind": func(s *walletcore.Status) { s.Stale = true },
		"silent": func(s *walletcore.Status) { s.Frozen = true },
	} {
		t.Run(name, func(t *testing.T) {
			core := sample()
			core.payments = nil
			driven(t, 80, 24, core, func(d *drive) {
				toReview(d)
				d.wait(time.Second)
				d.press("S")
				d.shows("waiting for the next block", "step 3 of 4")
				before := core.status
				d.wait(3 * time.Second)
				core.change(event.Daemon, func() { gone(&core.status) })
				d.wait(time.Second)
				d.shows("? outcome unknown", "Do not send again.", "only until 14:03:29 UTC, in 26 s.", "settled when a node answers", "? Sent", "as of 14:0")
				d.hides("accepted by the node", "waiting for the next block")
				d.wait(40 * time.Second)
				d.shows("It may have gone through, only until 14:03:29 UTC, 14 s ago.")
				d.press("r")
				d.press("b")
				d.shows("Not while the outcome is unknown")
				d.press("1")
				d.shows("? 250.00000000 DCT", "unknown, settled when a node answers", "Pending payments · as of")
				core.change(event.Daemon, func() {
					core.status = before
					core.payments[0].State, core.payments[0].Block, core.payments[0].InBlock = walletcore.PaymentInBlock, 18204512, time.Now()
				})
				d.wait(time.Second)
				d.shows("in block, irreversible in")
				d.hides("as of", "settled when")
			})
		})
	}
}

// Before the core has answered, the page shows what the journal has.
func TestNodeGoneWhileSending(t *testing.T) {
	core := sample()
	core.payments, core.slow = nil, time.Minute
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		d.shows("Signing and sending")
		core.change(event.Payment, func() {
			core.payments = []walletcore.Payment{{ID: txid(100), State: walletcore.PaymentPrepared, Review: core.review, Prepared: time.Now(), Expiration: 0}}
		})
		d.wait(time.Second)
		d.shows("being sent")
		away(core)
		d.wait(time.Second)
		d.shows("? outcome unknown", "Do not send again.")
		d.wait(2 * time.Minute)
	})
}

func TestInBlockCannotBeCheckedWithoutANode(t *testing.T) {
	core := sample()
	core.payments = core.payments[:1] // in a block
	driven(t, 80, 24, core, func(d *drive) {
		d.press("p enter")
		d.shows("In a block", "is at #18,204,494")
		away(core)
		d.wait(time.Second)
		d.shows("Cannot be checked now. Do not send again.", "? Irreversible", "as of 14:0")
		d.hides("in ~")
		d.press("1")
		d.shows("in block #18,204,502, cannot check")
	})
}

// Every page that shows what a node said carries the time of it.
func TestOfflineDataCarriesItsTime(t *testing.T) {
	core := sample()
	driven(t, 80, 24, core, func(d *drive) {
		d.press("2 3")
		d.typed("carol")
		d.press("tab")
		d.typed("5")
		d.press("ctrl+s")
		d.wait(time.Second)
		d.shows("Review")
		d.hides("as of")
		core.readErr = &fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"}
		away(core)
		d.wait(10 * time.Second)
		d.shows("Review · as of 14:02:58, node away", "S is off: no node")
		d.press("esc")
		d.shows("Send · as of 14:02:5", "live check: not possible, no node")
		for _, page := range [][2]string{{"1", "balances · as of 14:02:5"}, {"2", "History of alice 1.2.34 · as of 14:02:5"}} {
			d.press("esc esc " + page[0])
			d.shows(page[1], "node away", "No node answers. Shown as of")
		}
		d.press("enter")
		d.shows("Detail · as of 14:02:5")
		core.change(event.Daemon, func() { core.status.Daemon, core.status.Stale = walletcore.DaemonOnline, true })
		d.wait(time.Second)
		d.shows("node behind")
	})
}

// A node that is connected is not green for that alone.
func TestDoubtOfANodeIsTold(t *testing.T) {
	for name, c := range map[string]struct {
		set  func(s *walletcore.Status)
		want []string
	}{
		"fewer blocks": {func(s *walletcore.Status) { s.Lost = 1240 }, []string{"▲ The node has 1,240 blocks fewer than it had.", "▲ #18,204,511", "= ▲ −1240 blocks"}},
		"silent":       {func(s *walletcore.Status) { s.Frozen = true }, []string{"✗ The node is connected and answers nothing. Shown as of 14:02:55.", "= ▲ silent", "node silent"}},
		"lied":         {func(s *walletcore.Status) { s.Distrusted = true }, []string{"▲ The node gave a false answer", "▲ #18,204,511"}},
		"ahead": {func(s *walletcore.Status) { s.Stale, s.HeadTime = true, ledger.TimeOf(start.Add(10*time.Minute)) },
			[]string{"▲ The node's last block is 10 min ahead of this computer's clock.", "node behind"}},
	} {
		core := sample()
		c.set(&core.status)
		driven(t, 80, 24, core, func(d *drive) {
			d.shows(c.want...)
			if strings.Contains(d.screen(), "● #18") {
				t.Errorf("%s: the dot is green", name)
			}
		})
	}
}

// A node that refused the payment had its bytes: it is unknown, and nothing is
// called refused or unspent.
func TestRefusalIsUnknownWhileItMayHappen(t *testing.T) {
	core := sample()
	core.payments = nil
	core.sendErr = &fault.Error{Code: fault.DaemonRefused, Message: "the daemon refused it", Unsettled: true}
	driven(t, 80, 24, core, func(d *drive) {
		toReview(d)
		d.wait(time.Second)
		d.press("S")
		d.shows("? outcome unknown", "Do not send again.", "the daemon refused it")
		d.hides("Nothing was spent", "Refused before")
		d.press("esc 3")
		d.hides("carol")
	})
}

func TestFinalityByTheNodesWordIsCalledSo(t *testing.T) {
	core := sample()
	core.payments = core.payments[:1]
	core.payments[0].ByNodesWord = true
	driven(t, 80, 24, core, func(d *drive) {
		d.shows("in block, final by node's word only")
		d.press("p enter")
		d.shows("by the node's word, not proven", "Final by the node's word alone.")
		d.hides("✓ Irreversible")
	})
}
