package walletcore

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
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// These tell the test binary to be a wallet that fills the index at a path until
// it is killed.
const (
	fillPath = "BILLFOLD_TEST_FILL_PATH"
	fillURL  = "BILLFOLD_TEST_FILL_URL"
)

// TestFillUntilKilled is the other process of the test below.
func TestFillUntilKilled(t *testing.T) {
	path := os.Getenv(fillPath)
	if path == "" {
		t.Skip("it is run by TestIndexSurvivesBeingKilled")
	}
	s := shelfAt(t, path, os.Getenv(fillURL))
	for s.ctx.Err() == nil {
		s.f.Step(s.ctx)
		os.Stdout.WriteString("\nfilling\n")
		s.f.Backward(s.ctx)
	}
}

func TestIndexSurvivesBeingKilled(t *testing.T) {
	t.Parallel()
	s := shelve(t, "alice", "bobby")
	seed := uint64(time.Now().UnixNano())
	r := rand.New(rand.NewPCG(seed, 0))
	t.Log("seed", seed)
	kills := indexTrials(1)
	s.push(1000 + 200*kills)
	for range 5 {
		s.block()
	}
	must(t, s.wallet.index.Close())
	var kept []uint64
	for range kills {
		s.fillAndKill(1+r.IntN(3), time.Duration(r.IntN(20))*time.Millisecond)
		s.push(r.IntN(150))
		s.block()
		if r.IntN(2) == 0 {
			s.fork(r)
		}
		x, err := historyindex.Open(s.path)
		must(t, err)
		for _, id := range []ledger.AccountID{16, 17} {
			if failure, err := x.Check(s.ctx, id); failure != "" || err != nil {
				t.Fatal(failure, err)
			}
		}
		at, err := x.Standing(s.ctx, 16)
		must(t, err)
		kept = append(kept, at.Top+1-max(at.Bottom, 1))
		if x.Notice() != "" {
			t.Fatal(x.Notice())
		}
		must(t, x.Close())
	}
	t.Log("rows after each kill:", kept)
	s.open()
	s.catchUp()
	s.agrees()
}

// fillAndKill lets another process begin that many steps, and a while longer.
func (s *shelf) fillAndKill(steps int, after time.Duration) {
	s.t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestFillUntilKilled$", "-test.v")
	cmd.Env = append(os.Environ(), fillPath+"="+s.path, fillURL+"="+s.box.URL())
	out, err := cmd.StdoutPipe()
	must(s.t, err)
	must(s.t, cmd.Start())
	for lines := bufio.NewScanner(out); steps > 0 && lines.Scan(); {
		if lines.Text() == "filling" {
			steps--
		}
	}
	time.Sleep(after) // at a random point of its work
	must(s.t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed, that is its error
	if steps > 0 {
		s.t.Fatal("the other process ended by itself")
	}
}

// The running wallet fills the index by itself, and goes back with the chain.
func TestRunningWalletKeepsTheIndex(t *testing.T) {
	t.Parallel()
	box := ledgerOf(t, sandbox.Options{})
	dir := t.TempDir()
	x, err := historyindex.Open(filepath.Join(dir, "history.db"))
	must(t, err)
	s := connect(t, filepath.Join(dir, "wallet.keys"), box.URL(), func(c *Config) { c.Index = x })
	t.Cleanup(func() { _ = x.Close() }) // after the wallet ran
	s.box = box
	must(t, s.client.WaitOnline(s.ctx))
	s.hold("alice", "bobby")
	s.payOften(450)
	for range 4 {
		s.mine()
	}
	rows := func(n uint64) func() bool {
		return func() bool {
			p, err := s.wallet.History.Progress(s.ctx, 17)
			must(t, err)
			return p.Rows == n && p.Whole
		}
	}
	s.until("the whole index", rows(450))
	s.payOften(7)
	s.until("new rows", rows(457))
	_, err = box.Fork(1, false)
	must(t, err)
	_, err = box.Mine()
	must(t, err)
	s.until("the fork", rows(450))
	page, err := s.wallet.History.Page(s.ctx, 17, historyindex.Filter{Min: 100, Max: 102}, historyindex.Window{Limit: 10})
	if err != nil || len(page) != 3 || page[0].Amount != 102 || page[0].Direction != history.In || page[0].With.Name != "alice" {
		t.Errorf("the rows of 100 to 102 are %+v, %v", page, err)
	}
	n, err := s.wallet.History.Position(s.ctx, 17, historyindex.Filter{}, page[0].ID)
	if err != nil || n != 450-102 {
		t.Errorf("payment 102 is at %d, %v", n, err)
	}
	p, found, err := s.wallet.History.Jump(s.ctx, 17, historyindex.Filter{}, page[0].Time)
	if err != nil || !found || p.Position != 0 {
		t.Errorf("at the time of all payments there is %+v %v, %v", p, found, err)
	}
	if n, err := s.wallet.History.Count(s.ctx, 17,
		historyindex.Filter{Direction: []historyindex.Direction{historyindex.Out}}); err != nil ||
		n != 0 {
		t.Errorf("bobby paid %d times, %v", n, err)
	}
}
