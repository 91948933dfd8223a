package walletcore

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
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// shelf is a wallet with an index whose filling the test does itself.
type shelf struct {
	*stage
	path  string
	f     *history.Filler
	final uint32 // the highest last irreversible block when blocks were taken back
}

// shelve starts a ledger and a wallet that holds accounts.
func shelve(t testing.TB, accounts ...string) *shelf {
	t.Helper()
	box := ledgerOf(t, sandbox.Options{})
	s := shelfAt(t, filepath.Join(t.TempDir(), "history.db"), box.URL())
	s.box = box
	must(t, s.wallet.Vault.Create(s.ctx, password))
	for _, name := range accounts {
		s.importKey(name, keyOf(name))
	}
	return s
}

// shelfAt is a wallet whose keystore lies next to the index at path.
func shelfAt(t testing.TB, path, url string) *shelf {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*patience)
	t.Cleanup(cancel)
	client := daemonclient.New(daemonclient.Config{URL: url, MinBackoff: time.Millisecond, MaxBackoff: 10 * time.Millisecond})
	s := &shelf{stage: &stage{t: t, ctx: ctx, client: client}, path: path}
	s.open()
	run(t, client.Run)
	t.Cleanup(func() { _ = s.wallet.index.Close() })
	must(t, client.WaitOnline(ctx))
	return s
}

// open opens the wallet, and again after a close.
func (s *shelf) open() {
	s.t.Helper()
	x, err := historyindex.Open(s.path)
	must(s.t, err)
	s.wallet, err = Open(
		Config{Path: filepath.Join(filepath.Dir(s.path), "wallet.keys"), Keystore: cheap(), Daemon: s.client, Index: x, OwnClock: true})
	must(s.t, err)
	s.f = history.NewFiller(s.wallet.History, &s.wallet.events)
}

func (s *shelf) reopen() {
	s.t.Helper()
	must(s.t, s.wallet.index.Close())
	s.open()
}

// push puts n payments of alice to bobby into the pending list, fifty to a transaction.
func (s *shelf) push(n int) {
	s.t.Helper()
	var ops []ledger.Operation
	for i := range n {
		ops = append(ops,
			ledger.NewOperation(&ledger.TransferObsoleteOp{From: 16, To: 17, Amount: ledger.AssetAmount{Amount: int64(i + 1)}}))
		if len(ops) == 50 || i == n-1 {
			_, err := s.box.PushUnsigned(ops...)
			must(s.t, err)
			ops = nil
		}
	}
}

func (s *shelf) block() {
	s.t.Helper()
	_, err := s.box.Mine()
	must(s.t, err)
}

// catchUp reads whatever is left to read.
func (s *shelf) catchUp() {
	s.t.Helper()
	must(s.t, s.client.WaitOnline(s.ctx))
	s.wallet.View.Chain.Forget()
	_, err := s.wallet.View.Chain.Head(s.ctx) // notes the position
	must(s.t, err)
	s.f.Step(s.ctx)
	for s.f.Backward(s.ctx) {
	}
}

// agrees checks that the index has what the daemon says, row by row.
func (s *shelf) agrees() {
	s.t.Helper()
	at, err := s.client.DynamicGlobalProperties(s.ctx)
	must(s.t, err)
	for _, a := range s.wallet.Own.List() {
		want, err := s.wallet.History.Latest(s.ctx, a.Name, 1_000_000)
		must(s.t, err)
		page, err := s.wallet.index.Page(s.ctx, a.ID, historyindex.Filter{}, historyindex.Window{Limit: 1_000_000})
		must(s.t, err)
		if len(page.Rows) != len(want) || !page.Whole || page.HeadID != at.HeadBlockID || page.Total != uint64(len(want)) {
			s.t.Fatalf("%s: %d rows, the daemon has %d; at %+v, head %d %s", a.Name, len(page.Rows), len(want), page.Standing,
				at.HeadBlockNumber, at.HeadBlockID)
		}
		for i, r := range page.Rows {
			if !bytes.Equal(r.Raw, want[i].Op) || r.Seq != uint64(len(want)-i) || r.Final != (r.Block <= page.Final) ||
				page.Final < at.LastIrreversibleBlockNum {
				s.t.Fatalf("%s: row %d is %+v\n%s, the daemon says\n%s", a.Name, i, r, r.Raw, want[i].Op)
			}
		}
		if failure, err := s.wallet.index.Check(s.ctx, a.ID); failure != "" || err != nil {
			s.t.Fatal(failure, err)
		}
	}
}

