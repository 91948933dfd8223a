package ledger

import (
	"crypto/sha256"

	"billfold/ledger/codec"

	//lint:ignore SA1019 The header of a block holds a RIPEMD-160 of a SHA-256; it only has to withstand a second preimage.
	"golang.org/x/crypto/ripemd160"
)

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
