package sandbox

import (
	"strings"
	"testing"
	"time"
)

// A sandbox that begins with the blocks of another one is where that one was.
func TestALedgerBeginsWithTheBlocksOfAnother(t *testing.T) {
	now := time.Now()
	g, err := DemoGenesis(now)
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, Options{Genesis: g, MinerKeys: demoMinerKeys()})
	mine(t, s)
	if _, err := s.Fund("carol", "3", "DCT"); err != nil {
		t.Fatal(err)
	}
	mine(t, s)
	again := open(t, Options{Genesis: g, MinerKeys: demoMinerKeys(), Blocks: s.Blocks()})
	if want, got := visible(t, s), visible(t, again); got != want {
		t.Errorf("the state is\n%s\nnot\n%s", got, want)
	}
	mine(t, again)
	if len(s.Blocks()) != 2 || len(again.Blocks()) != 3 {
		t.Errorf("there are %d and %d blocks, not 2 and 3", len(s.Blocks()), len(again.Blocks()))
	}
	if _, err := New(Options{Genesis: g, MinerKeys: demoMinerKeys(), Blocks: s.Blocks()[1:]}); err == nil ||
		!strings.Contains(err.Error(), "block 2") {
		t.Errorf("blocks without the first one were taken: %v", err)
	}
}
