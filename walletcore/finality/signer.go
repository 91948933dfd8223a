package finality

import (
	lru "github.com/hashicorp/golang-lru/v2"

	"billfold/ledger"
)

// mostSigners is how many signers are kept: those of the blocks that several trackers read, and that are read once more after
// the link to a daemon broke.
const mostSigners = 1024

// signerKey is all that the key of a signer follows from, and so what it is kept by: the digest of a header, and the signature. An id
// would not do: of its hash only 128 bits are left.
type signerKey struct {
	digest    [32]byte
	signature ledger.Signature
}

// signers are shared by all trackers: payments, deposits and their proofs read the same blocks, and a key takes an eighth of
// a millisecond to recover.
var signers, _ = lru.New[signerKey, ledger.PublicKey](mostSigners) // fails for a negative size alone

// signerOf returns the key whose signature of a header this is.
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
