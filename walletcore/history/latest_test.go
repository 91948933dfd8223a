package history_test

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// indexed is a wallet with an index of alice's history, and a reader of the same history without the index.
type indexed struct {
	*testwallet.Wallet
	relay     *testwallet.Relay
	unindexed *history.Reader
}

func openIndexed(t testing.TB) *indexed {
	t.Helper()
	x, err := historyindex.Open(filepath.Join(testwallet.Folder(t), "history.db"))
	must(t, err)
	t.Cleanup(func() { _ = x.Close() })
	box := testwallet.Ledger(t, sandbox.Options{})
	relay := testwallet.RelayTo(t, box.URL())
	s := &indexed{relay: relay}
	s.Wallet = testwallet.On(t, box, relay.URL, func(c *walletcore.Config) { c.Index = x })
	s.Hold("alice")
	s.Mine()
	s.unindexed = history.NewReader(history.Config{View: s.View, Vault: s.Vault, Daemon: s.Client})
	return s
}

// calls counts the calls to the daemon while do runs, except those that the filler makes with each
// block and every few seconds.
func (s *indexed) calls(do func()) int {
	s.T.Helper()
	by, all := s.relay.Calls(do)
	for _, own := range []string{"get_dynamic_global_properties", "get_objects", "get_relative_account_history", "get_block_header"} {
		all -= by[own]
	}
	return all
}

// pay makes n payments with memos from alice to bobby.
func (s *indexed) pay(n int) {
	s.T.Helper()
	for range n {
		s.Pay("alice", "bobby", "0.001", "memo here")
	}
}

// mine produces blocks and waits until the wallet has the last as its head.
func (s *indexed) mine(blocks int) (head ledger.BlockID) {
	s.T.Helper()
	for range blocks {
		var err error
		head, err = s.Box.Mine()
		must(s.T, err)
	}
	s.wait("the wallet to see the block", func() bool { return s.Client.Status().Head == head })
	return head
}

// indexHead waits until the index has read the head block, and all but the last few blocks are proven.
func (s *indexed) indexHead(head ledger.BlockID) {
	s.T.Helper()
	s.wait("the index to have the block", func() bool {
		p, err := s.History.Progress(s.Ctx, alice)
		must(s.T, err)
		return p.Head == head.Num() && s.View.Chain.Proven()+4 > head.Num()
	})
}

// wait polls until done: not everything that the tests wait for has an event.
func (s *indexed) wait(what string, done func() bool) {
	s.T.Helper()
	for !done() {
		if s.Ctx.Err() != nil {
			s.T.Fatal("waited in vain for " + what)
		}
		time.Sleep(time.Millisecond)
	}
}

const alice = ledger.AccountID(16)

func (s *indexed) latest(r *history.Reader, limit int32) []history.Detail {
	s.T.Helper()
	rows, err := r.Latest(s.Ctx, "alice", limit)
	must(s.T, err)
	return rows
}

// agrees compares the rows with what the daemon returns now.
func (s *indexed) agrees(limits ...int32) {
	s.T.Helper()
	for _, limit := range limits {
		got, want := s.latest(s.History, limit), s.latest(s.unindexed, limit)
		if !reflect.DeepEqual(got, want) {
			s.T.Errorf("limit %d: %d rows, want %d as the daemon returns them", limit, len(got), len(want))
		}
		if limit > 100 {
			continue
		}
		for _, part := range [][2]uint32{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {5, 20}} {
			got, err := s.History.Relative(s.Ctx, "alice", part[0], limit, part[1])
			must(s.T, err)
			want, err := s.unindexed.Relative(s.Ctx, "alice", part[0], limit, part[1])
			must(s.T, err)
			if !reflect.DeepEqual(got, want) {
				s.T.Errorf("limit %d from %d down to %d: %d rows, want %d as the daemon returns them", limit, part[1], part[0], len(got), len(want))
			}
		}
	}
}

func TestHistoryOfOwnAccountsTakesNoCall(t *testing.T) {
	s := openIndexed(t)
	s.pay(30)
	s.indexHead(s.mine(6))
	s.agrees(0, 1, 10, 29, 30, 100, 300, 5)
	s.latest(s.History, 100)
	n := s.calls(func() {
		for range 20 {
			if rows := s.latest(s.History, 30); len(rows) != 30 || rows[29].Memo != "memo here" {
				t.Fatalf("%d rows: %+v", len(rows), rows)
			}
		}
	})
	if n != 0 {
		t.Errorf("20 pages took %d calls", n)
	}
	by, _ := s.relay.Calls(func() {
		for range 20 {
			if rows, err := s.History.Relative(s.Ctx, "alice", 0, 30, 0); err != nil || len(rows) != 30 {
				t.Fatal(len(rows), err)
			}
		}
	})
	if calls := by["get_relative_account_history"]; calls > 5 { // the filler makes such calls now and then
		t.Errorf("20 pages by the account's count took %d calls", calls)
	}
}

