package sandbox

import (
	"testing"
	"time"

	"billfold/ledger"

	"go.uber.org/goleak"
)

// TestMain leaves out the half second that net/http waits for a client that it hung up on.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

func mine(t *testing.T, s *Sandbox) ledger.BlockID {
	t.Helper()
	id, err := s.Mine()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (c *client) account(name string) *ledger.Account {
	c.t.Helper()
	var a *ledger.Account
	c.get(&a, 0, "get_account_by_name", name)
	if a == nil {
		c.t.Fatalf("no account %s", name)
	}
	return a
}

func (c *client) balance(id ledger.AccountID) int64 {
	c.t.Helper()
	var b []ledger.AssetAmount
	c.get(&b, 0, "get_account_balances", id, []any{ledger.CoreAsset})
	return b[0].Amount
}

func TestTransferReachesBlockAndBothHistories(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	alice, bobby := c.account("alice"), c.account("bobby")
	before := c.balance(bobby.ID)
	key := DemoKeys()[0].Key
	memo, err := ledger.EncryptMemo(key, bobby.Options.MemoKey, 7, "for the test")
	if err != nil {
		t.Fatal(err)
	}
	op := &ledger.TransferObsoleteOp{From: alice.ID, To: bobby.ID, Amount: ledger.AssetAmount{Amount: 123}, Memo: &memo}
	tx := c.sign([]ledger.PrivateKey{key}, op)
	c.get(nil, "network_broadcast", "broadcast_transaction", tx)
	block := mine(t, s)

	if got := c.balance(bobby.ID); got != before+123 {
		t.Errorf("bobby has %d, want %d", got, before+123)
	}
	for _, id := range []ledger.AccountID{alice.ID, bobby.ID} {
		var list []ledger.HistoryRecord
		c.get(&list, "history", "get_account_history", id, "1.7.0", 1, "1.7.0")
		if len(list) != 1 || list[0].BlockNum != block.Num() || list[0].Op.Body.(*ledger.TransferObsoleteOp).Amount.Amount != 123 {
			t.Errorf("the newest record of %s is %+v", id, list)
		}
	}
	var b ledger.Block
	c.get(&b, 0, "get_block", block.Num())
	id, _ := tx.ID()
	if len(b.TransactionIDs) != 1 || b.TransactionIDs[0] != id || b.BlockID != block {
		t.Errorf("the block has %v, id %s", b.TransactionIDs, b.BlockID)
	}
}

func TestDemoShowsBalancesAndReadableMemosAtOnce(t *testing.T) {
	s := startDemo(t, Options{})
	c := dial(t, s).enable()
	for _, demo := range s.Demo() {
		account := c.account(demo.Account)
		if account.Active.HasKey(demo.Key.Public()) == false {
			t.Errorf("the key of %s is another one", demo.Account)
		}
		var list []ledger.HistoryRecord
		c.get(&list, "history", "get_account_history", account.ID, "1.7.0", 100, "1.7.0")
		if len(list) < 5 {
			t.Errorf("%s has only %d records", demo.Account, len(list))
		}
		for _, r := range list {
			if _, err := r.Op.Body.(*ledger.TransferObsoleteOp).Memo.Decrypt(demo.Key); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
	}
	var head ledger.DynamicGlobalProperties
	c.get(&head, 0, "get_dynamic_global_properties")
	t.Logf("head block %d of %s", head.HeadBlockNumber, head.Time)
}

// Blocks that come faster than one a second have times that run ahead of the
// clock; a wallet has to be told, or it takes that for a lie.
func TestALedgerThatRunsAheadSaysSo(t *testing.T) {
	box, err := New(Options{Listen: "127.0.0.1:0", BlockTime: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if box.server.node.Identity.OwnClock() {
		t.Error("it runs ahead before it has a block")
	}
	for range 8 {
		if _, err := box.Mine(); err != nil {
			t.Fatal(err)
		}
	}
	if !box.server.node.Identity.OwnClock() {
		t.Error("eight blocks in no time, and it says that it follows the clock")
	}
}
