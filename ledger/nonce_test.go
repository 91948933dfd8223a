package ledger

import (
	"crypto/rand"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// The nonces are those of the library, with and without more bytes, and further on in the stream.
func TestNoncesAreThoseOfRFC6979(t *testing.T) {
	t.Parallel()
	for range 50 {
		var secret, digest, extra [32]byte
		for _, b := range []*[32]byte{&secret, &digest, &extra} {
			_, _ = rand.Read(b[:])
		}
		for skips := range 4 {
			if got, want := nonceOf(&secret, &digest, nil, skips), secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, uint32(skips)); !got.Equals(want) {
				t.Fatalf("secret %x, digest %x, %d skipped: %v, want %v", secret, digest, skips, got, want)
			}
			if got, want := nonceOf(&secret, &digest, &extra, skips), secp256k1.NonceRFC6979(secret[:], digest[:], extra[:], nil, uint32(skips)); !got.Equals(want) {
				t.Fatalf("secret %x, digest %x, extra %x, %d skipped: %v, want %v", secret, digest, extra, skips, got, want)
			}
		}
	}
}

func BenchmarkNonce(b *testing.B) {
	secret, digest := [32]byte{1}, [32]byte{2}
	b.Run("ours", func(b *testing.B) {
		for b.Loop() {
			nonceOf(&secret, &digest, nil, 1)
		}
	})
	b.Run("library", func(b *testing.B) {
		for b.Loop() {
			secp256k1.NonceRFC6979(secret[:], digest[:], nil, nil, 1)
		}
	})
}
