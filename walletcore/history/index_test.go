package history_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/event"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// historyFixture is a wallet with an index that the test fills by calling the filler.
type historyFixture struct {
	*testwallet.Wallet
	path   string
	index  *historyindex.Index
	f      *history.Filler
	events event.Broadcaster // of the filler
	final  uint32            // the highest last irreversible block when a fork dropped blocks
}

// openFixture starts a ledger and a wallet that holds accounts.
func openFixture(t testing.TB, accounts ...string) *historyFixture {
	t.Helper()
	box := testwallet.Ledger(t, sandbox.Options{})
	s := fixtureAt(t, filepath.Join(testwallet.Folder(t), "history.db"), box.URL())
	s.Box = box
	s.Hold(accounts...)
	return s
}

// fixtureAt returns a wallet whose key file is next to the index at path.
func fixtureAt(t testing.TB, path, url string) *historyFixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*testwallet.Patience)
	t.Cleanup(cancel)
	client := daemonclient.New(testwallet.ClientConfig(url))
	s := &historyFixture{Wallet: &testwallet.Wallet{T: t, Ctx: ctx, Client: client}, path: path}
	s.open()
	testwallet.Run(t, client.Run)
	t.Cleanup(func() { _ = s.index.Close() })
	testwallet.Must(t, client.WaitOnline(ctx))
	return s
}

// open opens the wallet and its index, also again after a close.
func (s *historyFixture) open() {
	s.T.Helper()
	var err error
	s.index, err = historyindex.Open(s.path)
	testwallet.Must(s.T, err)
	s.Wallet.Wallet, err = walletcore.Open(walletcore.Config{Path: filepath.Join(filepath.Dir(s.path), "wallet.keys"),
		Keystore: testwallet.CheapKeys(), Daemon: s.Client, Index: s.index, OwnClock: true})
	testwallet.Must(s.T, err)
	s.f = history.NewFiller(s.History, &s.events)
}

func (s *historyFixture) reopen() {
	s.T.Helper()
	testwallet.Must(s.T, s.index.Close())
	s.open()
}

// push adds n payments from alice to bobby to the pending transactions, fifty to a transaction.
func (s *historyFixture) push(n int) {
	s.T.Helper()
	var ops []ledger.Operation
	for i := range n {
		ops = append(ops,
			ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: int64(i + 1)}}))
		if len(ops) == 50 || i == n-1 {
			_, err := s.Box.PushUnsigned(ops...)
			testwallet.Must(s.T, err)
			ops = nil
		}
	}
}

func (s *historyFixture) block() {
	s.T.Helper()
	_, err := s.Box.Mine()
	testwallet.Must(s.T, err)
}

// catchUp reads everything that is left to read.
func (s *historyFixture) catchUp() {
	s.T.Helper()
	testwallet.Must(s.T, s.Client.WaitOnline(s.Ctx))
	s.View.Chain.Forget()
	_, err := s.View.Chain.Head(s.Ctx) // records the position
	testwallet.Must(s.T, err)
	s.f.ReadNew(s.Ctx)
	for s.f.ReadOld(s.Ctx) {
	}
}

// agrees checks that the index has what the daemon returns, row by row.
func (s *historyFixture) agrees() {
	s.T.Helper()
	at, err := s.Client.DynamicGlobalProperties(s.Ctx)
	testwallet.Must(s.T, err)
	for _, a := range s.Own.List() {
		want, err := s.History.Latest(s.Ctx, a.Name, 1_000_000)
		testwallet.Must(s.T, err)
		page, err := s.index.Page(s.Ctx, a.ID, historyindex.Filter{}, historyindex.Window{Limit: 1_000_000})
		testwallet.Must(s.T, err)
		if len(page.Rows) != len(want) || !page.Whole || page.HeadID != at.HeadBlockID || page.Total != uint64(len(want)) {
			s.T.Fatalf("%s: %d rows, the daemon has %d; at %+v, head %d %s", a.Name, len(page.Rows), len(want), page.Status,
				at.HeadBlockNumber, at.HeadBlockID)
		}
		for i, r := range page.Rows {
			if !bytes.Equal(r.Raw, want[i].Op) || r.Seq != uint64(len(want)-i) || r.Final != (r.Block <= page.Final) ||
				page.Final < at.LastIrreversibleBlockNum {
				s.T.Fatalf("%s: row %d is %+v\n%s, the daemon has\n%s", a.Name, i, r, r.Raw, want[i].Op)
			}
		}
		if failure, err := s.index.Check(s.Ctx, a.ID); failure != "" || err != nil {
			s.T.Fatal(failure, err)
		}
	}
}

