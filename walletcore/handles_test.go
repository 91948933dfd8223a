package walletcore_test

import (
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/handle"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
)

func transfer(amount int64) ledger.Operation {
	return ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: amount}})
}

// Handles are numbers that nobody guesses and that a client can hold as a double; none is used again.
func TestHandlesCannotBeGuessed(t *testing.T) {
	all, seen := inMemory(), map[uint64]bool{}
	for range 1000 {
		got, err := all.Begin(t.Context(), "begin")
		if err != nil || got < 1<<52 || got >= 1<<53 || uint64(float64(got)) != got || seen[got] {
			t.Fatal(got, err)
		}
		seen[got] = true
		must(t, all.Remove(t.Context(), "remove", got))
	}
	most := uint64(0)
	for a := range seen {
		for bit := range uint64(52) {
			most |= a & (1 << bit)
		}
	}
	if most != 1<<52-1 {
		t.Errorf("of 1,000 handles some bits are the same: %052b", most)
	}
}

func inMemory() handle.Own { return handle.New(nil, nil, time.Now).Of("") }

// A stored transaction shares no memory with what was added or is returned.
func TestTransactionsAreCopies(t *testing.T) {
	all := inMemory()
	handle, err := all.Begin(t.Context(), "begin")
	must(t, err)
	op := transfer(1)
	must(t, all.Add(t.Context(), "add", handle, op))
	op.Fee().Amount = 7
	got, err := all.Get(t.Context(), "get", handle)
	must(t, err)
	got.Operations[0].Fee().Amount = 8
	again, err := all.Get(t.Context(), "get", handle)
	must(t, err)
	if fee := again.Operations[0].Fee().Amount; fee != 0 {
		t.Errorf("the fee became %d from outside", fee)
	}
}

// Fees are set only on the operations that they were computed for.
func TestFeesOfAnotherTransactionAreRefused(t *testing.T) {
	all := inMemory()
	handle, err := all.Begin(t.Context(), "begin")
	must(t, err)
	must(t, all.Add(t.Context(), "add", handle, transfer(1)))
	priced, err := all.Get(t.Context(), "fees", handle)
	must(t, err)
	priced.Operations[0].Fee().Amount = 9
	must(t, all.Add(t.Context(), "add", handle, transfer(2)))
	if err := all.SetFees(t.Context(), "fees", handle, priced.Operations); fault.CodeOf(err) != fault.BadValue {
		t.Error(err)
	}
}

func TestTransactionsAreBounded(t *testing.T) {
	ctx, all := t.Context(), inMemory()
	var handles []uint64
	for range 100 {
		handle, err := all.Begin(ctx, "begin")
		must(t, err)
		handles = append(handles, handle)
	}
	if _, err := all.Begin(ctx, "begin"); fault.CodeOf(err) != fault.LimitExceeded {
		t.Error(err)
	}
	for i := range 256 {
		must(t, all.Add(ctx, "add", handles[0], transfer(int64(i))))
	}
	long := ledger.NewOperation(&ledger.CustomOp{Data: make([]byte, 64<<10)})
	for i, op := range []ledger.Operation{transfer(1), long} {
		if err := all.Add(ctx, "add", handles[i], op); fault.CodeOf(err) != fault.LimitExceeded {
			t.Errorf("transaction %d: %v", i, err)
		}
	}
	for _, err := range []error{all.Replace(ctx, "replace", handles[0], 256, transfer(1)), all.Add(ctx, "add", 100, transfer(1)),
		all.Add(ctx, "add", handles[1], ledger.Operation{Code: 99, Raw: []byte(`[99,{}]`)})} {
		if err == nil {
			t.Error("taken")
		}
	}
	tx, err := all.Get(ctx, "get", handles[0])
	must(t, err)
	if len(tx.Operations) != 256 {
		t.Errorf("%d operations are left", len(tx.Operations))
	}
}

// Whatever was signed does not count against the limit, however much it is, and is forgotten beyond the latest; what is changed
// afterwards counts again. In memory and in a store.
func TestOnlyOpenTransactionsCountAgainstTheLimit(t *testing.T) {
	t.Parallel()
	kept, err := sqlite.Open(filepath.Join(testwallet.Folder(t), "payments.db"))
	must(t, err)
	defer func() { must(t, kept.Close()) }()
	for name, all := range map[string]*handle.Transactions{"memory": handle.New(nil, nil, time.Now), "file": handle.New(kept.Building, nil, time.Now)} {
		for token, most := range map[string]int{"": 100, "a token": 32} {
			own, ctx := all.Of(token), t.Context()
			var signed uint64
			for n := range 150 {
				h, err := own.Begin(ctx, "begin")
				if err != nil {
					t.Fatalf("%s, %q: after %d that were signed: %v", name, token, n, err)
				}
				must(t, own.Add(ctx, "add", h, transfer(1)))
				must(t, own.Stamp(ctx, "sign", h, ledger.Transaction{RefBlockNum: uint16(n), Expiration: 1}))
				signed = h
			}
			open := 0
			for ; open < most; open++ {
				_, err := own.Begin(ctx, "begin")
				must(t, err)
			}
			if _, err := own.Begin(ctx, "begin"); fault.CodeOf(err) != fault.LimitExceeded {
				t.Errorf("%s, %q: %d are open, and another one is %v", name, token, open, err)
			}
			tx, err := own.Get(ctx, "get", signed)
			if err != nil || tx.Expiration != 1 {
				t.Errorf("%s, %q: the latest that was signed is %+v (%v)", name, token, tx, err)
			}
			must(t, own.Add(ctx, "add", signed, transfer(2)))
			if tx, err := own.Get(ctx, "get", signed); err != nil || tx.Expiration != 0 {
				t.Errorf("%s, %q: what was changed is as it was signed: %+v (%v)", name, token, tx, err)
			}
		}
	}
}
