package produce

import (
	"errors"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// HeaderSize is room for a packed header with its signature.
const HeaderSize = 256

// Include applies a transaction as the next one of block num.
func Include(e *evaluate.Engine, b *ledger.Block, num uint32, p *evaluate.Prepared) *nodeerr.Fault {
	done, fault := e.Apply(p)
	if fault != nil {
		return fault
	}
	at := len(b.Transactions)
	e.RecordApplied(num, at)
	e.Blocks.Include(p.ID, num, uint32(at))
	b.Transactions = append(b.Transactions, *done)
	b.TransactionIDs = append(b.TransactionIDs, p.ID)
	return nil
}

// Check returns an error when the header of a block that others made is damaged.
func Check(s *state.State, b *ledger.Block) error {
	if id, err := b.SignedBlockHeader.ID(); err != nil || id != b.BlockID || s.Miners.Get(b.Miner) == nil {
		return errors.New("its header is damaged")
	}
	return nil
}

// Advance makes the block the head block, and does what is due after it.
func Advance(e *evaluate.Engine, b *ledger.Block, num uint32) {
	s := e.State
	s.Blocks.Append(b)
	slots := slotsUntil(s, b.Timestamp)
	missSlots(s, slots-1, b.Miner)
	slot := s.Dynamic().CurrentAslot + slots
	s.Miners.Change(b.Miner, func(m *state.Miner) {
		m.LastAslot, m.LastConfirmedBlockNum = slot, num
	})
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.HeadBlockNumber, d.HeadBlockID, d.Time = num, b.BlockID, b.Timestamp
		d.CurrentMiner, d.CurrentAslot = b.Miner, slot
		d.RecentSlotsFilled = slotsFilled(d.RecentSlotsFilled, slots-1)
		d.RecentlyMissedCount = missedCount(d.RecentlyMissedCount, slots-1, num == 1)
		d.LastIrreversibleBlockNum = max(d.LastIrreversibleBlockNum, irreversible(s))
	})
	e.AfterTransactions(b)
	maintain(e, num)
	e.RecordApplied(num, len(b.Transactions))
}

// irreversible is the ledger's rule over the active miners. What was
// irreversible once stays so when others become active.
func irreversible(s *state.State) uint32 {
	confirmed := make([]uint32, 0, len(s.Global().ActiveMiners))
	for _, id := range s.Global().ActiveMiners {
		confirmed = append(confirmed, s.Miners.Get(id).LastConfirmedBlockNum)
	}
	return ledger.LastIrreversible(confirmed)
}
