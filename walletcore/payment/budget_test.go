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
	"billfold/walletcore/historyindex"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/storetest"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// budgetFixture is a wallet with everything that follows the chain, behind a relay that counts.
type budgetFixture struct {
	*testwallet.Wallet
	relay *testwallet.Relay
	store *store.Store
	made  atomic.Int64
}

func beginBudget(t *testing.T) *budgetFixture {
	t.Helper()
	return beginBudgetWith(t, sqlite.Options{Linger: time.Hour}) // a commit is one that somebody waits for
}

func beginBudgetWith(t *testing.T, o sqlite.Options) *budgetFixture {
	t.Helper()
	dir := t.TempDir()
	kept, err := o.Open(filepath.Join(dir, "payments.db"))
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
	b := &budgetFixture{Wallet: s, relay: r, store: kept}
	b.payMany(1, 1) // pins what is new
	for range 12 {  // until it is irreversible, and the names in it are kept
		b.Mine()
	}
	b.mineAndWait()
	return b
}

// mineAndWait makes a block and waits until nothing is asked any more.
func (b *budgetFixture) mineAndWait() {
	b.T.Helper()
	b.Mine()
	for all := -1; all != 0; {
		_, all = b.relay.Calls(func() { time.Sleep(200 * time.Millisecond) })
	}
}

// transfer is another payment of alice's to bobby.
func (b *budgetFixture) transfer() txbuild.Request {
	return txbuild.NewRequest("transfer", txbuild.TransferParams{
		From: "alice", To: "bobby", Amount: "0.001", Asset: "DCT", Memo: fmt.Sprint("order ", b.made.Add(1)),
	}, txbuild.Transfer)
}

// payMany makes payments by callers at once.
func (b *budgetFixture) payMany(payments, callers int) {
	b.T.Helper()
	var left atomic.Int64
	left.Store(int64(payments))
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if _, err := b.Payments.Spend(b.Ctx, b.transfer(), payment.Sending{Broadcast: true}); err != nil {
					b.T.Error(err)
				}
			}
		})
	}
	all.Wait()
}

// A payment of a warm wallet is one call, however many are made at once, and at most one commit, which is one wait for
// the disk; those that are made at once share commits, at the latest at the third try on a machine that is busy with other things.
func TestAWarmPaymentIsOneCallAndOneCommit(t *testing.T) {
	t.Parallel()
	b := beginBudget(t)
	const n = budgetPayments
	for _, c := range []struct{ callers, payments, commits int }{
		{1, n, n}, {8, 2 * n, 2 * n * (budgetCommits + 25) / 100}, {64, 2 * n, 2 * n * budgetCommits / 100},
	} {
		made := b.commitsOf(c.payments, c.callers)
		for try := 1; made > c.commits && try < 3; try++ {
			made = b.commitsOf(c.payments, c.callers)
		}
		if made > c.commits {
			t.Errorf("%d payments by %d callers were %d commits, at most %d are expected", c.payments, c.callers, made, c.commits)
		}
	}
}

// commitsOf makes payments by callers at once, each with one call and no more than one commit, and returns how many commits
// they were.
func (b *budgetFixture) commitsOf(payments, callers int) int {
	b.T.Helper()
	b.mineAndWait()
	before, err := b.store.Journal.Position(b.Ctx)
	testwallet.Must(b.T, err)
	begun := time.Now()
	calls, all := b.relay.Calls(func() { b.payMany(payments, callers) })
	looks := int(time.Since(begun) / time.Second) // what is asked from time to time counts on a slow machine
	after, err := b.store.Journal.Position(b.Ctx)
	testwallet.Must(b.T, err)
	if calls["broadcast_transaction"] != payments || 10*(all-looks) > 11*payments {
		b.T.Errorf("%d payments by %d callers took %v", payments, callers, calls)
	}
	made := int(after.Commit - before.Commit)
	if made > payments {
		b.T.Errorf("%d payments by %d callers were %d commits", payments, callers, made)
	}
	return made
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
		} else if all > few+payments/2 { // what is looked up from time to time may come in between
			t.Errorf("with %d open payments a block takes %v, with one only %d calls", payments, calls, few)
		}
	}
}

// A block is read once, however many own payments it has, and their states are written in one statement for each slice of them.
func TestABlockOfOwnPaymentsIsReadOnceAndWrittenInSlices(t *testing.T) {
	t.Parallel()
	statements := new(storetest.Faults)
	b := beginBudgetWith(t, sqlite.Options{Linger: time.Millisecond, Between: statements.Between})
	const payments = 8 * store.UpdateAtOnce
	b.payMany(payments, 4)
	updates := statements.Count("UPDATE payments", func() {
		for range 4 { // in a block, and irreversible
			calls, _ := b.relay.Calls(func() {
				b.Mine()
				time.Sleep(300 * time.Millisecond) // nothing tells that the followers are done
			})
			if calls["get_block"] > 1 {
				t.Errorf("a block was read %d times", calls["get_block"])
			}
		}
		b.mineAndWait()
	})
	// A slice that was not full is written one by one.
	if updates < 2*payments/store.UpdateAtOnce || updates > payments/2 {
		t.Errorf("the states of %d payments were written in %d statements", payments, updates)
	}
	open, err := b.store.Journal.Open(b.Ctx)
	if testwallet.Must(t, err); len(open) > 0 {
		t.Errorf("%d payments are still open", len(open))
	}
}

// At a slow pace, too, a payment is one commit: that a daemon took it is written with the block that has it.
func TestASlowPaymentIsOneCommit(t *testing.T) {
	t.Parallel()
	b := beginBudgetWith(t, sqlite.Options{Linger: time.Nanosecond}) // what is no part of a payment's commit makes one of its own
	b.mineAndWait()
	before, err := b.store.Journal.Position(b.Ctx)
	testwallet.Must(t, err)
	const payments = 10
	for range payments {
		b.payMany(1, 1)
		time.Sleep(20 * time.Millisecond) // for a second commit, if there were one
	}
	after, err := b.store.Journal.Position(b.Ctx)
	testwallet.Must(t, err)
	if made := int(after.Commit - before.Commit); made > payments+1 { // one more where the time for a look at the chain came in between
		t.Errorf("%d payments one after another made %d commits", payments, made)
	}
}

// maxAllocations is a little more than a signed transfer with memo costs.
const maxAllocations = 140

func TestASignedTransferAllocatesLittle(t *testing.T) { // not in parallel: the allocations of all are counted
	b := beginBudget(t)
	allocations := testing.AllocsPerRun(budgetPayments, func() {
		_, err := b.Payments.Spend(b.Ctx, b.transfer(), payment.Sending{})
		testwallet.Must(t, err)
	})
	if allocations > maxAllocations {
		t.Errorf("a signed transfer makes %v allocations, at most %d are expected", allocations, maxAllocations)
	}
}

func TestABroadcastTransferAllocatesLittle(t *testing.T) { // not in parallel: the allocations of all are counted
	b := beginBudget(t)
	allocations := testing.AllocsPerRun(budgetPayments, func() {
		_, err := b.Payments.Spend(b.Ctx, b.transfer(), payment.Sending{Broadcast: true})
		testwallet.Must(t, err)
	})
	if allocations > maxSentAllocations {
		t.Errorf("a broadcast transfer makes %v allocations, at most %d are expected", allocations, maxSentAllocations)
	}
}
