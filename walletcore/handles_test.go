package walletcore_test

import (
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/handle"
)

func transfer(amount int64) ledger.Operation {
	return ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: amount}})
}

// Handles follow the highest one, as in the reference, and never run out.
func TestHandlesFollowTheHighest(t *testing.T) {
	all := handle.New().Of("")
	for want := range uint16(3) {
		if got, err := all.Begin("begin"); err != nil || got != want {
			t.Fatal(got, err)
		}
	}
	all.Remove(1)
	if got, _ := all.Begin("begin"); got != 3 {
		t.Errorf("after 0 and 2 comes %d", got)
	}
	for last := uint16(3); last < 1<<16-1; last++ {
		if got, err := all.Begin("begin"); err != nil || got != last+1 {
			t.Fatal(got, err)
		}
		all.Remove(last)
	}
	if got, err := all.Begin("begin"); err != nil || got != 1 {
		t.Error(got, err)
	}
}

// A stored transaction shares no memory with what was added or is returned.
func TestTransactionsAreCopies(t *testing.T) {
	all := handle.New().Of("")
	handle, err := all.Begin("begin")
	must(t, err)
	op := transfer(1)
	must(t, all.Add("add", handle, op))
	op.Fee().Amount = 7
	got, err := all.Get("get", handle)
	must(t, err)
	got.Operations[0].Fee().Amount = 8
	again, err := all.Get("get", handle)
	must(t, err)
	if fee := again.Operations[0].Fee().Amount; fee != 0 {
		t.Errorf("the fee became %d from outside", fee)
	}
}

// Fees are set only on the operations that they were computed for.
func TestFeesOfAnotherTransactionAreRefused(t *testing.T) {
	all := handle.New().Of("")
	handle, err := all.Begin("begin")
	must(t, err)
	must(t, all.Add("add", handle, transfer(1)))
	priced, err := all.Get("fees", handle)
	must(t, err)
	priced.Operations[0].Fee().Amount = 9
	must(t, all.Add("add", handle, transfer(2)))
	if err := all.SetFees("fees", handle, priced.Operations); fault.CodeOf(err) != fault.BadValue {
		t.Error(err)
	}
}

func TestTransactionsAreBounded(t *testing.T) {
	all := handle.New().Of("")
	for range 100 {
		_, err := all.Begin("begin")
		must(t, err)
	}
	if _, err := all.Begin("begin"); fault.CodeOf(err) != fault.LimitExceeded {
		t.Error(err)
	}
	for i := range 256 {
		must(t, all.Add("add", 0, transfer(int64(i))))
	}
	long := ledger.NewOperation(&ledger.CustomOp{Data: make([]byte, 64<<10)})
	for handle, op := range map[uint16]ledger.Operation{0: transfer(1), 1: long} {
		if err := all.Add("add", handle, op); fault.CodeOf(err) != fault.LimitExceeded {
			t.Errorf("handle %d: %v", handle, err)
		}
	}
	for _, err := range []error{all.Replace("replace", 0, 256, transfer(1)), all.Add("add", 100, transfer(1)),
		all.Add("add", 1, ledger.Operation{Code: 99, Raw: []byte(`[99,{}]`)})} {
		if err == nil {
			t.Error("taken")
		}
	}
	tx, err := all.Get("get", 0)
	must(t, err)
	if len(tx.Operations) != 256 {
		t.Errorf("%d operations are left", len(tx.Operations))
	}
}
