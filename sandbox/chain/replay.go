package chain

import (
	"fmt"
	"reflect"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/produce"
)

// Replay applies a block from a log and makes it the head. Signatures were checked
// when the block was made; everything else must have the same result again. It
// fails, and leaves the chain unchanged, if the block does not follow the head or
// has another result.
func (c *Chain) Replay(b *ledger.Block) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.Rewind(0)
	c.pending = nil
	txs, err := c.replayLocked(b)
	if err != nil {
		c.s.Rewind(0)
		return fmt.Errorf("block %d: %w", b.BlockID.Num(), err)
	}
	c.commitLocked(txs)
	return nil
}

func (c *Chain) replayLocked(b *ledger.Block) ([]*evaluate.Prepared, error) {
	num := c.s.Dynamic().HeadBlockNumber + 1
	if b.Previous != c.s.Dynamic().HeadBlockID || b.BlockID.Num() != num {
		return nil, fmt.Errorf("it does not follow block %d", num-1)
	}
	again := &ledger.Block{}
	var txs []*evaluate.Prepared
	for i := range b.Transactions {
		p, err := c.PrepareTrusted(&b.Transactions[i].SignedTransaction)
		if err != nil {
			return nil, err
		}
		p.Replayed = true
		if fault := produce.Include(c.engine, again, num, p); fault != nil {
			return nil, fault
		}
		txs = append(txs, p)
	}
	for i := range again.Transactions {
		if !reflect.DeepEqual(again.Transactions[i].OperationResults, b.Transactions[i].OperationResults) {
			return nil, fmt.Errorf("transaction %d has another result", i)
		}
	}
	if err := produce.Check(c.s, b); err != nil {
		return nil, err
	}
	produce.Advance(c.engine, b, num)
	return txs, nil
}
