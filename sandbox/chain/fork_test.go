package chain

import (
	"errors"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"

	"pgregory.net/rapid"
)

// Whatever happens after a snapshot, reverting makes every object, every
// pending transaction and even the next block what they were.
func TestSnapshotAnythingRevertIsTheIdentity(t *testing.T) {
	g := readGenesis(t)
	rapid.Check(t, func(r *rapid.T) {
		b := newTrialBank(t, g)
		b.furnish()
		b.live(r, rapid.IntRange(0, 4).Draw(r, "before"))
		before := b.snapshot()
		id := b.c.Snapshot()
		b.live(r, rapid.IntRange(0, 8).Draw(r, "between"))
		if b.c.s.Dynamic().HeadBlockNumber < b.c.headOf(id) {
			return // a fork went behind the snapshot
		}
		for range 2 { // a snapshot can be used again
			if err := b.c.Revert(id); err != nil {
				r.Skip(err.Error()) // a fork went behind it and the chain grew again
			}
			if after := b.snapshot(); after != before {
				r.Fatalf("the state was\n%s\nand is\n%s", before, after)
			}
			first := b.mine().BlockID
			b.noError(r, b.c.Revert(id))
			if again := b.mine().BlockID; again != first {
				r.Fatalf("the next block is %s and then %s", first, again)
			}
		}
	})
}

// headOf is the head block number of a snapshot, or the largest number
// when it is gone.
func (c *Chain) headOf(id uint64) uint32 {
	for _, s := range c.history.snapshots {
		if s.id == id {
			return s.num
		}
	}
	return 1<<32 - 1
}

func (b *bank) noError(r *rapid.T, err error) {
	if err != nil {
		r.Fatal(err)
	}
}

// furnish makes what the steps of live need.
func (b *bank) furnish() {
	b.by(b.nathan, pay(nathanID, init0ID, 100_0000_0000), gold("GOLDX", false), cards(), offer(1_0000_0000, 1))
}

// live makes some steps of anything.
func (b *bank) live(r *rapid.T, steps int) {
	for range steps {
		switch rapid.IntRange(0, 8).Draw(r, "step") {
		case 0, 1:
			_ = b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, rapid.Int64Range(-1, 1e12).Draw(r, "amount")))
		case 2:
			name := rapid.StringMatching(`[a-z]{5,7}`).Draw(r, "name")
			auth := ledger.SingleKeyAuthority(keyOf(name).Public())
			_ = b.push([]ledger.PrivateKey{b.nathan}, create(name, auth, auth))
		case 3:
			b.mine()
		case 4:
			b.c.Snapshot()
		case 5:
			_, _ = b.c.Fork(rapid.IntRange(1, 3).Draw(r, "blocks"), rapid.Bool().Draw(r, "keep"))
		case 6:
			b.tryThing(r)
		case 7:
			_ = b.push([]ledger.PrivateKey{b.nathan, b.init}, b.drawEconomic(r), pay(nathanID, init0ID, 1), pay(init0ID, nathanID, 1))
		case 8:
			b.maintenance()
		}
	}
}

// The third payment refers to a block that was removed, so it is never
// possible again.
func TestForkReturnsTransactionsOrDropsThem(t *testing.T) {
	for _, keep := range []bool{true, false} {
		b := newBank(t)
		start := b.balance(init0ID)
		for i := range int64(3) {
			b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, 10+i)))
			b.mine()
		}
		old := b.c.s.Dynamic().HeadBlockID
		dropped, err := b.c.Fork(2, keep)
		if err != nil || keep && len(dropped) != 1 || !keep && len(dropped) != 0 {
			t.Fatalf("dropped %v (%v)", dropped, err)
		}
		want := map[bool]int64{true: 21, false: 10}[keep]
		if got := b.balance(init0ID) - start; got != want {
			t.Errorf("keep %v: init0 got %d, want %d", keep, got, want)
		}
		if n := b.c.s.Dynamic().HeadBlockNumber; n != 2 {
			t.Errorf("the head is block %d, want 2", n)
		}
		b.mine()
		if next := b.mine().BlockID; next == old || next.Num() != old.Num() {
			t.Errorf("the other branch has the same block %s", next)
		}
	}
}

