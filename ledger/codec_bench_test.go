package ledger

import (
	"crypto/sha256"
	"testing"

	"billfold/ledger/codec"
)

func benchTransfer(b *testing.B) *Transaction {
	b.Helper()
	memo, err := EncryptMemo(DeriveKey("bench", 0), DeriveKey("bench", 1).Public(), 7, "rent november, thank you")
	if err != nil {
		b.Fatal(err)
	}
	return &Transaction{RefBlockNum: 24, RefBlockPrefix: 2915210885, Expiration: 1_800_000_000, Operations: []Operation{
		NewOperation(
			&TransferObsoleteOp{Fee: AssetAmount{Amount: 100000}, From: 16, To: 17, Amount: AssetAmount{Amount: 1225000000}, Memo: &memo},
		)}}
}

// The id costs what packing and hashing cost; the bare hash of the same bytes
// is the limit.
func BenchmarkTransactionID(b *testing.B) {
	tx := benchTransfer(b)
	packed, err := tx.Pack()
	if err != nil {
		b.Fatal(err)
	}
	b.Run("limit: SHA-256 of the bytes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sha256.Sum256(packed)
		}
	})
	b.Run("pack and id", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := tx.ID(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkOperationJSON(b *testing.B) {
	tx := benchTransfer(b)
	text, err := codec.Marshal(tx)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("write", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := codec.Marshal(tx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var out Transaction
			if err := codec.Unmarshal(text, &out); err != nil {
				b.Fatal(err)
			}
		}
	})
}
