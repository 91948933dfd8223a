package walletcore_test

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"billfold/walletcore"
	"billfold/walletcore/deposit"
	"billfold/walletcore/fault"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/payment"
	"billfold/walletcore/store"
	"billfold/walletcore/store/sqlite"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// queueFixture is a wallet with bobby's key, and a deposit queue for it.
type queueFixture struct {
	*testing.T
	*testwallet.Wallet
	walker *walker
	index  *historyindex.Index // nil = none
	path   string
	kept   *store.Store
	queue  *deposit.Queue
}

func newQueue(t *testing.T) *queueFixture {
	t.Helper()
	return newQueueOn(t, nil)
}

func newQueueOn(t *testing.T, index *historyindex.Index) *queueFixture {
	t.Helper()
	on := testwallet.New(t, func(cfg *walletcore.Config) { cfg.Index = index })
	on.Hold("alice", "bobby")
	s := &queueFixture{T: t, Wallet: on, walker: &walker{Reader: on.History}, index: index,
		path: filepath.Join(testwallet.Folder(t), "the store.db")}
	s.open()
	t.Cleanup(func() { must(t, s.kept.Close()) })
	s.mine(1)
	return s
}

func (s *queueFixture) pay(amount, memo string) {
	s.Helper()
	_, err := s.Wallet.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "bobby", Amount: amount, Asset: "DCT", Memo: memo},
			txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	must(s, err)
}

// mine produces n blocks and waits until the wallet and its index have seen the last
// of them, and the wallet has proven what they prove.
func (s *queueFixture) mine(n int) {
	s.Helper()
	var num uint32
	for range n {
		id, err := s.Box.Mine()
		must(s, err)
		num = id.Num()
	}
	const lag = 2 // blocks from the last irreversible one to the head, on the demo ledger
	s.until(func() bool {
		at := s.Wallet.Status()
		return at.Head >= num && (num <= 2*lag || at.Irreversible+lag >= num) && s.indexed(num)
	})
}

func (s *queueFixture) until(ok func() bool) {
	s.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.Fatal("it never came to that")
		}
	}
}

func (s *queueFixture) restart() {
	s.Helper()
	must(s, s.kept.Close())
	s.open()
}

func (s *queueFixture) open() {
	s.Helper()
	kept, err := sqlite.Open(s.path)
	must(s, err)
	s.kept, s.queue = kept, deposit.New(kept.Cursors, s.sources())
}

func (s *queueFixture) next(limit uint32) []deposit.Deposit {
	s.Helper()
	list, err := s.queue.Next(s.Ctx, "bobby", limit)
	must(s, err)
	return list
}

func (s *queueFixture) ack(p deposit.Position) bool {
	s.Helper()
	moved, err := s.queue.Ack(s.Ctx, "bobby", p.String(), false)
	must(s, err)
	return moved
}

// clear acknowledges the deposits that the demo ledger starts with.
func (s *queueFixture) clear() {
	s.Helper()
	s.mine(5)
	if list := s.next(1000); len(list) > 0 {
		s.ack(list[len(list)-1].Position)
	}
	if list := s.next(10); len(list) != 0 {
		s.Fatalf("left: %+v", list)
	}
}

func TestDepositIsListedOnceIrreversible(t *testing.T) {
	s := newQueue(t)
	s.clear()
	s.pay("12.25", "order 77")
	s.mine(1)
	if list := s.next(10); len(list) != 0 {
		t.Errorf("listed while it can still be taken back: %+v", list)
	}
	s.mine(5)
	list := s.next(10)
	if len(list) != 1 {
		t.Fatalf("%d deposits are listed", len(list))
	}
	d := list[0]
	if sent, err := s.Wallet.Payments.List(s.Ctx, 1); err != nil || d.TransactionID == nil || *d.TransactionID != sent[0].TransactionID {
		t.Errorf("it is in transaction %v, and was sent as %+v (%v)", d.TransactionID, sent, err)
	}
	if d.Amount != "1225000000" || d.Memo != "order 77" || d.MemoStatus != "decrypted" || d.From != "alice" ||
		d.AssetID.String() != "1.3.0" ||
		d.Account != "bobby" {
		t.Errorf("%+v", d)
	}
	if again := s.next(10); len(again) != 1 || !reflect.DeepEqual(again[0], d) {
		t.Errorf("asked again, it is %+v", again)
	}
	if out, err := s.queue.Next(s.Ctx, "alice", 1000); err != nil {
		t.Error(err)
	} else {
		for _, o := range out {
			if o.BlockNum == d.BlockNum {
				t.Errorf("what alice paid is listed as a deposit: %+v", o)
			}
		}
	}
}

func TestAcknowledgedDepositsAreNotListedAgain(t *testing.T) {
	bothWays(t, acknowledgedDepositsStayAway)
}

