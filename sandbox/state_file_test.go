package sandbox

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/state"
)

// open makes a sandbox on the state file, for the time of the test.
func open(t *testing.T, o Options) *Sandbox {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestStateSurvivesARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s := open(t, Options{State: path})
	for _, do := range []func() error{
		func() error { _, err := s.Fund("carol", "3", "DCT"); return err },
		func() error { _, err := s.Mine(); return err },
		func() error { s.Jump(48 * time.Hour); _, err := s.Mine(); return err },
		func() error { _, err := s.Mine(); return err },
		func() error { _, err := s.Fork(1, true); return err },
		func() error { _, err := s.Fund("bobby", "4", "DCT"); return err },
		func() error { _, err := s.Mine(); return err },
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	before, chainID := visible(t, s), s.ChainID()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	again := open(t, Options{State: path})
	if again.ChainID() != chainID || len(again.Demo()) == 0 || again.CutOff() != 0 {
		t.Errorf("it is the chain %s, demo %v, %d bytes cut", again.ChainID(), again.Demo(), again.CutOff())
	}
	if after := visible(t, again); after != before {
		t.Errorf("the state was\n%s\nand is\n%s", before, after)
	}
	mine(t, again)
	if head := again.head(); head.Time < ledger.TimeOf(time.Now().Add(47*time.Hour)) {
		t.Errorf("the clock fell back to %s", head.Time)
	}
}

// Every kind of operation that was recorded comes out of the file again.
func TestRecordedSessionComesOutOfTheStateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	var before string
	t.Run("recorded", func(t *testing.T) {
		sc := newScenario(t, path)
		for _, x := range readWalletCases(t) {
			for i := range x.Daemon {
				if call := &x.Daemon[i]; call.Method == "broadcast_transaction" && call.Error == nil {
					tx := call.transaction(t)
					sc.mineTo(uint32(tx.RefBlockNum))
					sc.wallet.get(nil, call.Set, call.Method, sc.current(&tx))
				}
			}
		}
		sc.mineTo(54)
		before = visible(t, sc.s)
	})
	again := open(t, Options{State: path, MinerKeys: recordedKeys(t)})
	if after := visible(t, again); after != before {
		t.Errorf("the state was\n%s\nand is\n%s", short(before), short(after))
	}
}

// visible is all but the pending transactions and the clock.
func visible(t *testing.T, s *Sandbox) (text string) {
	t.Helper()
	s.chain.View(func(st *state.State) {
		for num := uint32(1); st.Blocks.Get(num) != nil; num++ {
			block, _ := codec.Marshal(st.Blocks.Get(num))
			text += string(block) + "\n"
		}
		for n := range st.Accounts.Count() {
			id := ledger.AccountID(n)
			row, _ := codec.Marshal(
				[]any{st.Accounts.Get(id), st.Balances.OfAccount(id), st.Accounts.Statistics(ledger.AccountStatisticsID(n))})
			text += string(row) + "\n"
		}
		dynamic, _ := codec.Marshal(st.Dynamic())
		text += string(dynamic)
	})
	return text
}

func TestStateOfAnotherChainOrVersionIsRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "state")
	s := open(t, Options{State: path})
	if _, err := New(Options{State: path}); err == nil || !strings.Contains(err.Error(), "in use by another sandbox") {
		t.Errorf("a second sandbox on the file: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(Options{State: path, Genesis: readGenesisFile(t)}); err == nil ||
		!strings.Contains(err.Error(), "leave the genesis out") {
		t.Errorf("another genesis: %v", err)
	}
	changed := func(edit func([]byte) []byte) string {
		if err := os.WriteFile(path, edit(bytes.Clone(whole)), 0o600); err != nil {
			t.Fatal(err)
		}
		given, _ := os.ReadFile(path)
		box, err := New(Options{State: path})
		if err == nil {
			_ = box.Close()
			return "nothing"
		}
		if left, _ := os.ReadFile(path); !bytes.Equal(left, given) {
			t.Errorf("%v: the file was changed", err)
		}
		return err.Error()
	}
	for want, edit := range map[string]func([]byte) []byte{
		"not a sandbox state of this version": func(b []byte) []byte { b[len(stateMagic)-2] = '2'; return b },
		"damaged at byte":                     func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"a checksum is wrong":                 func(b []byte) []byte { b[len(b)-30] ^= 1; return b }, // in the last record
		"the length of a record is wrong":     func(b []byte) []byte { b[len(stateMagic)+2] ^= 1; return b },
		"cut short: it ends after 9 bytes":    func(b []byte) []byte { return b[:9] },
		"before its ledger begins":            func(b []byte) []byte { return b[:len(stateMagic)+300] },
		"unknown kind":                        func(b []byte) []byte { return appendRecord(b, 'Z', nil) },
		"cannot be replayed":                  func(b []byte) []byte { return appendRecord(b, recordBlock, []byte("x")) },
		"nothing":                             func(b []byte) []byte { return b },
	} {
		if got := changed(edit); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("want %q, got %q", want, got)
		}
	}
}