func TestIndexMatchesTheDaemon(t *testing.T) {
	t.Parallel()
	s := openFixture(t, "alice", "bobby", "carol")
	s.catchUp() // the chain has no blocks
	s.block()
	s.catchUp() // nothing happened yet
	s.agrees()
	s.push(330)
	s.block()
	for range 5 {
		s.block()
	}
	s.f.ReadNew(s.Ctx)
	s.catchUp()
	s.agrees()
	s.reopen()
	s.push(130)
	s.block()
	s.catchUp()
	s.agrees()
}

// A first fill that is interrupted continues where it stopped.
func TestFillingBackwardContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	s := openFixture(t, "alice")
	s.push(1270)
	for range 6 {
		s.block()
	}
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	var rows []uint64
	for more := true; more; {
		s.f.ReadNew(s.Ctx)
		p, err := s.History.Progress(s.Ctx, 16)
		testwallet.Must(t, err)
		rows = append(rows, p.Rows)
		s.reopen()
		more = s.f.ReadOld(s.Ctx)
	}
	if fmt.Sprint(rows) != "[100 1099 1270]" {
		t.Errorf("the rows were %v", rows)
	}
	s.agrees()
}

// After a long absence the new rows are read in parts, and each part is stored.
func TestLongAbsenceIsReadInParts(t *testing.T) {
	t.Parallel()
	s := openFixture(t, "alice")
	s.push(1)
	for range 6 {
		s.block()
	}
	s.catchUp()
	for range 6 {
		s.push(300)
		s.block()
	}
	for range 6 {
		s.block()
	}
	ctx, cancel := context.WithCancel(s.Ctx)
	events, stop := s.events.Subscribe()
	defer stop()
	go func() { // ends the reading after the first part
		<-events
		cancel()
	}()
	s.f.ReadNew(ctx)
	<-ctx.Done()
	if p, err := s.History.Progress(s.Ctx, 16); err != nil || p.Rows < 1000 || p.Rows > 1801 {
		t.Errorf("after the first part: %+v, %v", p, err)
	}
	s.reopen()
	s.catchUp()
	s.agrees()
}

// indexTrials returns the number of runs of a random trial of the index: INDEX_TRIALS if
// that is set (make properties), otherwise usual.
func indexTrials(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("INDEX_TRIALS")); err == nil {
		return n
	}
	return usual
}

// After any sequence of blocks, forks, restarts and broken connections the index has
// what the daemon has.
func TestIndexFollowsForksRestartsAndBrokenConnections(t *testing.T) {
	t.Parallel()
	for n := range indexTrials(1) {
		seed := uint64(time.Now().UnixNano()) + uint64(n)
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { followRandomEvents(t, rand.New(rand.NewPCG(seed, 0))) })
	}
}

func followRandomEvents(t *testing.T, r *rand.Rand) {
	box := testwallet.Ledger(t, sandbox.Options{})
	line := testwallet.RelayTo(t, box.URL())
	s := fixtureAt(t, filepath.Join(testwallet.Folder(t), "history.db"), line.URL)
	s.Box = box
	s.Hold("alice", "bobby")
	s.block()
	for range 30 {
		switch r.IntN(8) {
		case 0, 1:
			s.push(1 + r.IntN(150))
		case 2, 3:
			for range 1 + r.IntN(3) {
				s.block()
			}
		case 4:
			s.fork(r)
		case 5:
			s.reopen()
		case 6: // the connection breaks at some call
			line.Set(func(l *testwallet.Relay) { l.Cut = []string{"history", "header", "dynamic", "objects"}[r.IntN(4)] })
			s.f.ReadNew(s.Ctx)
			s.f.ReadOld(s.Ctx)
			line.Set(func(l *testwallet.Relay) { l.Cut = "" })
		case 7:
			s.f.ReadNew(s.Ctx)
			s.f.ReadOld(s.Ctx)
		}
		if r.IntN(10) == 0 {
			s.catchUp()
			s.agrees()
		}
	}
	s.catchUp()
	s.agrees()
}

