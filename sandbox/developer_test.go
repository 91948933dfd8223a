package sandbox

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"billfold/ledger"
)

// dev makes a call of the developer's set that must succeed.
func (c *client) dev(v any, method string, args ...any) {
	c.t.Helper()
	c.get(v, "sandbox", method, args...)
}

func TestDeveloperCallsWorkByNameAndByPrefixOnBothTransports(t *testing.T) {
	s := start(t, Options{Genesis: readGenesisFile(t)})
	c := dial(t, s)
	var ids []ledger.BlockID
	c.get(&ids, "sandbox_api", "mine", 3)
	if len(ids) != 3 || ids[2] != s.head().HeadBlockID {
		t.Errorf("mine gave %v, the head is %s", ids, s.head().HeadBlockID)
	}
	c.get(&ids, 0, "sandbox_mine", 2)
	if got := post(t, s, `{"id":1,"method":"sandbox_mine","params":[1]}`); !strings.Contains(got, `["00000006`) {
		t.Errorf("over HTTP mine gave %s", got)
	}
	if got := post(t, s, `{"id":1,"method":"call","params":["sandbox","info",[]]}`); !strings.Contains(got, `"head_block_number":6`) {
		t.Errorf("info says %s", got)
	}
	c.refused(51, "sandbox", "nope")
	c.refused(51, 0, "sandbox_nope")
	c.refused(51, 1, "sandbox_mine", 1)
	c.refused(0, "sandbox", "mine", maxMined+1)
}

func TestClockIsSetAndJumps(t *testing.T) {
	clock := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{Genesis: readGenesisFile(t), Now: func() time.Time { return clock }})
	c := dial(t, s)
	mine(t, s)
	var at ledger.Time
	c.dev(&at, "jump", 86400)
	mine(t, s)
	if want := "2026-11-21T12:00:00"; s.head().Time.String() != want || at.String() != want {
		t.Errorf("a day later it is %s, said %s", s.head().Time, at)
	}
	c.dev(nil, "set_time", "2030-01-01T00:00:00")
	mine(t, s)
	mine(t, s)
	if want := "2030-01-01T00:00:01"; s.head().Time.String() != want {
		t.Errorf("it is %s, want %s", s.head().Time, want)
	}
	if e := c.refused(0, "sandbox", "set_time", "2029-01-01T00:00:00"); !strings.Contains(e.Message, "give a later time") {
		t.Errorf("the refusal says %s", e.Message)
	}
}

func TestBlockTimeChangesWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := New(Options{BlockTime: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- s.Run(ctx) }()
		defer func() { cancel(); <-done }()
		mined := func(wait time.Duration) uint32 {
			before := s.head().HeadBlockNumber
			time.Sleep(wait)
			synctest.Wait()
			return s.head().HeadBlockNumber - before
		}
		synctest.Wait()
		if n := mined(10*time.Second + time.Millisecond); n != 5 {
			t.Errorf("%d blocks in 10 s, want 5", n)
		}
		_ = s.SetBlockTime(5 * time.Second)
		if n := mined(10*time.Second + time.Millisecond); n != 2 {
			t.Errorf("%d blocks in 10 s, want 2", n)
		}
		s.StopBlocks(true)
		if n := mined(time.Hour); n != 0 {
			t.Errorf("%d blocks while stopped", n)
		}
		s.ClearFaults()
		if n := mined(10*time.Second + time.Millisecond); n != 2 {
			t.Errorf("%d blocks after going on, want 2", n)
		}
		if err := s.SetBlockTime(-1); err == nil {
			t.Error("a negative block time was taken")
		}
	})
}

func TestFundPaysWithoutAKeyAndKeepsTheSupply(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	carol := c.account("carol").ID
	before := c.balance(carol)
	first, second := ledger.TransactionID{}, ledger.TransactionID{}
	c.dev(&first, "fund", "carol", "12.5", "DCT")
	c.dev(&second, "fund", carol.String(), "12.5", "DCT")
	if first == second {
		t.Error("two payments have one id")
	}
	if got := c.balance(carol) - before; got != 25_0000_0000 {
		t.Errorf("carol got %d", got)
	}
	var b ledger.Block
	c.get(&b, 0, "get_block", mine(t, s).Num())
	if len(b.TransactionIDs) != 2 || b.TransactionIDs[0] != first {
		t.Errorf("the block has %v", b.TransactionIDs)
	}
	var list []ledger.HistoryRecord
	c.get(&list, "history", "get_account_history", carol, "1.7.0", 1, "1.7.0")
	if op, ok := list[0].Op.Body.(*ledger.TransferOp); !ok || op.From != ledger.NullAccount {
		t.Errorf("the newest record is %+v", list[0])
	}
	c.refused(209, "sandbox", "fund", "nobody-here", "1", "DCT")
	c.refused(0, "sandbox", "fund", "carol", "1", "NOPE")
	c.refused(0, "sandbox", "fund", "carol", "0.000000001", "DCT")
	c.refused(10, "sandbox", "fund", "carol", "70000000", "DCT")
}