func TestIndexHasWhatTheDaemonSays(t *testing.T) {
	t.Parallel()
	s := shelve(t, "alice", "bobby", "carol")
	s.catchUp() // the chain has no block
	s.block()
	s.catchUp() // nothing happened yet
	s.agrees()
	s.push(330)
	s.block()
	for range 5 {
		s.block()
	}
	s.f.Step(s.ctx)
	s.catchUp()
	s.agrees()
	s.reopen()
	s.push(130)
	s.block()
	s.catchUp()
	s.agrees()
}

// A first fill that is broken off anywhere goes on where it was.
func TestFillingBackwardGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	s := shelve(t, "alice")
	s.push(1270)
	for range 6 {
		s.block()
	}
	must(t, s.client.WaitOnline(s.ctx))
	var rows []uint64
	for more := true; more; {
		s.f.Step(s.ctx)
		p, err := s.wallet.History.Progress(s.ctx, 16)
		must(t, err)
		rows = append(rows, p.Rows)
		s.reopen()
		more = s.f.Backward(s.ctx)
	}
	if fmt.Sprint(rows) != "[100 1099 1270]" {
		t.Errorf("the rows were %v", rows)
	}
	s.agrees()
}

// What was not followed for long is read in parts, each of which counts.
func TestLongAbsenceIsReadInParts(t *testing.T) {
	t.Parallel()
	s := shelve(t, "alice")
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
	ctx, cancel := context.WithCancel(s.ctx)
	events, stop := s.wallet.Subscribe()
	defer stop()
	go func() { // ends the step after the first part
		<-events
		cancel()
	}()
	s.f.Step(ctx)
	<-ctx.Done()
	if p, err := s.wallet.History.Progress(s.ctx, 16); err != nil || p.Rows < 1000 || p.Rows > 1801 {
		t.Errorf("after the first part: %+v, %v", p, err)
	}
	s.reopen()
	s.catchUp()
	s.agrees()
}

// indexTrials is how often a random trial of the index runs: usually few times,
// INDEX_TRIALS times where that is set (make properties).
func indexTrials(usual int) int {
	if n, err := strconv.Atoi(os.Getenv("INDEX_TRIALS")); err == nil {
		return n
	}
	return usual
}

// Whatever blocks, forks, starts and broken lines come, in the end the index
// has what the daemon says, and never takes back what was final.
func TestIndexFollowsForksStartsAndBrokenLines(t *testing.T) {
	t.Parallel()
	for n := range indexTrials(1) {
		seed := uint64(time.Now().UnixNano()) + uint64(n)
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { followAnything(t, rand.New(rand.NewPCG(seed, 0))) })
	}
}

func followAnything(t *testing.T, r *rand.Rand) {
	box := ledgerOf(t, sandbox.Options{})
	line := relayTo(t, box.URL())
	s := shelfAt(t, filepath.Join(t.TempDir(), "history.db"), line.url)
	s.box = box
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.importKey("alice", keyOf("alice"))
	s.importKey("bobby", keyOf("bobby"))
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
		case 6: // the line breaks at some question
			line.set(func(l *relay) { l.cut = []string{"history", "header", "dynamic", "objects"}[r.IntN(4)] })
			s.f.Step(s.ctx)
			s.f.Backward(s.ctx)
			line.set(func(l *relay) { l.cut = "" })
		case 7:
			s.f.Step(s.ctx)
			s.f.Backward(s.ctx)
		}
		if r.IntN(10) == 0 {
			s.catchUp()
			s.agrees()
		}
	}
	s.catchUp()
	s.agrees()
}

