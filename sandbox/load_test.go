package sandbox

import (
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain"
)

// Many clients pay, read and listen while blocks are made; nothing is lost and
// nothing is made up.
func TestManyClientsAtOnceLoseNothing(t *testing.T) {
	const clients, payments = 12, 10
	s := start(t, Options{BlockTime: 20 * time.Millisecond})
	setup := dial(t, s).enable()
	alice, bobby := setup.account("alice").ID, setup.account("bobby").ID
	before := setup.balance(bobby)
	var all sync.WaitGroup
	for i := range clients {
		c := dial(t, s).enable()
		all.Go(func() {
			for n := range payments {
				op := &ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: int64(i*payments + n + 1)}}
				a := c.call("network_broadcast", "broadcast_transaction", c.pay(DemoKeys()[0].Key, op))
				if a.Error != nil {
					t.Errorf("client %d: %s", i, a.Error.Message)
				}
				c.balance(bobby)
			}
		})
	}
	all.Wait()
	mine(t, s)
	const total = clients * payments * (clients*payments + 1) / 2
	if got := setup.balance(bobby) - before; got != total {
		t.Errorf("bobby received %d, want %d", got, total)
	}
	var list []ledger.HistoryRecord
	setup.get(&list, "history", "get_relative_account_history", bobby, 0, 100, 0)
	if len(list) != 100 {
		t.Errorf("%d records on the first page", len(list))
	}
	s.chain.View(func(st *chain.State) {
		sum, core, d := st.RealSupply(), st.AssetData(0), st.Dynamic()
		real := sum.AccountBalances + sum.VestingBalances + sum.Pools
		if real+core.AssetPool+d.UnspentFeeBudget != core.CurrentSupply+d.MinerBudgetFromFees+d.MinedRewards {
			t.Errorf("the supply is %+v, %+v and %+v", sum, core, d)
		}
	})
}
