package chain

import (
	"fmt"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"

	"pgregory.net/rapid"
)

func marshal(t testing.TB, v any) string {
	text, err := codec.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The core asset neither appears nor vanishes, whatever is tried; a refused
// transaction changes nothing; and what is mined is what was pending.
func TestSupplyIsConservedAndRefusalsChangeNothing(t *testing.T) {
	g := readGenesis(t)
	rapid.Check(t, func(r *rapid.T) {
		b := newTrialBank(t, g)
		keys := map[ledger.AccountID]ledger.PrivateKey{nathanID: b.nathan, init0ID: b.init, init1ID: b.init}
		accounts := []ledger.AccountID{nathanID, init0ID, init1ID}
		for range rapid.IntRange(1, 10).Draw(r, "steps") {
			from := rapid.SampledFrom(accounts).Draw(r, "from")
			to := rapid.SampledFrom(append(accounts, 999)).Draw(r, "to")
			amount := rapid.OneOf(rapid.Int64Range(-1, 10), rapid.Int64Range(0, 2e15), rapid.Int64()).Draw(r, "amount")
			op := pay(from, to, amount)
			op.Fee.Amount = rapid.SampledFrom([]int64{0, 1, 100000, 5_0000_0000}).Draw(r, "fee")
			bodies := []ledger.Body{op}
			if rapid.Bool().Draw(r, "two") {
				bodies = append(bodies, pay(from, init0ID, rapid.Int64Range(1, 1e15).Draw(r, "second")))
			}
			before := b.snapshot()
			if fault := b.push([]ledger.PrivateKey{keys[from]}, bodies...); fault != nil && b.snapshot() != before {
				r.Fatalf("%v changed the state", fault)
			}
			if rapid.Bool().Draw(r, "mine") {
				checkBlockKeepsBalances(r, b)
			}
			checkSupply(r, b)
		}
	})
}

func checkBlockKeepsBalances(r *rapid.T, b *bank) {
	before := fmt.Sprint(b.balance(nathanID), b.balance(init0ID), b.balance(init1ID))
	waiting := len(b.c.pending)
	if got := len(b.mine().Transactions); got != waiting {
		r.Fatalf("%d transactions in the block, %d were pending", got, waiting)
	}
	if after := fmt.Sprint(b.balance(nathanID), b.balance(init0ID), b.balance(init1ID)); before != after {
		r.Fatalf("the block changed balances from %s to %s", before, after)
	}
}

func checkSupply(r *rapid.T, b *bank) {
	b.c.View(func(s *state.State) {
		core, supply := s.Assets.Data(0), s.RealSupply()
		if sum := supply.AccountBalances + supply.VestingBalances + supply.Pools + core.AssetPool; sum != core.CurrentSupply ||
			sum != genesis.InitialSupply {
			r.Fatalf("balances %d, pools %d and fees %d are not the supply %d", supply.AccountBalances, supply.Pools, core.AssetPool,
				core.CurrentSupply)
		}
		for _, row := range s.Balances.All() {
			if row.Balance < 0 {
				r.Fatalf("%s is negative", row.ID)
			}
		}
	})
}

func TestSameInputGivesTheSameIDs(t *testing.T) {
	run := func() ledger.BlockID {
		b := newBank(t)
		b.register("alice", ledger.SingleKeyAuthority(keyOf("alice").Public()))
		b.fund(17)
		return b.mine().BlockID
	}
	if first, second := run(), run(); first != second {
		t.Errorf("the same calls gave %s and %s", first, second)
	}
}

func TestFeeInAnotherAssetComesOutOfItsPool(t *testing.T) {
	b := newBank(t)
	gold := b.c.s.Assets.Add(ledger.Asset{Symbol: "GOLDX", Precision: 4, Issuer: nathanID, Options: ledger.AssetOptions{
		MaxSupply: 1_000_0000, IsExchangeable: true,
		CoreExchangeRate: ledger.Price{Base: ledger.AssetAmount{Amount: 100000000}, Quote: ledger.AssetAmount{Amount: 7, AssetID: 1}},
	}})
	b.c.s.Assets.ChangeData(gold, func(d *state.AssetData) { d.CurrentSupply += 1000 })
	b.c.s.Balances.Adjust(nathanID, gold, 1000)
	b.c.s.Commit()
	var fee ledger.AssetAmount
	op := pay(nathanID, init0ID, 1)
	b.c.View(func(s *state.State) {
		var err error
		if fee, err = evaluate.RequiredFee(s, ledger.NewOperation(op), s.Assets.Get(gold)); err != nil || fee.Amount != 1 ||
			fee.AssetID != gold {
			t.Errorf("the fee is %+v (%v)", fee, err)
		}
	})
	op.Fee = fee
	nathan := []ledger.PrivateKey{b.nathan}
	b.refused(b.push(nathan, op), nodeerr.CodeAssert, "core_fee_paid <= core_pool")
	b.c.s.Balances.Adjust(nathanID, 0, -50_0000_0000)
	b.c.s.Assets.ChangeData(gold, func(d *state.AssetData) { d.CorePool = 50_0000_0000 })
	b.c.s.Commit()
	b.must(b.push(nathan, op))
	b.c.View(func(s *state.State) {
		worth := int64(100000000 / 7)
		if d := s.Assets.Data(1); d.AssetPool != 1 || d.CorePool != 50_0000_0000-worth || s.Assets.Data(0).AssetPool != worth {
			t.Errorf("the pools are %+v and %+v", d, s.Assets.Data(0))
		}
	})
}

func TestHistoryPagesAsTheNodeDoes(t *testing.T) {
	b := newBank(t)
	for i := range int64(10) {
		b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, i+1)))
	}
	b.mine()
	ids := func(list []*ledger.HistoryRecord) (out []ledger.HistoryID) {
		for _, h := range list {
			out = append(out, h.ID)
		}
		return out
	}
	b.c.View(func(s *state.State) {
		for _, c := range []struct {
			name string
			got  []*ledger.HistoryRecord
			want string
		}{
			{"newest", s.History.Page(nathanID, 0, 3, 0), "[1.7.9 1.7.8 1.7.7]"},
			{"all, with the first", s.History.Page(nathanID, 0, 100, 0), "[1.7.9 1.7.8 1.7.7 1.7.6 1.7.5 1.7.4 1.7.3 1.7.2 1.7.1 1.7.0]"},
			{"between", s.History.Page(nathanID, 3, 100, 6), "[1.7.6 1.7.5 1.7.4]"},
			{"other side", s.History.Page(init0ID, 7, 100, 0), "[1.7.9 1.7.8]"},
			{"nobody", s.History.Page(init1ID, 0, 100, 0), "[]"},
			{"relative", s.History.Relative(nathanID, 0, 2, 0), "[1.7.9 1.7.8]"},
			{"relative between", s.History.Relative(nathanID, 5, 10, 7), "[1.7.6 1.7.5 1.7.4]"},
		} {
			if got := fmt.Sprint(ids(c.got)); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
		}
		if st := s.Accounts.Statistics(16); st.TotalOps != 10 || st.MostRecentOp != ledger.NewObjectID(2, 8, 19) {
			t.Errorf("the statistics are %+v", st)
		}
	})
}
