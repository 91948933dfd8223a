package chain

import (
	"errors"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

const duplicate = "(skip & skip_transaction_dupe_check) || trx_idx.find(trx_id) == trx_idx.end(): "

// What a node that was killed forgets lets the same bytes be paid twice, but
// not a third time; one that was ended cleanly refuses them.
func TestKilledNodeTakesTheSameBytesAgain(t *testing.T) {
	b := newBank(t)
	pays := b.build(pay(nathanID, init0ID, 100))
	p := b.sign(pays, b.nathan)
	had := b.balance(init0ID)
	b.must(b.c.Push(p))
	b.mine()
	b.refused(b.c.Push(p), nodeerr.CodeAssert, duplicate)
	for range 40 {
		b.mine()
	}
	var before, after ledger.DynamicGlobalProperties
	b.c.View(func(s *state.State) { before = *s.Dynamic() })
	if err := b.c.End(); err != nil {
		t.Fatal(err)
	}
	b.c.View(func(s *state.State) { after = *s.Dynamic() })
	if after.HeadBlockNumber != before.LastIrreversibleBlockNum || after.HeadBlockNumber < 20 {
		t.Errorf("after a clean end the head is %d, irreversible was %d", after.HeadBlockNumber, before.LastIrreversibleBlockNum)
	}
	b.refused(b.c.Push(p), nodeerr.CodeAssert, duplicate)
	b.must(b.c.Push(b.sign(b.build(pay(nathanID, init0ID, 7)), b.nathan)))
	if err := b.c.Kill(0); err != nil {
		t.Fatal(err)
	}
	if b.c.Pending() != 0 {
		t.Error("what was pending is still there")
	}
	b.must(b.c.Push(p))
	block := b.mine()
	if len(block.Transactions) != 1 || block.TransactionIDs[0] != p.ID || b.balance(init0ID) != had+200 {
		t.Errorf("the recipient has %d, want %d", b.balance(init0ID), had+200)
	}
	b.refused(b.c.Push(p), nodeerr.CodeAssert, duplicate)
	if err := b.c.Kill(1000); err == nil {
		t.Error("more blocks were lost than there are")
	}
}

// What came over a connection that was open when the node was killed is not taken by the
// node that comes back, though that takes the same bytes from others.
func TestNothingReachesIntoTheNextRun(t *testing.T) {
	b := newBank(t)
	p := b.sign(b.build(pay(nathanID, init0ID, 100)), b.nathan)
	before := b.c.Restarts()
	if err := b.c.PushSince(before, p); err != nil {
		t.Fatal(err)
	}
	b.mine()
	if err := b.c.Kill(0); err != nil {
		t.Fatal(err)
	}
	if err := b.c.PushSince(before, p); !errors.Is(err, ErrEnded) || b.c.Pending() != 0 {
		t.Errorf("a killed node answers %v over an old connection; %d are pending", err, b.c.Pending())
	}
	if err := b.c.PushSince(b.c.Restarts(), p); err != nil {
		t.Error(err)
	}
}

// A log holds the transaction twice; it is replayed as it was.
func TestBlocksWithATransactionTwiceAreReplayed(t *testing.T) {
	b := newBank(t)
	p := b.sign(b.build(pay(nathanID, init0ID, 100)), b.nathan)
	for range 2 {
		b.must(b.c.Push(p))
		b.mine()
		if err := b.c.Kill(0); err != nil {
			t.Fatal(err)
		}
	}
	again, err := New(readGenesis(t))
	if err != nil {
		t.Fatal(err)
	}
	var blocks []*ledger.Block
	b.c.View(func(s *state.State) { blocks = append(blocks, s.Blocks.Get(1), s.Blocks.Get(2), s.Blocks.Get(3)) })
	for _, block := range blocks {
		if err := again.Replay(block); err != nil {
			t.Fatal(err)
		}
	}
	b.refused(again.Push(p), nodeerr.CodeAssert, duplicate)
}

// However often a node is killed or stopped, and however soon again, it has the blocks that it announced as irreversible: each
// restart takes back some of what makes them so, and the next one must not go by what is left.
func TestRestartsKeepWhatIsIrreversible(t *testing.T) {
	b := newBank(t)
	for range 40 {
		b.mine()
	}
	var final uint32
	head := func() (num uint32, irreversible uint32) {
		b.c.View(func(s *state.State) {
			num, irreversible = s.Dynamic().HeadBlockNumber, s.Dynamic().LastIrreversibleBlockNum
		})
		return num, irreversible
	}
	for n := range 60 {
		num, irreversible := head()
		final = max(final, irreversible)
		switch n % 4 {
		case 0:
			b.mine()
		case 1, 2:
			for lost := range 64 {
				if err := b.c.Kill(lost); err != nil {
					break
				}
			}
		case 3:
			if err := b.c.End(); err != nil {
				t.Fatal(err)
			}
		}
		if after, _ := head(); after < final {
			t.Fatalf("step %d: the head went from %d to %d, below block %d, which was irreversible", n, num, after, final)
		}
	}
	if b.c.Final() != final {
		t.Errorf("the last irreversible block is %d, want %d", b.c.Final(), final)
	}
	if _, err := b.c.Fork(1, false); err != nil { // as somebody asked for that
		t.Fatal(err)
	}
}
