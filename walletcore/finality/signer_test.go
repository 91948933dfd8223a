package finality

import (
	"testing"

	"billfold/ledger"
)

// What is kept of a signer is what its signature says: of the same header with another signature another key, and nothing is kept
// of one that cannot be read.
func TestSignersAreKeptByDigestAndSignature(t *testing.T) {
	signers.Purge()
	digest := [32]byte{1}
	var keys [2]ledger.PublicKey
	var signatures [2]ledger.Signature
	for i := range keys {
		key, err := ledger.GeneratePrivateKey()
		if err != nil {
			t.Fatal(err)
		}
		keys[i], signatures[i] = key.Public(), key.Sign(digest)
	}
	for range 2 {
		for i := range keys {
			if key, err := signerOf(digest, signatures[i]); err != nil || key != keys[i] {
				t.Fatalf("signature %d is of %v, %v and not of %v", i, key, err, keys[i])
			}
		}
		if key, err := signerOf([32]byte{2}, signatures[0]); err == nil && key == keys[0] {
			t.Fatal("the signer of one digest signed another")
		}
		if _, err := signerOf(digest, ledger.Signature{}); err == nil {
			t.Fatal("nobody's signature has a signer")
		}
	}
	if n := signers.Len(); n != 3 {
		t.Errorf("%d signers are kept", n)
	}
}

func BenchmarkSigner(b *testing.B) {
	key, err := ledger.GeneratePrivateKey()
	if err != nil {
		b.Fatal(err)
	}
	digest := [32]byte{1}
	signature := key.Sign(digest)
	type way = func([32]byte, ledger.Signature) (ledger.PublicKey, error)
	for name, signer := range map[string]way{"recovered": ledger.RecoverKey, "kept": signerOf} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := signer(digest, signature); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
