package produce

import (
	"errors"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// HeaderSize is at least the size of a packed header with its signature, in bytes.
const HeaderSize = 256

// Include applies a transaction and adds it to b as the next one of block num.
func Include(e *evaluate.Engine, b *ledger.Block, num uint32, p *evaluate.Prepared) *nodeerr.Error {
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

// Check returns an error if the header of a block from a log is damaged.
func Check(s *state.State, b *ledger.Block) error {
	if id, err := b.SignedBlockHeader.ID(); err != nil || id != b.BlockID || s.Miners.Get(b.Miner) == nil {
		return errors.New("its header is damaged")
	}
	return nil
}

// Advance makes b the head block and does what is due after a block.
func Advance(e *evaluate.Engine, b *ledger.Block, num uint32) {
	s := e.State
	s.Blocks.Append(b)
	slots := slotsUntil(s, b.Timestamp)
	recordMissedSlots(s, slots-1, b.Miner)
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

// irreversible returns the last irreversible block by the ledger's rule over the
// active miners. It may fall when the active miners change; the caller keeps the
// highest.
func irreversible(s *state.State) uint32 {
	confirmed := make([]uint32, 0, len(s.Global().ActiveMiners))
	for _, id := range s.Global().ActiveMiners {
		confirmed = append(confirmed, s.Miners.Get(id).LastConfirmedBlockNum)
	}
	return ledger.LastIrreversible(confirmed)
}
