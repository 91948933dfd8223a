package ledger

import (
	"crypto/sha256"

	"billfold/ledger/codec"
)

// Transaction is the content to sign: operations that are applied together or not at all,
// after the reference block and before the expiration (docs/protocol/serialization.md 4).
type Transaction struct {
	RefBlockNum    uint16      `json:"ref_block_num"`
	RefBlockPrefix uint32      `json:"ref_block_prefix"`
	Expiration     Time        `json:"expiration"`
	Operations     []Operation `json:"operations"`
	Extensions     Extensions  `json:"extensions"`
}

// SignedTransaction is a transaction with its signatures.
type SignedTransaction struct {
	Transaction
	Signatures []Signature `json:"signatures"`
}

// ProcessedTransaction is a transaction in a block, with a result for each operation.
type ProcessedTransaction struct {
	SignedTransaction
	OperationResults []OperationResult `json:"operation_results"`
}

// MarshalJSON writes the transaction as the node does.
func (t Transaction) MarshalJSON() ([]byte, error) { return codec.Marshal(t) }

// UnmarshalJSON reads a transaction.
func (t *Transaction) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, t) }

// MarshalJSON writes the transaction as the node does.
func (t SignedTransaction) MarshalJSON() ([]byte, error) { return codec.Marshal(t) }

// UnmarshalJSON reads a transaction.
func (t *SignedTransaction) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, t) }

// MarshalJSON writes the transaction as the node does.
func (t ProcessedTransaction) MarshalJSON() ([]byte, error) { return codec.Marshal(t) }

// UnmarshalJSON reads a transaction.
func (t *ProcessedTransaction) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, t) }

// Pack returns the bytes without signatures, from which the id and the digest are
// computed. It fails if an operation is not known completely.
func (t *Transaction) Pack() ([]byte, error) { return codec.Pack(t) }

// ID returns the first 20 bytes of SHA-256 of the packed transaction without its
// signatures.
func (t *Transaction) ID() (TransactionID, error) {
	packed, err := t.Pack()
	if err != nil {
		return TransactionID{}, err
	}
	sum := sha256.Sum256(packed)
	return TransactionID(sum[:20]), nil
}

// usualSize holds most transactions, so that packing one allocates once.
const usualSize = 256

// Digest returns what is signed: SHA-256 of the chain id and the packed transaction.
func (t *Transaction) Digest(chain ChainID) ([32]byte, error) {
	packed, err := codec.AppendPacked(append(make([]byte, 0, len(chain)+usualSize), chain[:]...), t)
	if err != nil {
		return [32]byte{}, err
	}
	return sha256.Sum256(packed), nil
}

// Pack returns the bytes with signatures, as nodes exchange them.
func (t *SignedTransaction) Pack() ([]byte, error) { return codec.Pack(t) }