func acknowledgedDepositsStayAway(s *queueFixture) {
	s.clear()
	for i := range 5 {
		s.pay(fmt.Sprint(i+1), "")
		if i%2 == 1 {
			s.mine(1)
		}
	}
	s.mine(6)
	first := s.next(2)
	if len(first) != 2 || first[0].Amount != "100000000" || first[1].Amount != "200000000" {
		s.Fatalf("the oldest two are %+v", first)
	}
	if !s.ack(first[1].Position) || s.ack(first[1].Position) || s.ack(first[0].Position) {
		s.Error("a position was acknowledged twice, or not at all")
	}
	s.restart()
	rest := s.next(10)
	if len(rest) != 3 || rest[0].Amount != "300000000" || rest[2].Amount != "500000000" {
		s.Errorf("the rest is %+v", rest)
	}
	s.ack(rest[2].Position)
	s.restart()
	if list := s.next(10); len(list) != 0 {
		s.Errorf("they came back: %+v", list)
	}
}

// More deposits than a page of history, several of them in one block.
func TestManyDepositsComeInOrderAndOnce(t *testing.T) { bothWays(t, manyDepositsComeInOrderAndOnce) }

func manyDepositsComeInOrderAndOnce(s *queueFixture) {
	s.clear()
	const n = 130 // more than a page of the daemon's history
	for i := range n {
		s.pay(fmt.Sprintf("0.%08d", i+1), "")
		if i%40 == 39 {
			s.mine(1)
		}
	}
	s.mine(6)
	want := 1
	for list := s.next(33); len(list) > 0; list = s.next(33) {
		for _, d := range list {
			if d.Amount != fmt.Sprint(want) {
				s.Fatalf("deposit %d is %+v", want, d)
			}
			want++
		}
		s.ack(list[len(list)-1].Position)
	}
	if want != n+1 {
		s.Errorf("%d of %d deposits came", want-1, n)
	}
}

// A deposit that a fork removes was never listed. Another account pays here, since the
// wallet would send its own payment again.
func TestForkRemovesNoListedDeposit(t *testing.T) { bothWays(t, aForkTakesNothingBack) }

func aForkTakesNothingBack(s *queueFixture) {
	s.clear()
	_, err := s.Box.Fund("bobby", "2", "DCT")
	must(s, err)
	s.mine(6)
	if list := s.next(10); len(list) != 1 || list[0].Amount != "200000000" {
		s.Fatalf("without a fork it is %+v", list)
	}
	s.ack(s.next(10)[0].Position)
	_, err = s.Box.Fund("bobby", "1", "DCT")
	must(s, err)
	s.mine(1)
	_, err = s.Box.Fork(1, false)
	must(s, err)
	s.mine(7)
	if list := s.next(10); len(list) != 0 {
		s.Errorf("listed though it did not happen: %+v", list)
	}
}

// Acknowledging a position that is not a deposit of the account, such as another account's or a
// guessed one, would lose all deposits before it.
func TestInvalidPositionLosesNoDeposits(t *testing.T) { bothWays(t, aPositionThatIsNoDeposit) }

func aPositionThatIsNoDeposit(s *queueFixture) {
	s.clear()
	s.pay("1", "")
	s.pay("2", "")
	s.mine(1)
	s.payCarol()
	s.pay("3", "")
	s.mine(6)
	listed := s.next(10)
	if len(listed) != 3 {
		s.Fatalf("%d deposits are listed", len(listed))
	}
	last, second := listed[2].Position, listed[1].Position
	for name, p := range map[string]deposit.Position{
		"of carol":              {Block: last.Block, Trx: last.Trx - 1},
		"the next operation":    {Block: second.Block, Trx: second.Trx, Op: 1},
		"a virtual one":         {Block: second.Block, Trx: second.Trx, Virtual: 1},
		"the next transaction":  {Block: second.Block, Trx: second.Trx + 1},
		"a block later":         {Block: last.Block + 1},
		"the block without all": {Block: last.Block, Trx: math.MaxUint32, Op: math.MaxUint32, Virtual: math.MaxUint32},
	} {
		if moved, err := s.queue.Ack(s.Ctx, "bobby", p.String(), false); fault.CodeOf(err) != fault.BadParameter || moved {
			s.Errorf("%s: %v, %v", name, moved, err)
		}
	}
	if left := s.next(10); len(left) != 3 {
		s.Errorf("left: %+v", left)
	}
	if !s.ack(second) || s.ack(deposit.Position{Block: 1}) {
		s.Error("what was listed is not acknowledged, or what is behind it is, again")
	}
	if left := s.next(10); len(left) != 1 || !reflect.DeepEqual(left[0], listed[2]) {
		s.Errorf("left: %+v", left)
	}
}

// payCarol makes alice pay carol.
func (s *queueFixture) payCarol() {
	s.Helper()
	_, err := s.Wallet.Payments.Spend(
		s.Ctx,
		txbuild.NewRequest("transfer", txbuild.TransferParams{From: "alice", To: "carol", Amount: "1", Asset: "DCT"}, txbuild.Transfer),
		payment.Sending{Broadcast: true},
	)
	must(s, err)
}

