package state

import (
	"testing"

	"billfold/ledger"
)

func TestReferenceBlockRingWrapsAround(t *testing.T) {
	blocks := Blocks{list: make([]*ledger.Block, 70000)}
	for i := range blocks.list {
		blocks.list[i] = &ledger.Block{BlockID: ledger.BlockID{0, byte((i + 1) >> 16), byte((i + 1) >> 8), byte(i + 1)}}
	}
	for _, num := range []uint32{70000, 65536, 69999, 70000 - 65535} {
		if id, ok := blocks.Recent(uint16(num)); !ok || id.Num() != num {
			t.Errorf("block %d: got %d", num, id.Num())
		}
	}
}
