package payment_test

import (
	"context"
	"fmt"
	"math"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/testwallet"
)

// lookUp runs the wallet in peace until every payment has its outcome, and
// gives the orders that are to be asked for again.
func (tr *trial) lookUp(orders []order) (again []order) {
	tr.t.Helper()
	run, err := tr.begin()
	testwallet.Must(tr.t, err)
	defer run.end()
	ctx, cancel := context.WithTimeout(run.ctx, 2*time.Minute)
	defer cancel()
	testwallet.Must(tr.t, run.client.WaitOnline(ctx))
	for len(tr.stillOpen(run)) > 0 {
		if run.wallet.Payments.Anchor().Block.Num()+unprovenAtMost >= tr.box.Head() { // or it would be chased by new blocks
			_, err := tr.box.Mine()
			testwallet.Must(tr.t, err)
		}
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			tr.t.Fatalf("without an outcome remain %+v; what was decided, by time, is in %s", tr.stillOpen(run)[0], tr.record)
		}
	}
	for _, o := range orders {
		p, err := run.wallet.Payments.Get(ctx, o.key())
		switch {
		case fault.CodeOf(err) == fault.NoSuchPayment && err != nil:
			again = append(again, o)
		case err != nil:
			tr.t.Fatal(err)
		case p.State != payment.Irreversible.String():
			again = append(again, order{o.n, o.attempt + 1})
			tr.counts.add(func(c *countsRead) { c.Attempts++ })
		}
	}
	return again
}

// unprovenAtMost is the maximum number of blocks that the miners' signatures do not prove yet while a wallet keeps up.
const unprovenAtMost = 50

func (tr *trial) stillOpen(run *running) []store.Entry {
	list, err := run.journal.Open(run.ctx)
	testwallet.Must(tr.t, err)
	return list
}

// findings counts violations; there must be none.
type findings struct{ twice, lost, states, balances, answers int }

// verify compares journal, blocks, balances and what callers were told.
func (tr *trial) verify() (f findings) {
	tr.t.Helper()
	run, err := tr.begin()
	testwallet.Must(tr.t, err)
	defer run.end()
	testwallet.Must(tr.t, run.client.WaitOnline(run.ctx))
	entries, err := run.journal.Latest(run.ctx, math.MaxInt32)
	testwallet.Must(tr.t, err)
	inBlocks := tr.readLedger(run)
	paid := make([]int, tr.count) // how often each order is in a block
	known := map[ledger.TransactionID]bool{}
	var sum, fees int64
	for _, e := range entries {
		known[e.ID] = true
		times := inBlocks[e.ID]
		if happened := e.State == store.Irreversible; happened != (times == 1) || times > 1 || !e.State.Final() {
			f.states++
			tr.t.Errorf("payment %s (%s) is %s and in %d blocks", e.ID, e.Key, e.State, times)
		}
		o, amount, fee := tr.contents(e)
		if paid[o.n] += times; times > 0 {
			sum, fees = sum+amount*int64(times), fees+fee*int64(times)
		}
		f.answers += tr.compareTold(e, times)
	}
	for id, times := range inBlocks {
		if !known[id] {
			f.twice += times
			tr.t.Errorf("transaction %s is in a block, but not in the journal", id)
		}
	}
	for n, times := range paid {
		if times > 1 {
			f.twice++
		} else if times == 0 {
			f.lost++
		}
		sum -= order{n: n}.amount()
	}
	return tr.compareBalances(run, f, sum, fees)
}

// compareBalances checks that what orders are worth has moved. off is the sum of
// the journal's payments beyond that.
func (tr *trial) compareBalances(run *running, f findings, off, fees int64) findings {
	tr.t.Helper()
	var orders int64
	for n := range tr.count {
		orders += order{n: n}.amount()
	}
	s := &testwallet.Wallet{T: tr.t, Ctx: run.ctx, Wallet: run.wallet}
	bobby, alice := s.DCT("bobby")-bobbyHad, aliceHad-s.DCT("alice")
	if off != 0 || bobby != orders || alice != orders+fees {
		f.balances++
		tr.t.Errorf("bobby got %d, alice paid %d with fees of %d, the orders are worth %d", bobby, alice, fees, orders)
	}
	return f
}

const aliceHad = 12_400_0000_0000

// contents reads an entry's order, amount and fee from its bytes.
func (tr *trial) contents(e store.Entry) (o order, amount, fee int64) {
	tr.t.Helper()
	var tx ledger.SignedTransaction
	testwallet.Must(tr.t, codec.Unpack(e.Bytes, &tx))
	op := tx.Operations[0].Body.(*ledger.TransferObsoleteOp)
	if _, err := fmt.Sscanf(e.Key, "order %d, attempt %d", &o.n, &o.attempt); err != nil || op.Amount.Amount != o.amount() {
		tr.t.Errorf("payment %s under %q is of %d", e.ID, e.Key, op.Amount.Amount)
	}
	return o, op.Amount.Amount, op.Fee.Amount
}

// compareTold checks what was told of a request key: an id that came without an
// error is that of the key's payment, and one that was told to have come to
// nothing is in no block.
func (tr *trial) compareTold(e store.Entry, times int) (wrong int) {
	told := tr.told[e.Key]
	if told.contradicted || told.id != (ledger.TransactionID{}) && told.id != e.ID ||
		told.id != (ledger.TransactionID{}) && e.State == store.Rejected ||
		told.never && times > 0 {
		tr.t.Errorf("%s: callers were told %+v, it is %s and in %d blocks", e.Key, told, e.State, times)
		return 1
	}
	return 0
}

// readLedger counts in how many blocks each transaction of the chain is.
func (tr *trial) readLedger(run *running) map[ledger.TransactionID]int {
	tr.t.Helper()
	dyn, err := run.client.DynamicGlobalProperties(run.ctx)
	testwallet.Must(tr.t, err)
	found := map[ledger.TransactionID]int{}
	f := payment.NewFollower(run.wallet.Payments)
	daemon, err := run.client.Current()
	testwallet.Must(tr.t, err)
	f.Use(daemon)
	for num := uint32(1); num <= dyn.HeadBlockNumber; num++ {
		ids, err := f.IDs(run.ctx, num)
		testwallet.Must(tr.t, err)
		for _, id := range ids {
			found[id]++
		}
	}
	return found
}
