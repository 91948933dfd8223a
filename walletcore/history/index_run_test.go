package history_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
	"billfold/walletcore/testwallet"
)

// These variables make the test binary a wallet that fills the index at a path until
// it is killed.
const (
	fillPath = "BILLFOLD_TEST_FILL_PATH"
	fillURL  = "BILLFOLD_TEST_FILL_URL"
)

// TestFillUntilKilled is the process that the test below kills.
func TestFillUntilKilled(t *testing.T) {
	path := os.Getenv(fillPath)
	if path == "" {
		t.Skip("TestIndexSurvivesBeingKilled runs it")
	}
	s := fixtureAt(t, path, os.Getenv(fillURL))
	for s.Ctx.Err() == nil {
		s.f.ReadNew(s.Ctx)
		os.Stdout.WriteString("\nfilling\n")
		s.f.ReadOld(s.Ctx)
	}
}

func TestIndexSurvivesBeingKilled(t *testing.T) {
	t.Parallel()
	s := openFixture(t, "alice", "bobby")
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	kills := indexTrials(1)
	s.push(1000 + 200*kills)
	for range 5 {
		s.block()
	}
	testwallet.Must(t, s.index.Close())
	var kept []uint64
	for range kills {
		s.fillAndKill(1+r.IntN(3), time.Duration(r.IntN(20))*time.Millisecond)
		s.push(r.IntN(150))
		s.block()
		if r.IntN(2) == 0 {
			s.fork(r)
		}
		x, err := historyindex.Open(s.path)
		testwallet.Must(t, err)
		for _, id := range []ledger.AccountID{16, 17} {
			if failure, err := x.Check(s.Ctx, id); failure != "" || err != nil {
				t.Fatal(failure, err)
			}
		}
		at, err := x.Status(s.Ctx, 16)
		testwallet.Must(t, err)
		kept = append(kept, at.Top+1-max(at.Bottom, 1))
		if x.Notice() != "" {
			t.Fatal(x.Notice())
		}
		testwallet.Must(t, x.Close())
	}
	t.Log("rows after each kill:", kept)
	s.open()
	s.catchUp()
	s.agrees()
}

// fillAndKill starts another process that fills the index, and kills it a while after it began that many steps.
func (s *historyFixture) fillAndKill(steps int, after time.Duration) {
	s.T.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFillUntilKilled$", "-test.v")
	cmd.Env = append(os.Environ(), fillPath+"="+s.path, fillURL+"="+s.Box.URL())
	out, err := cmd.StdoutPipe()
	testwallet.Must(s.T, err)
	testwallet.Must(s.T, cmd.Start())
	for lines := bufio.NewScanner(out); steps > 0 && lines.Scan(); {
		if lines.Text() == "filling" {
			steps--
		}
	}
	time.Sleep(after) // at a random point of its work
	testwallet.Must(s.T, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed, that is its error
	if steps > 0 {
		s.T.Fatal("the other process ended before it was killed")
	}
}

// A running wallet fills the index, and follows the chain through a fork.
func TestRunningWalletMaintainsTheIndex(t *testing.T) {
	t.Parallel()
	box := testwallet.Ledger(t, sandbox.Options{})
	dir := testwallet.Folder(t)
	x, err := historyindex.Open(filepath.Join(dir, "history.db"))
	testwallet.Must(t, err)
	s := testwallet.Connect(t, filepath.Join(dir, "wallet.keys"), box.URL(), func(c *walletcore.Config) { c.Index = x })
	t.Cleanup(func() { _ = x.Close() }) // after the wallet ran
	s.Box = box
	testwallet.Must(t, s.Client.WaitOnline(s.Ctx))
	s.Hold("alice", "bobby")
	s.Mine()
	payOften(s, 450)
	for range 4 {
		s.Mine()
	}
	rows := func(n uint64) func() bool {
		return func() bool {
			p, err := s.History.Progress(s.Ctx, 17)
			testwallet.Must(t, err)
			return p.Rows == n && p.Whole
		}
	}
	s.Until("the whole index", rows(450))
	payOften(s, 7)
	s.Until("new rows", rows(457))
	_, err = box.Fork(1, false)
	testwallet.Must(t, err)
	_, err = box.Mine()
	testwallet.Must(t, err)
	s.Until("the fork", rows(450))
	page, err := s.History.Page(s.Ctx, 17, historyindex.Filter{Min: 100, Max: 102}, historyindex.Window{Limit: 10})
	if err != nil || len(page) != 3 || page[0].Amount != 102 || page[0].Direction != history.In || page[0].With.Name != "alice" {
		t.Errorf("the rows of 100 to 102 are %+v, %v", page, err)
	}
	n, err := s.History.Position(s.Ctx, 17, historyindex.Filter{}, page[0].ID)
	if err != nil || n != 450-102 {
		t.Errorf("payment 102 is at %d, %v", n, err)
	}
	p, found, err := s.History.Jump(s.Ctx, 17, historyindex.Filter{}, page[0].Time)
	if err != nil || !found || p.Position != 0 {
		t.Errorf("at the time of all payments there is %+v %v, %v", p, found, err)
	}
	if n, err := s.History.Count(s.Ctx, 17,
		historyindex.Filter{Direction: []historyindex.Direction{historyindex.Out}}); err != nil ||
		n != 0 {
		t.Errorf("bobby paid %d times, %v", n, err)
	}
}