func TestLockedWalletMarksMemosAsLocked(t *testing.T) {
	s := newQueue(t)
	s.clear()
	s.pay("1", "order 78")
	s.mine(6)
	s.Wallet.Vault.Lock()
	if list := s.next(10); len(list) != 1 || list[0].MemoStatus != "locked" || list[0].Memo != "" {
		t.Errorf("%+v", list)
	}
	must(t, s.Wallet.Vault.Unlock(s.Ctx, "correct horse"))
	if list := s.next(10); len(list) != 1 || list[0].Memo != "order 78" {
		t.Errorf("%+v", list)
	}
}

func TestInvalidAcknowledgementsAreRefused(t *testing.T) {
	s := newQueue(t)
	s.pay("1", "")
	s.mine(6)
	list := s.next(1000)
	if moved, err := s.queue.Ack(s.Ctx, "carol", list[len(list)-1].Position.String(), false); fault.CodeOf(err) != fault.BadParameter || moved {
		t.Errorf("a deposit of bobby is acknowledged for carol: %v, %v", moved, err)
	}
	for _, text := range []string{"", "5", "1.7.5", "1.2.3.4.5", "-1.0.0.0", "01.0.0.0", "4294967296.0.0.0", "4000000000.0.0.0"} {
		if moved, err := s.queue.Ack(s.Ctx, "bobby", text, false); fault.CodeOf(err) != fault.BadParameter || moved {
			t.Errorf("%q: %v, %v", text, moved, err)
		}
	}
	if _, err := s.queue.Ack(s.Ctx, "nobody-here", "1.0.0.0", false); fault.CodeOf(err) != fault.NoSuchAccount {
		t.Error(err)
	}
	for _, limit := range []uint32{0, 1000 + 1} {
		if _, err := s.queue.Next(s.Ctx, "bobby", limit); fault.CodeOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "pass how many to list at once") {
			t.Error(err)
		}
	}
}

func FuzzParsePosition(f *testing.F) {
	for _, text := range []string{"1234.0.0.0", "0.0.0.0", "4294967295.1.2.3", "1.2.3", "+1.0.0.0", "1.0.0.0 "} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, err := deposit.ParsePosition(text); err == nil && p.String() != text {
			t.Errorf("%q is read as %v", text, p)
		}
	})
}

// sources returns the wallet's sources, with the walks through the history counted.
func (s *queueFixture) sources() deposit.Sources {
	return deposit.Sources{Accounts: s.Wallet.View.Accounts, History: s.walker, Prover: s.Wallet.Deposits, Chain: s.Wallet.View.Chain}
}

// What was acknowledged is listed again from a position: books may be lost.
func TestDepositsAreListedAgainFromAPosition(t *testing.T) {
	s := newQueue(t)
	s.clear()
	for _, amount := range []string{"1", "2", "3"} {
		s.pay(amount, "")
		s.mine(1)
	}
	s.mine(5)
	all := s.next(10)
	if len(all) != 3 {
		t.Fatalf("%d deposits are listed", len(all))
	}
	s.ack(all[2].Position)
	for from, want := range map[deposit.Position][]deposit.Deposit{all[0].Position: all[1:], all[2].Position: {}} {
		if got, err := s.queue.Since(s.Ctx, "bobby", from.String(), 10); err != nil || len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("after %s: %+v (%v)", from, got, err)
		}
	}
	if got, err := s.queue.Since(s.Ctx, "bobby", "0.0.0.0", 1); err != nil || len(got) != 1 || got[0].Position.Compare(all[0].Position) > 0 {
		t.Errorf("the first of all: %+v (%v)", got, err)
	}
	for position, limit := range map[string]uint32{"somewhere": 1, all[0].Position.String(): 0} {
		if _, err := s.queue.Since(s.Ctx, "bobby", position, limit); fault.CodeOf(err) != fault.BadParameter && fault.CodeOf(err) != fault.LimitExceeded {
			t.Errorf("%s, %d: %v", position, limit, err)
		}
	}
}

// Deposits that only a locked memo assigns to somebody are not acknowledged unread, unless that is asked for.
func TestUnreadDepositsAreNotAcknowledged(t *testing.T) {
	s := newQueue(t)
	s.clear()
	s.pay("1", "")
	s.mine(1)
	s.pay("2", "order 78")
	s.mine(1)
	s.pay("3", "")
	s.mine(6)
	list := s.next(10)
	if len(list) != 3 {
		t.Fatalf("%d deposits are listed", len(list))
	}
	s.Wallet.Vault.Lock()
	if !s.ack(list[0].Position) {
		t.Error("one without memo is not acknowledged")
	}
	for _, d := range list[1:] {
		if moved, err := s.queue.Ack(s.Ctx, "bobby", d.Position.String(), false); fault.CodeOf(err) != fault.Locked || moved {
			t.Errorf("%s: %v, %v", d.Position, moved, err)
		}
	}
	if left := s.next(10); len(left) != 2 || left[0].MemoStatus != "locked" {
		t.Errorf("left: %+v", left)
	}
	if moved, err := s.queue.Ack(s.Ctx, "bobby", list[2].Position.String(), true); err != nil || !moved {
		t.Errorf("asked for: %v, %v", moved, err)
	}
}
