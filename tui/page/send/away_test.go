package send_test

import (
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
)

func away(core *uitest.FakeWallet) {
	core.Change(event.Daemon, func() { core.State.Daemon, core.State.Since = walletcore.DaemonOffline, time.Now() })
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
			core := uitest.Drawn()
			core.Paid = nil
			uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
				d.ToReview()
				d.Wait(time.Second)
				d.Press("S")
				d.Shows("waiting for the next block", "step 3 of 4")
				before := core.State
				d.Wait(3 * time.Second)
				core.Change(event.Daemon, func() { gone(&core.State) })
				d.Wait(time.Second)
				d.Shows(
					"? outcome unknown",
					"Do not send again.",
					"only until 14:03:29 UTC, in 26 s.",
					"settled when a node answers",
					"? Sent",
					"as of 14:0",
				)
				d.Hides("accepted by the node", "waiting for the next block")
				d.Wait(40 * time.Second)
				d.Shows("It may have gone through, only until 14:03:29 UTC, 14 s ago.")
				d.Press("r")
				d.Press("b")
				d.Shows("Not while the outcome is unknown")
				d.Press("1")
				d.Shows("? 250.00000000 DCT", "unknown, settled when a node answers", "Pending payments · as of")
				core.Change(event.Daemon, func() {
					core.State = before
					core.Paid[0].State, core.Paid[0].Block, core.Paid[0].InBlock = payment.InBlock, 18204512, time.Now()
				})
				d.Wait(time.Second)
				d.Shows("in block, irreversible in")
				d.Hides("as of", "settled when")
			})
		})
	}
}

// Before the core has answered, the page shows what the journal has.
func TestNodeGoneWhileSending(t *testing.T) {
	core := uitest.Drawn()
	core.Paid, core.SendTakes = nil, time.Minute
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.ToReview()
		d.Wait(time.Second)
		d.Press("S")
		d.Shows("Signing and sending")
		core.Change(event.Payment, func() {
			core.Paid = []payment.Payment{
				{ID: uitest.TxID(100), State: payment.Prepared, Review: core.Next, Prepared: time.Now(), Expiration: 0},
			}
		})
		d.Wait(time.Second)
		d.Shows("being sent")
		away(core)
		d.Wait(time.Second)
		d.Shows("? outcome unknown", "Do not send again.")
		d.Wait(2 * time.Minute)
	})
}

func TestInBlockCannotBeCheckedWithoutANode(t *testing.T) {
	core := uitest.Drawn()
	core.Paid = core.Paid[:1] // in a block
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("p enter")
		d.Shows("In a block", "is at #18,204,494")
		away(core)
		d.Wait(time.Second)
		d.Shows("Cannot be checked now. Do not send again.", "? Irreversible", "as of 14:0")
		d.Hides("in ~")
		d.Press("1")
		d.Shows("in block #18,204,502, cannot check")
	})
}

// Every page that shows what a node said carries the time of it.
func TestOfflineDataCarriesItsTime(t *testing.T) {
	core := uitest.Drawn()
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Press("2 3")
		d.Type("carol")
		d.Press("tab")
		d.Type("5")
		d.Press("ctrl+s")
		d.Wait(time.Second)
		d.Shows("Review")
		d.Hides("as of")
		core.ReadErr = &fault.Error{Code: fault.DaemonAway, Message: "no daemon answers"}
		away(core)
		d.Wait(10 * time.Second)
		d.Shows("Review · as of 14:02:58, node away", "S is off: no node")
		d.Press("esc")
		d.Shows("Send · as of 14:02:5", "live check: not possible, no node")
		for _, page := range [][2]string{{"1", "balances · as of 14:02:5"}, {"2", "History of alice 1.2.34 · as of 14:02:5"}} {
			d.Press("esc esc " + page[0])
			d.Shows(page[1], "node away", "No node answers. Shown as of")
		}
		d.Press("enter")
		d.Shows("Detail · as of 14:02:5")
		core.Change(event.Daemon, func() { core.State.Daemon, core.State.Stale = walletcore.DaemonOnline, true })
		d.Wait(time.Second)
		d.Shows("node behind")
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
		"ahead": {func(s *walletcore.Status) {
			s.Stale, s.HeadTime = true, ledger.TimeOf(uitest.Start.Add(10*time.Minute))
		},
			[]string{"▲ The node's last block is 10 min ahead of this computer's clock.", "node behind"}},
	} {
		core := uitest.Drawn()
		c.set(&core.State)
		uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
			d.Shows(c.want...)
			if strings.Contains(d.Screen(), "● #18") {
				t.Errorf("%s: the dot is green", name)
			}
		})
	}
}

func TestFinalityByTheNodesWordIsCalledSo(t *testing.T) {
	core := uitest.Drawn()
	core.Paid = core.Paid[:1]
	core.Paid[0].ByNodesWord = true
	uitest.Run(t, 80, 24, core, func(d *uitest.Driver) {
		d.Shows("in block, final by node's word only")
		d.Press("p enter")
		d.Shows("by the node's word, not proven", "Final by the node's word alone.")
		d.Hides("✓ Irreversible")
	})
}
