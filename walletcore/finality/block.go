package finality

import (
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"

	lru "github.com/hashicorp/golang-lru/v2"
)

// header holds what is needed of a signed header.
type header struct {
	Point
	miner ledger.MinerID
	key   ledger.PublicKey // the signer's; null for the anchor's block
}

// maxSigners is the number of cached signers: those of blocks that several trackers read, and that are read again after
// the connection to a daemon broke.
const maxSigners = 1024

// signerKey is everything that a signer's key follows from: the digest of a header, and the signature. An id would not
// do, because only 128 bits of its hash remain.
type signerKey struct {
	digest    [32]byte
	signature ledger.Signature
}

// signers is shared by all trackers: payments, deposits and their proofs read the same blocks, and recovering a key
// takes an eighth of a millisecond.
var signers, _ = lru.New[signerKey, ledger.PublicKey](maxSigners) // it fails only for a negative size

// signerOf returns the key that made the signature of a header.
func signerOf(digest [32]byte, signature ledger.Signature) (ledger.PublicKey, error) {
	s := signerKey{digest, signature}
	if key, known := signers.Get(s); known {
		return key, nil
	}
	key, err := ledger.RecoverKey(digest, signature)
	if err == nil {
		signers.Add(s, key)
	}
	return key, err
}

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
