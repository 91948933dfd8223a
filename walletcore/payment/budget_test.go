package payment_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/build"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

// budgetStage is a wallet with everything that follows the chain, behind a relay that counts.
type budgetStage struct {
	*testwallet.Wallet
	relay *testwallet.Relay
	store *store.Store
	made  atomic.Int64
}

func beginBudget(t *testing.T) *budgetStage {
	t.Helper()
	dir := t.TempDir()
	kept, err := sqlite.Open(filepath.Join(dir, "payments.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { testwallet.Must(t, kept.Close()) })
	index, err := historyindex.Open(filepath.Join(dir, "history.db"))
	testwallet.Must(t, err)
	t.Cleanup(func() { _ = index.Close() })
	box := testwallet.Ledger(t, sandbox.Options{})
	r := testwallet.RelayTo(t, box.URL())
	s := testwallet.Connect(t, filepath.Join(dir, "wallet.keys"), r.URL, func(c *walletcore.Config) { c.Store, c.Index = kept, index })
	s.Box = box
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Hold("alice")
	s.Mine()
	b := &budgetStage{Wallet: s, relay: r, store: kept}
	b.payMany(1, 1) // pins what is new
	for range 12 {  // until it is irreversible, and the names in it are kept
		b.Mine()
	}
	b.settle()
	return b
}

// settle makes a block and waits until nothing is asked any more.
func (b *budgetStage) settle() {
	b.T.Helper()
	b.Mine()
	for all := -1; all != 0; {
		_, all = b.relay.Calls(func() { time.Sleep(200 * time.Millisecond) })
	}
}

// payMany makes payments by callers at once.
func (b *budgetStage) payMany(payments, callers int) {
	b.T.Helper()
	var left atomic.Int64
	left.Store(int64(payments))
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				_, err := b.Payments.Spend(b.Ctx, build.NewRequest("transfer", build.TransferParams{
					From: "alice", To: "bobby", Amount: "0.001", Asset: "DCT", Memo: fmt.Sprint("order ", b.made.Add(1)),
				}, build.Transfer), payment.Sending{Broadcast: true})
				if err != nil {
					b.T.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// A payment of a warm wallet is one call, however many are made at once.
func TestAWarmPaymentIsOneCall(t *testing.T) {
	t.Parallel()
	b := beginBudget(t)
	for _, callers := range []int{1, 64} {
		payments := 50 * min(callers, 8)
		b.settle()
		calls, all := b.relay.Calls(func() { b.payMany(payments, callers) })
		if calls["broadcast_transaction"] != payments || 10*all > 11*payments {
			t.Errorf("%d payments by %d callers took %v", payments, callers, calls)
		}
	}
}

// What the followers ask with each block does not grow with the payments that are open.
func TestAnOpenPaymentAsksNothing(t *testing.T) {
	t.Parallel()
	b := beginBudget(t)
	var few int
	for _, payments := range []int{1, 60} {
		b.payMany(payments, 4)
		calls, all := b.relay.Calls(func() {
			b.Mine()
			time.Sleep(300 * time.Millisecond) // nothing tells that the followers are done
		})
		if few == 0 {
			few = all
		} else if all > few {
			t.Errorf("with %d open payments a block takes %v, with one only %d calls", payments, calls, few)
		}
	}
}
