package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/produce"
)

// Mined is the result of making a block.
type Mined struct {
	Block   *ledger.Block
	Dropped []Dropped
}

// Mine makes a block of the pending transactions. Its time is now, or one second
// after the head block if now is not later than that. Transactions that do not fit
// stay pending. After an error the chain does not have the block.
func (c *Chain) Mine(now ledger.Time) (Mined, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.s.Rewind(0)
	waiting := c.pending
	c.pending = nil
	mined, in, rest, err := c.mineLocked(now, waiting)
	if err == nil && c.log != nil {
		err = c.log.Append(mined.Block)
	}
	if err != nil {
		c.s.Rewind(0)
		rest, mined = waiting, Mined{}
	} else {
		c.commitLocked(in)
	}
	mined.Dropped = append(mined.Dropped, c.pushAllLocked(rest)...)
	return mined, err
}

// mineLocked makes a block. in are the transactions in it, rest those that did not fit.
func (c *Chain) mineLocked(now ledger.Time, waiting []*evaluate.Prepared) (mined Mined, in, rest []*evaluate.Prepared, err error) {
	num := c.s.Dynamic().HeadBlockNumber + 1
	b := &ledger.Block{}
	b.Transactions, b.TransactionIDs = []ledger.ProcessedTransaction{}, []ledger.TransactionID{}
	size := produce.HeaderSize
	for i, p := range waiting {
		if size += p.Size(); size > int(c.s.Parameters().MaximumBlockSize) {
			rest = waiting[i:]
			break
		}
		fault := c.verifyLocked(p)
		if fault == nil {
			fault = produce.Include(c.engine, b, num, p)
		}
		if fault != nil {
			mined.Dropped = append(mined.Dropped, Dropped{p.ID, fault})
		} else {
			in = append(in, p)
		}
	}
	if err := c.keys.Seal(c.s, b, max(now, c.s.HeadTime()+1, c.notBefore)); err != nil {
		return mined, in, rest, err
	}
	produce.Advance(c.engine, b, num)
	mined.Block = b
	return mined, in, rest, nil
}

// verifyLocked checks the signatures of a transaction once more if the chain verifies blocks.
func (c *Chain) verifyLocked(p *evaluate.Prepared) *nodeerr.Error {
	if !c.verify {
		return nil
	}
	return evaluate.VerifySignatures(c.id, p)
}

// commitLocked commits the changes since the head block as those of a new head block.
func (c *Chain) commitLocked(txs []*evaluate.Prepared) {
	d := c.s.Dynamic()
	c.final = max(c.final, d.LastIrreversibleBlockNum)
	c.history.push(appliedBlock{undo: c.s.Commit(), txs: txs}, d.HeadBlockNumber, int(d.HeadBlockNumber-d.LastIrreversibleBlockNum))
}