// fork replaces blocks that are not irreversible.
func (s *historyFixture) fork(r *rand.Rand) {
	s.T.Helper()
	testwallet.Must(s.T, s.Client.WaitOnline(s.Ctx))
	at, err := s.Client.DynamicGlobalProperties(s.Ctx)
	testwallet.Must(s.T, err)
	s.final = max(s.final, at.LastIrreversibleBlockNum)    // a fork lowers the sandbox's own number
	most := int(at.HeadBlockNumber) - int(max(s.final, 1)) // a chain without blocks is never read
	if most <= 0 {
		return
	}
	_, err = s.Box.Fork(1+r.IntN(most), r.IntN(2) == 0)
	testwallet.Must(s.T, err)
	if r.IntN(3) > 0 {
		s.block()
	}
}

// A ledger that is rewound past its last irreversible block is a different ledger: its
// history is read again.
func TestHistoryThatContradictsFinalRowsIsReadAgain(t *testing.T) {
	s := openFixture(t, "alice")
	s.push(20)
	s.block()
	moment := s.Box.Snapshot()
	s.push(7)
	for range 6 {
		s.block()
	}
	s.catchUp()
	s.agrees()
	testwallet.Must(t, s.Box.Revert(moment))
	s.catchUp()
	if p, err := s.History.Progress(s.Ctx, 16); err != nil || p.Rows != 27 {
		t.Errorf("a daemon that may be behind changed the index: %+v, %v", p, err)
	}
	s.push(3)
	for range 8 {
		s.block()
	}
	s.catchUp()
	s.agrees()
}

func TestHistoryIsReadWithoutADaemon(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	line := testwallet.RelayTo(t, box.URL())
	s := fixtureAt(t, filepath.Join(testwallet.Folder(t), "history.db"), line.URL)
	s.Box = box
	testwallet.Must(t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.push(250)
	s.Pay("alice", "bobby", "2.5", "to bobby")
	for range 6 {
		s.block()
	}
	s.catchUp()
	online, err := s.History.Entries(s.Ctx, 16, 0, 1000)
	testwallet.Must(t, err)
	line.HangUp(true)
	s.reopen()
	for _, part := range []string{"", "-wal"} {
		if file, err := os.ReadFile(s.path + part); err == nil && bytes.Contains(file, []byte("to bobby")) {
			t.Errorf("history.db%s has a memo in plain text", part)
		}
	}
	testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
	for s.Client.Status().State == daemonclient.Online {
		time.Sleep(time.Millisecond) // the end of the connection has no event here
	}
	rows, err := s.History.Entries(s.Ctx, 16, 0, 1000)
	testwallet.Must(t, err)
	if len(rows) != 251 || fmt.Sprint(rows) != fmt.Sprint(online) {
		t.Errorf("%d rows, %d online; the newest is %+v", len(rows), len(online), rows[0])
	}
	if row := rows[0]; row.Sentence != "alice paid 2.50000000 DCT to bobby" || row.Memo != "to bobby" || !row.Final || row.Time == 0 {
		t.Errorf("the newest is %+v", row)
	}
	details, err := s.History.Latest(s.Ctx, "alice", 3)
	if err != nil || len(details) != 3 || details[0].Memo != "to bobby" {
		t.Errorf("in the reference's form: %+v, %v", details, err)
	}
	totals, err := s.History.Totals(s.Ctx, 16, historyindex.Filter{Direction: []historyindex.Direction{historyindex.Out}})
	if err != nil || totals.Rows != 251 || len(totals.Sums) != 1 || totals.Sums[0].Asset.Symbol != "DCT" ||
		totals.Sums[0].Out.Int64() != 250*251/2+2_5000_0000 {
		t.Errorf("the totals are %+v, %v", totals, err)
	}
}
