package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"billfold/ledger/codec"

	//lint:ignore SA1019 The header of a block holds a RIPEMD-160 of a SHA-256; it only has to withstand a second preimage.
	"golang.org/x/crypto/ripemd160"
)

// BlockHeader is the signed part of a block.
type BlockHeader struct {
	Previous              BlockID    `json:"previous"`
	Timestamp             Time       `json:"timestamp"`
	Miner                 MinerID    `json:"miner"`
	TransactionMerkleRoot Hash160    `json:"transaction_merkle_root"`
	Extensions            Extensions `json:"extensions"`
}

// SignedBlockHeader is a header with the miner's signature.
type SignedBlockHeader struct {
	BlockHeader
	MinerSignature Signature `json:"miner_signature"`
}

// SignedBlock is a block as nodes pass it on.
type SignedBlock struct {
	SignedBlockHeader
	Transactions []ProcessedTransaction `json:"transactions"`
}

// Block is a block as get_block shows it.
type Block struct {
	SignedBlock
	BlockID        BlockID         `json:"block_id"`
	SigningKey     PublicKey       `json:"signing_key"`
	TransactionIDs []TransactionID `json:"transaction_ids"`
	MinerReward    int64           `json:"miner_reward"` // smallest unit of DCT
}

// MarshalJSON writes the block as the node does.
func (b Block) MarshalJSON() ([]byte, error) { return codec.Marshal(b) }

// UnmarshalJSON reads a block.
func (b *Block) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, b) }

// MarshalJSON writes the header as the node does.
func (h SignedBlockHeader) MarshalJSON() ([]byte, error) { return codec.Marshal(h) }

// UnmarshalJSON reads a header.
func (h *SignedBlockHeader) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, h) }

// MarshalJSON writes the block as the node does.
func (b SignedBlock) MarshalJSON() ([]byte, error) { return codec.Marshal(b) }

// UnmarshalJSON reads a block.
func (b *SignedBlock) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, b) }

// ID returns the number of the block followed by SHA-224 of the packed signed header.
func (h *SignedBlockHeader) ID() (BlockID, error) {
	packed, err := codec.Pack(h)
	if err != nil {
		return BlockID{}, err
	}
	sum := sha256.Sum224(packed)
	var id BlockID
	copy(id[:], sum[:])
	binary.BigEndian.PutUint32(id[:], h.Previous.Num()+1)
	return id, nil
}

// Digest returns what the miner signs: SHA-256 of the packed header.
func (h *BlockHeader) Digest() ([32]byte, error) {
	packed, err := codec.Pack(h)
	return sha256.Sum256(packed), err
}

// irreversibleThreshold is the share of the active miners, in percent, that must
// have signed a block or a later one for it to be irreversible.
const irreversibleThreshold = 70

// LastIrreversible returns the number of the last irreversible block by the
// ledger's rule (docs/protocol/daemon-api.md 10): of the active miners' last
// confirmed blocks, sorted, the entry at index ⌊30 % × their count⌋. confirmed
// holds one number per active miner and is sorted in place; without miners the
// result is 0.
func LastIrreversible(confirmed []uint32) uint32 {
	if len(confirmed) == 0 {
		return 0
	}
	slices.Sort(confirmed)
	return confirmed[(100-irreversibleThreshold)*len(confirmed)/100]
}

// MerkleRoot returns the digest of a block's transactions in its header. The
// SHA-256 sums of the packed processed transactions are joined in pairs by SHA-256
// until one is left, an odd last one moving up unchanged; the root is the
// RIPEMD-160 of that one. Without transactions it is zero. It fails if a
// transaction cannot be packed, for example because an operation is not known.
func MerkleRoot(txs []ProcessedTransaction) (Hash160, error) {
	if len(txs) == 0 {
		return Hash160{}, nil
	}
	row := make([][32]byte, len(txs))
	for i := range txs {
		packed, err := codec.Pack(&txs[i])
		if err != nil {
			return Hash160{}, err
		}
		row[i] = sha256.Sum256(packed)
	}
	for len(row) > 1 {
		row = joinPairs(row)
	}
	h := ripemd160.New()
	h.Write(row[0][:])
	return Hash160(h.Sum(nil)), nil
}

func joinPairs(row [][32]byte) [][32]byte {
	next := row[:0]
	for i := 0; i < len(row); i += 2 {
		if i+1 == len(row) {
			next = append(next, row[i])
			break
		}
		pair := append(append(make([]byte, 0, 64), row[i][:]...), row[i+1][:]...)
		next = append(next, sha256.Sum256(pair))
	}
	return next
}
