package chain_test

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

func TestReferenceBlockRingWrapsAround(t *testing.T) {
	s := state.New(state.Origin{})
	for i := range 70000 {
		s.Blocks.Append(&ledger.Block{BlockID: ledger.BlockID{0, byte((i + 1) >> 16), byte((i + 1) >> 8), byte(i + 1)}})
	}
	for _, num := range []uint32{70000, 65536, 69999, 70000 - 65535} {
		if id, ok := s.Blocks.Recent(uint16(num)); !ok || id.Num() != num {
			t.Errorf("block %d: got %d", num, id.Num())
		}
	}
}
