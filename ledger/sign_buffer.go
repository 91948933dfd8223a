package ledger

import "crypto/sha256"

// BufferDigest returns the digest of data that SignBuffer signs.
func BufferDigest(data []byte) [sha256.Size]byte { return sha256.Sum256(data) }

// SignBuffer signs SHA-256 of any bytes. The signature proves possession of the
// key and cannot serve in a transaction.
func (k PrivateKey) SignBuffer(data []byte) Signature { return k.Sign(BufferDigest(data)) }

// VerifyBuffer reports whether key made sig over data with SignBuffer.
func VerifyBuffer(data []byte, key PublicKey, sig Signature) bool {
	recovered, err := RecoverKey(BufferDigest(data), sig)
	return err == nil && recovered == key
}