func TestForkNeedsBlocksToTake(t *testing.T) {
	b := newBank(t)
	for _, k := range []int{0, -1, 2, 1000} {
		if _, err := b.c.Fork(k, true); err == nil {
			t.Errorf("%d of one block were taken away", k)
		}
	}
	if err := b.c.Revert(7); err == nil {
		t.Error("a snapshot that was never taken could be used")
	}
}

func TestPastIsForgottenButForSnapshots(t *testing.T) {
	b := newBank(t)
	for range forkDepth + 20 {
		b.mine()
	}
	if n := len(b.c.history.blocks); n != forkDepth {
		t.Errorf("%d blocks are kept, want %d", n, forkDepth)
	}
	id := b.c.Snapshot()
	for range forkDepth + 20 {
		b.mine()
	}
	if err := b.c.Revert(id); err != nil {
		t.Error(err)
	}
	if n := b.c.s.Dynamic().HeadBlockNumber; n != forkDepth+21 {
		t.Errorf("the head is block %d", n)
	}
}

// memoryLog is a log that can be full.
type memoryLog struct {
	blocks []*ledger.Block
	full   bool
}

func (s *memoryLog) Append(b *ledger.Block) error {
	if s.full {
		return errors.New("no space left")
	}
	s.blocks = append(s.blocks, b)
	return nil
}

func (s *memoryLog) Rewind(num uint32) error {
	for len(s.blocks) > 0 && s.blocks[len(s.blocks)-1].BlockID.Num() > num {
		s.blocks = s.blocks[:len(s.blocks)-1]
	}
	return nil
}

func TestReplayGivesTheSameState(t *testing.T) {
	g := readGenesis(t)
	rapid.Check(t, func(r *rapid.T) {
		b := newTrialBank(t, g)
		b.furnish()
		log := &memoryLog{}
		b.c.View(func(s *state.State) {
			for num := uint32(1); s.Blocks.Get(num) != nil; num++ {
				log.blocks = append(log.blocks, s.Blocks.Get(num))
			}
		})
		b.c.SetLog(log)
		b.live(r, rapid.IntRange(1, 12).Draw(r, "steps"))
		b.mine()
		again := &bank{t: t}
		again.c, _ = New(g)
		for _, block := range log.blocks {
			b.noError(r, again.c.Replay(block))
		}
		if want, got := b.snapshot(), again.snapshot(); len(b.c.pending) == 0 && want != got {
			r.Fatalf("the replayed state is\n%s\nwant\n%s", got, want)
		}
		if err := again.c.Replay(log.blocks[0]); err == nil {
			r.Fatal("a block that does not follow was replayed")
		}
	})
}

func TestBlockThatCannotBeKeptDoesNotHappen(t *testing.T) {
	b := newBank(t)
	log := &memoryLog{full: true}
	b.c.SetLog(log)
	b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, 5)))
	before := b.snapshot()
	if mined, err := b.c.Mine(0); err == nil || mined.Block != nil {
		t.Errorf("got %+v, %v", mined, err)
	}
	if after := b.snapshot(); after != before {
		t.Errorf("the state was\n%s\nand is\n%s", before, after)
	}
	log.full = false
	if n := len(b.mine().Transactions); n != 1 {
		t.Errorf("%d transactions in the block", n)
	}
}

func TestReplayRefusesChangedBlocks(t *testing.T) {
	b := newBank(t)
	b.must(b.push([]ledger.PrivateKey{b.nathan}, pay(nathanID, init0ID, 5)))
	block := b.mine()
	wrong := nathanID.Object()
	for name, change := range map[string]func(*ledger.Block){
		"header": func(x *ledger.Block) { x.Timestamp++ },
		"number": func(x *ledger.Block) { x.BlockID[3]++ },
		"result": func(x *ledger.Block) {
			x.Transactions = append([]ledger.ProcessedTransaction(nil), x.Transactions...)
			x.Transactions[0].OperationResults = []ledger.OperationResult{{Object: &wrong}}
		},
	} {
		again := newBank(t)
		changed := *block
		change(&changed)
		before := again.snapshot()
		if err := again.c.Replay(&changed); err == nil {
			t.Errorf("a block with another %s was replayed", name)
		}
		if again.snapshot() != before {
			t.Errorf("%s: the refused block changed the state", name)
		}
	}
}
