package finality

import (
	"billfold/ledger"

	lru "github.com/hashicorp/golang-lru/v2"
)

// mostSigners is how many signers are cached: those of blocks that several trackers read, and that are read again after
// the connection to a daemon broke.
const mostSigners = 1024

// signerKey is everything that a signer's key follows from: the digest of a header, and the signature. An id would not
// do, because only 128 bits of its hash remain.
type signerKey struct {
	digest    [32]byte
	signature ledger.Signature
}

// signers is shared by all trackers: payments, deposits and their proofs read the same blocks, and recovering a key
// takes an eighth of a millisecond.
var signers, _ = lru.New[signerKey, ledger.PublicKey](mostSigners) // it fails only for a negative size

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
