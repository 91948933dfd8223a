package finality

import (
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// ErrTransactions means that the transactions of a block are not those its header was signed over.
var ErrTransactions = errors.New("the transactions are not those that the miner signed")

// merkleNode is the size, in bytes, of two joined hashes. A transaction of that size could stand in
// for two others whose hashes it consists of.
const merkleNode = 64

// Transactions returns the ids of the block's transactions, computed from them after their merkle root was found to
// match the header. It does not check the header; that is for a Tracker. A transaction with an operation that is not
// fully known cannot be checked and is an error.
func Transactions(b *ledger.SignedBlock) ([]ledger.TransactionID, error) {
	num := b.Previous.Num() + 1
	root, err := ledger.MerkleRoot(b.Transactions)
	if err != nil {
		return nil, fmt.Errorf("block %d cannot be checked: %w", num, err)
	}
	if root != b.TransactionMerkleRoot {
		return nil, fmt.Errorf("block %d: %w", num, ErrTransactions)
	}
	ids := make([]ledger.TransactionID, len(b.Transactions))
	for i := range b.Transactions {
		if ids[i], err = transactionID(&b.Transactions[i]); err != nil {
			return nil, fmt.Errorf("block %d, transaction %d: %w", num, i, err)
		}
	}
	return ids, nil
}

func transactionID(tx *ledger.ProcessedTransaction) (ledger.TransactionID, error) {
	if len(tx.Signatures) == 0 { // a single signature is longer than a node of the tree
		if packed, err := codec.Pack(tx); err != nil || len(packed) == merkleNode {
			return ledger.TransactionID{}, errors.Join(ErrTransactions, err)
		}
	}
	return tx.ID()
}
