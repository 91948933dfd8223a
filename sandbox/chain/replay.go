package chain

import (
	"fmt"
	"reflect"

	"billfold/ledger"
)

// Trust prepares a transaction that needs no signature: the developer moves
// what belongs to others. All other checks are made when it is pushed.
func (c *Chain) Trust(tx *ledger.SignedTransaction) (*Prepared, error) {
	p, _, err := c.prepare(tx)
	if err != nil {
		return nil, err
	}
	p.trusted = true
	return p, nil
}

// Replay makes a block of a log the head again. Signatures were checked when it
// was made; everything else must come out as it did then. It fails, and leaves
// the chain as it is, when the block does not follow or comes out otherwise.
func (c *Chain) Replay(b *ledger.Block) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.j.rewind(0)
	c.pending = nil
	txs, err := c.replayLocked(b)
	if err != nil {
		c.s.j.rewind(0)
		return fmt.Errorf("block %d: %w", b.BlockID.Num(), err)
	}
	c.sealLocked(txs)
	return nil
}

func (c *Chain) replayLocked(b *ledger.Block) ([]*Prepared, error) {
	s := c.s
	num := s.dynamic.HeadBlockNumber + 1
	if b.Previous != s.dynamic.HeadBlockID || b.BlockID.Num() != num {
		return nil, fmt.Errorf("it does not follow block %d", num-1)
	}
	again := &ledger.Block{}
	var txs []*Prepared
	for i := range b.Transactions {
		p, err := c.Trust(&b.Transactions[i].SignedTransaction)
		if err != nil {
			return nil, err
		}
		p.replayed = true
		if fault := s.include(again, num, p); fault != nil {
			return nil, fault
		}
		txs = append(txs, p)
	}
	for i := range again.Transactions {
		if !reflect.DeepEqual(again.Transactions[i].OperationResults, b.Transactions[i].OperationResults) {
			return nil, fmt.Errorf("transaction %d has another result", i)
		}
	}
	if id, err := b.SignedBlockHeader.ID(); err != nil || id != b.BlockID || int(b.Miner) >= len(s.miners.rows) {
		return nil, fmt.Errorf("its header is damaged")
	}
	s.advance(b, num)
	return txs, nil
}
