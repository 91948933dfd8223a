package chain

import (
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/state"
)

// finalityOf makes a block at t and compares it with the rules: signed with the
// key that the miner's object names, irreversible what 70 % have signed on.
func (b *bank) finalityOf(t ledger.Time, before uint32) (lag, last uint32) {
	b.t.Helper()
	keys := map[ledger.MinerID]ledger.PublicKey{}
	b.c.View(func(s *state.State) {
		for _, id := range s.Global().ActiveMiners {
			keys[id] = s.Miners.Get(id).SigningKey
		}
	})
	block := b.mineAt(t)
	digest, err := block.Digest()
	if err != nil {
		b.t.Fatal(err)
	}
	if key, err := ledger.RecoverKey(digest, block.MinerSignature); err != nil || key != keys[block.Miner] {
		b.t.Fatalf("block %d is signed by %s, the miner's key is %s (%v)", block.BlockID.Num(), key, keys[block.Miner], err)
	}
	b.c.View(func(s *state.State) {
		var confirmed []uint32
		for _, id := range s.Global().ActiveMiners {
			confirmed = append(confirmed, s.Miners.Get(id).LastConfirmedBlockNum)
		}
		slices.Sort(confirmed)
		last = s.Dynamic().LastIrreversibleBlockNum
		if want := max(before, confirmed[len(confirmed)*3/10]); last != want {
			b.t.Fatalf("block %d: %d is irreversible, want %d of %v", block.BlockID.Num(), last, want, confirmed)
		}
	})
	return block.BlockID.Num() - last, last
}

func TestIrreversibleByTheLedgersRule(t *testing.T) {
	b := newBank(t)
	last, least := uint32(0), uint32(1000)
	for i := range ledger.Time(120) {
		lag, now := b.finalityOf(b.now()+1+i%13, last)
		if last = now; i > 40 {
			least = min(least, lag)
		}
	}
	if last < 90 || least < 7 {
		t.Errorf("of 120 blocks %d are irreversible; at least %d blocks were not", last, least)
	}
}

// A miner whose key nobody here has misses its turns, and is waited for as the
// rule says.
func TestMinerWithAForeignKeyMissesItsTurns(t *testing.T) {
	for _, turns := range []string{"", genesis.TurnsByBlock} {
		g := readGenesis(t)
		g.Turns = turns
		b := newBankOn(t, g)
		key := keyOf("elsewhere").Public()
		b.fund(init0ID)
		b.by(b.init, &ledger.MinerUpdateOp{Miner: 1, MinerAccount: init0ID, NewSigningKey: &key})
		b.mine()
		var missed int64
		b.c.View(func(s *state.State) { missed = s.Miners.Get(1).TotalMissed })
		last := uint32(0)
		for range 60 {
			_, last = b.finalityOf(b.now()+5, last)
		}
		b.c.View(func(s *state.State) {
			m := s.Miners.Get(1)
			if m.LastConfirmedBlockNum > 2 || m.TotalMissed < missed+4 || last < 40 {
				t.Errorf("turns %q: the miner is %+v, block %d is irreversible", turns, m, last)
			}
		})
	}
}

func TestTurnsByBlockMakeFinalityEven(t *testing.T) {
	g := readGenesis(t)
	g.Turns, g.ActiveMiners, g.Immutable.MinMinerCount = genesis.TurnsByBlock, 4, 4
	b := newBankOn(t, g)
	last := uint32(0)
	for i := range ledger.Time(40) {
		var lag uint32
		if lag, last = b.finalityOf(b.now()+1+i*i%50, last); lag != 2 {
			t.Fatalf("after block %d, %d blocks are not irreversible, want 2", i+2, lag)
		}
	}
}
