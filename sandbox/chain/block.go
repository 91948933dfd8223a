package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// headerSize is room for a packed header with its signature.
const headerSize = 256

// Dropped is a pending transaction that did not make it into a block and never
// will.
type Dropped struct {
	ID    ledger.TransactionID
	Fault *nodeerr.Fault
}

// Mined is what came of a block.
type Mined struct {
	Block   *ledger.Block
	Dropped []Dropped
}

// Mine makes a block of the pending transactions. Its time is now, or one
// second after the head block when now is not later than that. What does not
// fit stays pending. An error leaves the chain without the block.
func (c *Chain) Mine(now ledger.Time) (Mined, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.j.rewind(0)
	waiting := c.pending
	c.pending = nil
	mined, in, rest, err := c.mineLocked(now, waiting)
	if err == nil && c.log != nil {
		err = c.log.Append(mined.Block)
	}
	if err != nil {
		c.s.j.rewind(0)
		rest, mined = waiting, Mined{}
	} else {
		c.sealLocked(in)
	}
	mined.Dropped = append(mined.Dropped, c.pushAllLocked(rest)...)
	return mined, err
}

// mineLocked gives the block, what is in it, and what did not fit.
func (c *Chain) mineLocked(now ledger.Time, waiting []*Prepared) (mined Mined, in, rest []*Prepared, err error) {
	s := c.s
	num := s.dynamic.HeadBlockNumber + 1
	b := &ledger.Block{}
	b.Transactions, b.TransactionIDs = []ledger.ProcessedTransaction{}, []ledger.TransactionID{}
	size := headerSize
	for i, p := range waiting {
		if size += p.size; size > int(s.global.Parameters.MaximumBlockSize) {
			rest = waiting[i:]
			break
		}
		if fault := s.include(b, num, p); fault != nil {
			mined.Dropped = append(mined.Dropped, Dropped{p.ID, fault})
		} else {
			in = append(in, p)
		}
	}
	if err := c.seal(b, num, max(now, s.HeadTime()+1, c.notBefore)); err != nil {
		return mined, in, rest, err
	}
	s.advance(b, num)
	mined.Block = b
	return mined, in, rest, nil
}

// include applies a transaction as the next one of block num.
func (s *State) include(b *ledger.Block, num uint32, p *Prepared) *nodeerr.Fault {
	done, fault := s.applyTransaction(p)
	if fault != nil {
		return fault
	}
	at := len(b.Transactions)
	s.recordHappened(num, at)
	n := s.txs.next()
	s.txs.insert(&TransactionHistory{ID: transactionHistoryID(n), TxID: p.ID, BlockNum: num, TrxInBlock: uint32(at)})
	setKey(&s.j, s.byTx, p.ID, n)
	b.Transactions = append(b.Transactions, *done)
	b.TransactionIDs = append(b.TransactionIDs, p.ID)
	return nil
}

// seal fills in the header and signs it for the miner whose turn it is.
func (c *Chain) seal(b *ledger.Block, num uint32, now ledger.Time) (err error) {
	s := c.s
	b.Miner, b.SigningKey, b.Timestamp = c.signer(now)
	b.Previous = s.dynamic.HeadBlockID
	if b.TransactionMerkleRoot, err = ledger.MerkleRoot(b.Transactions); err != nil {
		return err
	}
	digest, err := b.BlockHeader.Digest()
	if err != nil {
		return err
	}
	b.MinerSignature = c.keys[b.SigningKey].Sign(digest)
	b.BlockID, err = b.SignedBlockHeader.ID()
	return err
}

// signer gives the miner that makes the next block, the key that signs it and
// its time, which is now if nobody misses a turn. A miner whose key was changed
// to one that nobody here has does: its slot passes without a block. When that
// is true of all, the chain goes on with blocks that are not signed as their
// miners' objects say.
func (c *Chain) signer(now ledger.Time) (ledger.MinerID, ledger.PublicKey, ledger.Time) {
	s := c.s
	slots := s.slotsUntil(now)
	for missed := range uint64(len(s.schedule.CurrentShuffledMiners)) {
		id := s.scheduledMiner(slots, missed)
		key := s.Miner(id).SigningKey
		if _, ok := c.keys[key]; !ok {
			continue
		}
		if missed > 0 {
			now = max(now, s.slotTime(slots+missed))
		}
		return id, key, now
	}
	return s.scheduledMiner(slots, 0), c.own, now
}

// advance makes the block the head block.
func (s *State) advance(b *ledger.Block, num uint32) {
	s.blocks = append(s.blocks, b)
	s.j.add(func() { s.blocks = s.blocks[:num-1] })
	slots := s.slotsUntil(b.Timestamp)
	s.missSlots(slots-1, b.Miner)
	slot := s.dynamic.CurrentAslot + slots
	s.miners.change(uint64(b.Miner), func(m *Miner) {
		m.LastAslot, m.LastConfirmedBlockNum = slot, num
	})
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.HeadBlockNumber, d.HeadBlockID, d.Time = num, b.BlockID, b.Timestamp
		d.CurrentMiner, d.CurrentAslot = b.Miner, slot
		d.RecentSlotsFilled = slotsFilled(d.RecentSlotsFilled, slots-1)
		d.RecentlyMissedCount = missedCount(d.RecentlyMissedCount, slots-1, num == 1)
		d.LastIrreversibleBlockNum = max(d.LastIrreversibleBlockNum, s.irreversible())
	})
	s.afterTransactions(b)
	s.maintain(num)
	s.expirePermissions()
	s.recordHappened(num, len(b.Transactions))
}

// irreversible is the ledger's rule over the active miners. What was
// irreversible once stays so when others become active.
func (s *State) irreversible() uint32 {
	confirmed := make([]uint32, 0, len(s.global.ActiveMiners))
	for _, id := range s.global.ActiveMiners {
		confirmed = append(confirmed, s.Miner(id).LastConfirmedBlockNum)
	}
	return ledger.LastIrreversible(confirmed)
}
