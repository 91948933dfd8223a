package chain

import (
	"fmt"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"

	"pgregory.net/rapid"
)

// snapshot writes down every object, so that two states can be compared.
func (b *bank) snapshot() string {
	var out strings.Builder
	b.c.View(func(s *State) {
		fmt.Fprint(&out, marshal(b.t, s.global), marshal(b.t, s.dynamic), s.names, s.symbols, len(s.byKey), len(s.byMember), len(s.byTx))
		for _, rows := range []any{
			s.accounts.rows, s.statistics.rows, s.assets.rows, s.assetData.rows, s.balances.rows,
			s.miners.rows, s.history.rows, s.perAccount.rows, s.txs.rows,
			s.details.rows, s.nfts.rows, s.nftData.rows, s.messages.rows, s.subscriptions.rows, s.vesting.rows, s.permissions.rows,
			s.proposals.rows, s.budgets.rows, s.schedule, s.expiring,
		} {
			fmt.Fprintln(&out, marshal(b.t, rows))
		}
		fmt.Fprint(&out, s.holdings, s.ops, s.pendingIDs, s.byMember)
		fmt.Fprint(&out, s.detailsOf, s.detailsOfNFT, s.nftBySymbol, s.nftSymbols, s.tokensOf, s.tokensHeld, s.messagesFrom, s.messagesTo,
			s.subscriptionOf, s.subscribed, s.subscribers, s.renewals, s.vestingOf)
	})
	return out.String()
}

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
	b.c.View(func(s *State) {
		core, supply := s.AssetData(0), s.RealSupply()
		if sum := supply.AccountBalances + supply.VestingBalances + supply.Pools + core.AssetPool; sum != core.CurrentSupply || sum != initialSupply {
			r.Fatalf("balances %d, pools %d and fees %d are not the supply %d", supply.AccountBalances, supply.Pools, core.AssetPool, core.CurrentSupply)
		}
		for _, row := range s.balances.rows {
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
	gold := b.c.s.addAsset(ledger.Asset{Symbol: "GOLDX", Precision: 4, Issuer: nathanID, Options: ledger.AssetOptions{
		MaxSupply: 1_000_0000, IsExchangeable: true,
		CoreExchangeRate: ledger.Price{Base: ledger.AssetAmount{Amount: 100000000}, Quote: ledger.AssetAmount{Amount: 7, AssetID: 1}},
	}})
	b.must(b.c.s.give(nathanID, gold, 1000))
	b.c.s.j.forget()
	var fee ledger.AssetAmount
	op := pay(nathanID, init0ID, 1)
	b.c.View(func(s *State) {
		var err error
		if fee, err = s.RequiredFee(ledger.NewOperation(op), s.Asset(gold)); err != nil || fee.Amount != 1 || fee.AssetID != gold {
			t.Errorf("the fee is %+v (%v)", fee, err)
		}
	})
	op.Fee = fee
	nathan := []ledger.PrivateKey{b.nathan}
	b.refused(b.push(nathan, op), nodeerr.CodeAssert, "core_fee_paid <= core_pool")
	b.must(b.c.s.adjust(nathanID, 0, -50_0000_0000))
	b.c.s.assetData.change(uint64(gold), func(d *AssetData) { d.CorePool = 50_0000_0000 })
	b.c.s.j.forget()
	b.must(b.push(nathan, op))
	b.c.View(func(s *State) {
		worth := int64(100000000 / 7)
		if d := s.AssetData(1); d.AssetPool != 1 || d.CorePool != 50_0000_0000-worth || s.AssetData(0).AssetPool != worth {
			t.Errorf("the pools are %+v and %+v", d, s.AssetData(0))
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
	b.c.View(func(s *State) {
		for _, c := range []struct {
			name string
			got  []*ledger.HistoryRecord
			want string
		}{
			{"newest", s.History(nathanID, 0, 3, 0), "[1.7.9 1.7.8 1.7.7]"},
			{"all, with the first", s.History(nathanID, 0, 100, 0), "[1.7.9 1.7.8 1.7.7 1.7.6 1.7.5 1.7.4 1.7.3 1.7.2 1.7.1 1.7.0]"},
			{"between", s.History(nathanID, 3, 100, 6), "[1.7.6 1.7.5 1.7.4]"},
			{"other side", s.History(init0ID, 7, 100, 0), "[1.7.9 1.7.8]"},
			{"nobody", s.History(init1ID, 0, 100, 0), "[]"},
			{"relative", s.RelativeHistory(nathanID, 0, 2, 0), "[1.7.9 1.7.8]"},
			{"relative between", s.RelativeHistory(nathanID, 5, 10, 7), "[1.7.6 1.7.5 1.7.4]"},
		} {
			if got := fmt.Sprint(ids(c.got)); got != c.want {
				t.Errorf("%s: got %s, want %s", c.name, got, c.want)
			}
		}
		if st := s.Statistics(16); st.TotalOps != 10 || st.MostRecentOp != accountHistoryID(19) {
			t.Errorf("the statistics are %+v", st)
		}
	})
}