// fork takes blocks back that are not irreversible.
func (s *shelf) fork(r *rand.Rand) {
	s.t.Helper()
	must(s.t, s.client.WaitOnline(s.ctx))
	at, err := s.client.DynamicGlobalProperties(s.ctx)
	must(s.t, err)
	s.final = max(s.final, at.LastIrreversibleBlockNum)    // with the blocks, it goes back too
	most := int(at.HeadBlockNumber) - int(max(s.final, 1)) // a chain without blocks is never read
	if most <= 0 {
		return
	}
	_, err = s.box.Fork(1+r.IntN(most), r.IntN(2) == 0)
	must(s.t, err)
	if r.IntN(3) > 0 {
		s.block()
	}
}

// A ledger that goes back behind its last irreversible block is another ledger:
// its history is read anew.
func TestHistoryThatContradictsFinalRowsIsReadAnew(t *testing.T) {
	s := shelve(t, "alice")
	s.push(20)
	s.block()
	moment := s.box.Snapshot()
	s.push(7)
	for range 6 {
		s.block()
	}
	s.catchUp()
	s.agrees()
	must(t, s.box.Revert(moment))
	s.catchUp()
	if p, err := s.wallet.History.Progress(s.ctx, 16); err != nil || p.Rows != 27 {
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
	box := ledgerOf(t, sandbox.Options{})
	line := relayTo(t, box.URL())
	s := shelfAt(t, filepath.Join(t.TempDir(), "history.db"), line.url)
	s.box = box
	must(t, s.wallet.Vault.Create(s.ctx, password))
	s.importKey("alice", keyOf("alice"))
	s.push(250)
	s.pay("alice", "bobby", "2.5", "to bobby")
	for range 6 {
		s.block()
	}
	s.catchUp()
	online, err := s.wallet.History.Entries(s.ctx, 16, 0, 1000)
	must(t, err)
	line.hangUp(true)
	s.reopen()
	for _, part := range []string{"", "-wal"} {
		if file, err := os.ReadFile(s.path + part); err == nil && bytes.Contains(file, []byte("to bobby")) {
			t.Errorf("history.db%s has a memo in plain text", part)
		}
	}
	must(t, s.wallet.Vault.Unlock(s.ctx, password))
	for s.client.Status().State == daemonclient.Online {
		time.Sleep(time.Millisecond) // the line's end has no event of its own here
	}
	rows, err := s.wallet.History.Entries(s.ctx, 16, 0, 1000)
	must(t, err)
	if len(rows) != 251 || fmt.Sprint(rows) != fmt.Sprint(online) {
		t.Errorf("%d rows, %d online; the newest is %+v", len(rows), len(online), rows[0])
	}
	if row := rows[0]; row.Sentence != "alice paid 2.50000000 DCT to bobby" || row.Memo != "to bobby" || !row.Final || row.Time == 0 {
		t.Errorf("the newest is %+v", row)
	}
	details, err := s.wallet.History.Latest(s.ctx, "alice", 3)
	if err != nil || len(details) != 3 || details[0].Memo != "to bobby" {
		t.Errorf("as the reference answers: %+v, %v", details, err)
	}
	tally, err := s.wallet.History.Totals(s.ctx, 16, historyindex.Filter{Direction: []historyindex.Direction{historyindex.Out}})
	if err != nil || tally.Rows != 251 || len(tally.Sums) != 1 || tally.Sums[0].Asset.Symbol != "DCT" ||
		tally.Sums[0].Out.Int64() != 250*251/2+2_5000_0000 {
		t.Errorf("the tally is %+v, %v", tally, err)
	}
}