// However much of the last record a crash has left, what was before it is whole.
func TestTornTailIsCutOffWithANotice(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	s := open(t, Options{State: path, Genesis: readGenesisFile(t)})
	mine(t, s)
	mine(t, s)
	before, end := s.head(), s.ledger.state.end
	sector := int64(0) // the last that the last record reaches into
	for sector <= end {
		end = s.ledger.state.end
		before = s.head()
		mine(t, s)
		sector = (s.ledger.state.end - 1) / sectorSize * sectorSize
	}
	_ = s.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	unwritten := append(bytes.Clone(whole[:sector]), make([]byte, int64(len(whole))-sector)...)
	for n := end; n <= int64(len(whole)); n += min(9, max(int64(len(whole))-n, 1)) {
		torn := whole[:n]
		if n == int64(len(whole)) {
			torn = unwritten
		}
		if err := os.WriteFile(path, torn, 0o600); err != nil {
			t.Fatal(err)
		}
		again, err := New(Options{State: path})
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if *again.head() != *before || again.CutOff() != int64(len(torn))-end {
			t.Errorf("%d bytes: the head is %d, %d bytes were cut", n, again.head().HeadBlockNumber, again.CutOff())
		}
		mine(t, again)
		_ = again.Close()
	}
}

// A process that is killed while it makes blocks loses none that it told of.
func TestStateSurvivesKill(t *testing.T) {
	if path := os.Getenv("BILLFOLD_TEST_STATE"); path != "" {
		mineUntilKilled(path)
	}
	path := filepath.Join(t.TempDir(), "state")
	var last string
	for range 3 {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestStateSurvivesKill$")
		cmd.Env = append(os.Environ(), "BILLFOLD_TEST_STATE="+path)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for n := 0; n < 40 && lines.Scan(); n++ {
			last = lines.Text()
		}
		_ = cmd.Process.Kill()
		for lines.Scan() {
			last = lines.Text()
		}
		_ = cmd.Wait()
		s := open(t, Options{State: path})
		found := false
		s.chain.View(func(st *state.State) {
			for num := uint32(1); st.Blocks.Get(num) != nil; num++ {
				found = found || st.Blocks.Get(num).BlockID.String() == last
			}
		})
		if !found {
			t.Errorf("the block %s is lost, the head is %s", last, s.head().HeadBlockID)
		}
		_ = s.Close()
	}
}

// mineUntilKilled names every block it has made.
func mineUntilKilled(path string) {
	s, err := New(Options{State: path})
	for err == nil {
		var id ledger.BlockID
		if _, err = s.Fund("carol", "0.1", "DCT"); err == nil {
			id, err = s.Mine()
		}
		fmt.Println(id)
	}
	fmt.Println(err)
	os.Exit(1)
}

func FuzzReadState(f *testing.F) {
	good := appendRecord([]byte(stateMagic), recordGenesis, []byte(`{"text":"e30=","demo":false}`))
	f.Add(good)
	f.Add(appendRecord(good, recordRewind, []byte{0, 0, 0, 0}))
	f.Add(appendRecord(good, recordBlock, []byte("block"))[:len(good)+11])
	f.Fuzz(func(t *testing.T, data []byte) {
		kept, end, err := readRecords(data)
		if err != nil || kept == nil {
			return
		}
		again, whole, err := readRecords(data[:end])
		if err != nil || whole != end || len(again.blocks) != len(kept.blocks) {
			t.Errorf("cut at %d it reads otherwise: %v", end, err)
		}
	})
}
