package state

import "billfold/ledger"

// TransactionHistory is the object 2.19.N: the place of a transaction in the chain.
type TransactionHistory struct {
	ID         ledger.ObjectID      `json:"id"`
	TxID       ledger.TransactionID `json:"tx_id"`
	BlockNum   uint32               `json:"block_num"`
	TrxInBlock uint32               `json:"trx_in_block"`
}

const typeTransactionHistory = 19

// Blocks are the blocks of the chain, and the transactions in them and pending.
type Blocks struct {
	j         *journal
	list      []*ledger.Block // list[n-1] is block n
	included  table[uint64, TransactionHistory]
	byID      index[ledger.TransactionID, uint64] // instance of 2.19
	pending   index[ledger.TransactionID, struct{}]
	forgotten uint32 // Remembers ignores the transactions up to this block
}

func newBlocks(j *journal) Blocks {
	b := Blocks{
		j: j, byID: newIndex[ledger.TransactionID, uint64](j), pending: newIndex[ledger.TransactionID, struct{}](j),
	}
	b.included.j = j
	return b
}

// Get returns block num, or nil.
func (b *Blocks) Get(num uint32) *ledger.Block {
	if num == 0 || uint64(num) > uint64(len(b.list)) {
		return nil
	}
	return b.list[num-1]
}

// Recent returns the id of the newest block whose number has the low 16 bits low.
// Block 0, before the first one, has an id of zeroes.
func (b *Blocks) Recent(low uint16) (ledger.BlockID, bool) {
	head := uint32(len(b.list))
	num := head&^0xffff | uint32(low)
	if num > head {
		if num < 0x10000 {
			return ledger.BlockID{}, false
		}
		num -= 0x10000
	}
	if num == 0 {
		return ledger.BlockID{}, true
	}
	return b.list[num-1].BlockID, true
}

// Append adds the block at the end of the chain.
func (b *Blocks) Append(block *ledger.Block) {
	n := len(b.list)
	b.list = append(b.list, block)
	b.j.add(func() { b.list = b.list[:n] })
}

// TransactionCount returns the number of transactions in blocks.
func (b *Blocks) TransactionCount() uint64 { return b.included.Count() }

// Transaction returns a transaction that is in a block.
func (b *Blocks) Transaction(id ledger.TransactionID) (*ledger.ProcessedTransaction, bool) {
	n, ok := b.byID.find(id)
	if !ok {
		return nil, false
	}
	at := b.included.Get(n)
	return &b.Get(at.BlockNum).Transactions[at.TrxInBlock], true
}

// Include records that a transaction is in block num, at index at.
func (b *Blocks) Include(id ledger.TransactionID, num, at uint32) {
	n := b.included.Next()
	b.included.insert(&TransactionHistory{
		ID: ledger.NewObjectID(2, typeTransactionHistory, n), TxID: id, BlockNum: num, TrxInBlock: at,
	})
	b.byID.set(id, n)
}

// AddPending records that a transaction waits for the next block.
func (b *Blocks) AddPending(id ledger.TransactionID) { b.pending.set(id, struct{}{}) }

// IsPending reports whether a transaction waits for the next block.
func (b *Blocks) IsPending(id ledger.TransactionID) bool {
	_, pending := b.pending.find(id)
	return pending
}

// Remembers reports whether the transaction is in a block, was not forgotten and
// has not expired.
func (b *Blocks) Remembers(id ledger.TransactionID, now ledger.Time) bool {
	n, ok := b.byID.find(id)
	if !ok || b.included.Get(n).BlockNum <= b.forgotten {
		return false
	}
	old, _ := b.Transaction(id)
	return old.Expiration >= now
}

// Forget makes Remembers ignore the transactions up to block num, as after a
// restart of the node. It is not undone by Rewind or Undo.
func (b *Blocks) Forget(num uint32) { b.forgotten = num }

// RememberAfter ends the forgetting at block num, because the blocks after it are
// undone.
func (b *Blocks) RememberAfter(num uint32) { b.forgotten = min(b.forgotten, num) }