// While the index has not read the head block, one call reads what is above the last irreversible
// block.
func TestHistoryAboveTheIndexTakesOneCall(t *testing.T) {
	s := openIndexed(t)
	s.pay(30)
	s.indexHead(s.mine(6))
	s.Box.DelayMethod("get_objects", time.Hour) // which the filler calls first
	s.pay(3)
	s.mine(1)
	s.agrees(1, 3, 4, 30, 100)
	s.latest(s.History, 100)
	n := s.calls(func() {
		for range 20 {
			if rows := s.latest(s.History, 32); len(rows) != 32 {
				t.Fatalf("%d rows", len(rows))
			}
		}
	})
	if n > 20 {
		t.Errorf("20 pages took %d calls", n)
	}
}

// If that one call fails, the page fails: what is above the index is not left out silently.
func TestHistoryAboveTheIndexIsNotLeftOut(t *testing.T) {
	s := openIndexed(t)
	s.pay(3)
	s.indexHead(s.mine(6))
	s.Box.DelayMethod("get_objects", time.Hour)
	s.mine(1)
	s.Box.DelayMethod("get_account_history", time.Hour)
	ctx, cancel := context.WithTimeout(s.Ctx, 50*time.Millisecond)
	defer cancel()
	if rows, err := s.History.Latest(ctx, "alice", 3); err == nil {
		t.Errorf("without an answer the history is %+v", rows)
	}
}

// A page with more new rows than the daemon returns at once is read entirely from the daemon.
func TestHistoryOfManyNewRows(t *testing.T) {
	s := openIndexed(t)
	s.pay(120)
	s.indexHead(s.mine(6))
	s.Box.DelayMethod("get_objects", time.Hour)
	s.pay(110)
	s.mine(1)
	s.agrees(50, 100, 105, 110, 115, 230, 300)
}

// After a fork the daemon is asked at once for the rows that changed; irreversible rows stay.
func TestHistoryFollowsAFork(t *testing.T) {
	s := openIndexed(t)
	s.pay(5)
	s.indexHead(s.mine(6))
	s.pay(2)
	s.indexHead(s.mine(1))
	s.agrees(1, 7, 100)
	s.Box.DelayMethod("get_objects", time.Hour)
	_, err := s.Box.Fork(1, false)
	must(t, err)
	s.mine(1)
	s.agrees(1, 5, 7, 100)
	if rows := s.latest(s.History, 100); len(rows) < 5 {
		t.Errorf("%d rows are left", len(rows))
	}
}

// Decrypted memos are cached only while the wallet is unlocked.
func TestDecryptedMemosAreWipedWithTheKeys(t *testing.T) {
	s := openIndexed(t)
	s.pay(5)
	s.indexHead(s.mine(6))
	s.agrees(5)
	if n := s.History.CachedDetails(); n != 5 {
		t.Fatalf("%d rows are cached, want 5", n)
	}
	s.Vault.Lock()
	if n := s.History.CachedDetails(); n != 0 {
		t.Errorf("%d rows are cached in a locked wallet", n)
	}
	for _, row := range s.latest(s.History, 5) {
		if row.Memo != "" || !strings.HasSuffix(row.Description, " -- Unlock wallet to see memo.") {
			t.Errorf("a locked wallet shows %+v", row)
		}
	}
	must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	s.agrees(5)
}

func BenchmarkLatest(b *testing.B) {
	s := openIndexed(b)
	s.pay(100)
	s.indexHead(s.mine(6))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if rows, err := s.History.Latest(s.Ctx, "alice", 100); err != nil || len(rows) != 100 {
				b.Error(len(rows), err)
			}
		}
	})
}

// Before the first connection it is unknown what the daemon has above the index, so the daemon must be asked.
func TestIndexIsNotUsedBeforeTheFirstConnection(t *testing.T) {
	s := openIndexed(t)
	s.pay(1)
	s.indexHead(s.mine(1))
	client := daemonclient.New(daemonclient.Config{URL: s.relay.URL})
	early := history.NewReader(history.Config{View: s.View, Vault: s.Vault, Daemon: client, Index: s.History.Index})
	if rows, err := early.Latest(s.Ctx, "alice", 10); fault.CodeOf(err) != fault.DaemonAway {
		t.Errorf("it returned %d rows, %v", len(rows), err)
	}
}