func TestPushNeedsNoSignatureButAllOtherRules(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s)
	alice, bobby := c.account("alice").ID, c.account("bobby").ID
	before := c.balance(bobby)
	op := ledger.NewOperation(&ledger.TransferOp{From: alice, To: bobby.Object(), Amount: ledger.AssetAmount{Amount: 7}})
	c.dev(nil, "push", []ledger.Operation{op})
	if got := c.balance(bobby) - before; got != 7 {
		t.Errorf("bobby got %d", got)
	}
	op.Body.(*ledger.TransferOp).Amount.Amount = 1e17
	c.refused(10, "sandbox", "push", []ledger.Operation{op})
	c.refused(412, "sandbox", "push", []ledger.Operation{})
}

func TestRevertBringsBackStateAndClock(t *testing.T) {
	clock := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s := start(t, Options{Genesis: readGenesisFile(t), Now: func() time.Time { return clock }})
	c := dial(t, s)
	mine(t, s)
	c.dev(nil, "fund", "nathan", "1", "DCT")
	before := everything(t, s)
	var id, later uint64
	c.dev(&id, "snapshot")
	c.dev(nil, "jump", 5000)
	c.dev(nil, "mine", 3)
	c.dev(&later, "snapshot")
	c.dev(nil, "fund", "init0", "1", "DCT")
	c.dev(nil, "revert", id)
	if after := everything(t, s); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
	if got := s.clock.offset(); got != 0 {
		t.Errorf("the clock is still moved by %s", got)
	}
	c.refused(0, "sandbox", "revert", later)
}

// everything returns all that a client can see of a ledger.
func everything(t *testing.T, s *Sandbox) string {
	t.Helper()
	session := s.server.newPost()
	var all strings.Builder
	for _, call := range []string{
		`"get_dynamic_global_properties","params":[]`, `"get_global_properties","params":[]`,
		`"get_full_accounts","params":[["nathan","null-account","init0"],false]`, `"get_real_supply","params":[]`,
		`"get_objects","params":[["2.3.0","2.5.16","1.7.0","2.8.1","2.19.0"]]`, `"get_blocks","params":[1,20]`,
		`"sandbox_info","params":[]`,
	} {
		all.Write(session.reply([]byte(`{"id":1,"method":` + call + `}`)))
		all.WriteByte('\n')
	}
	return all.String()
}

func TestForkOverTheWire(t *testing.T) {
	s := startDemo(t, Options{})
	c := dial(t, s).enable()
	alice, bobby := c.account("alice").ID, c.account("bobby").ID
	c.dev(nil, "mine", 1)
	head := s.head()
	tx := c.pay(DemoKeys()[0].Key, &ledger.TransferObsoleteOp{From: alice, To: bobby, Amount: ledger.AssetAmount{Amount: 5}})
	c.get(nil, "network_broadcast", "broadcast_transaction", tx)
	old := mine(t, s)
	var out forked
	c.dev(&out, "fork", 1, true)
	if out.HeadBlockNumber != head.HeadBlockNumber || len(out.Dropped) != 0 {
		t.Errorf("got %+v", out)
	}
	id, _ := tx.ID()
	if now := mine(t, s); now == old || now.Num() != old.Num() {
		t.Errorf("the block is %s again", now)
	}
	var got json.RawMessage
	c.get(&got, 0, "get_transaction_by_id", id)
	if string(got) == "null" {
		t.Error("the transaction is lost")
	}
	c.dev(&out, "fork", 1, false)
	mine(t, s)
	c.get(&got, 0, "get_transaction_by_id", id)
	if string(got) != "null" {
		t.Errorf("the transaction is still there: %s", got)
	}
	c.refused(0, "sandbox", "fork", 5000, true)
}
