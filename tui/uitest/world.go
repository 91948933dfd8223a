package uitest

import (
	"context"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/testwallet"
)

// World is a real wallet, online to a real sandbox over a websocket in memory, in the virtual time of a synctest bubble: each run has
// the same ids, blocks and times. The sandbox makes a block every 5 s.
type World struct {
	T      *testing.T
	Ctx    context.Context
	Ledger *sandbox.Sandbox
	Wallet *walletcore.Wallet

	openUI func(w, h int, end func(), test func(d *Driver)) // opens a UI on the wallet
	reopen func()                                           // opens the wallet again
	dir    string                                           // of the wallet's files
	wire   *network
	ledger parts
	wallet parts
}

func newWorld(t *testing.T) *World {
	w := &World{T: t, Ctx: context.Background(), dir: testwallet.Folder(t), wire: newNetwork()}
	t.Cleanup(w.end)
	return w
}

// end ends the wallet and the ledger and waits for them.
func (w *World) end() {
	w.wallet.end(w.T)
	w.ledger.end(w.T)
}

// Until lets time pass until at.
func (w *World) Until(at time.Time) { time.Sleep(time.Until(at)) }

// Ago waits until d before Start.
func (w *World) Ago(d time.Duration) { w.Until(Start.Add(-d)) }

// Cut cuts the connection to the sandbox, which goes on; Join restores it.
func (w *World) Cut() { w.wire.setCut(true) }

// Join ends Cut.
func (w *World) Join() { w.wire.setCut(false) }

// Lie replaces truth in all answers of the sandbox from now on by lie, which must be as long.
func (w *World) Lie(truth, lie string) {
	w.T.Helper()
	if len(truth) != len(lie) {
		w.T.Fatalf("%q is not as long as %q", lie, truth)
	}
	w.wire.lie(truth, lie)
}

// Paid returns how many payments were sent from the wallet.
func (w *World) Paid() int { return len(w.Wallet.Payments.Recent()) }

// Mine makes a block at once.
func (w *World) Mine() {
	_, err := w.Ledger.Mine()
	Must(w.T, err)
}

// Keep is testwallet.KeepPackage for the wallet.
func (w *World) Keep(hash ledger.Hash160) { testwallet.KeepPackage(w.T, w.Wallet, hash) }
