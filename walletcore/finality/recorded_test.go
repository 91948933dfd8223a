package finality

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
)

// recordedBlocks are blocks that the reference node made, as get_block shows them.
func recordedBlocks(t testing.TB) (list [][]byte) {
	t.Helper()
	text, err := os.ReadFile("../../sandbox/chain/testdata/blocks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

func readBlock(t testing.TB, text []byte) (b ledger.Block) {
	t.Helper()
	if err := codec.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	return b
}

// recordedAnchor pins the four miners of the recorded blocks 32 to 36. All
// miners of that network share one key.
func recordedAnchor(t testing.TB) Anchor {
	t.Helper()
	key := readBlock(t, recordedBlocks(t)[0]).SigningKey
	a, err := Pin(ledger.ChainID{}, []Miner{{3, key}, {4, key}, {7, key}, {9, key}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestRecordedBlocksAreProven(t *testing.T) {
	tr := New(recordedAnchor(t))
	for _, text := range recordedBlocks(t) {
		b := readBlock(t, text)
		ids, err := Transactions(&b.SignedBlock)
		if err != nil || !slices.Equal(ids, b.TransactionIDs) {
			t.Errorf("block %d holds %v, want %v (%v)", b.BlockID.Num(), ids, b.TransactionIDs, err)
		}
		if b.Previous != tr.Tip().ID {
			tr.Restart()
		}
		if err := tr.Add(&b.SignedBlockHeader, b.Timestamp); err != nil || tr.Tip().ID != b.BlockID {
			t.Fatalf("block %d: %v, the id is %s, want %s", b.BlockID.Num(), err, tr.Tip().ID, b.BlockID)
		}
		if want := uint32(34); b.BlockID.Num() == 36 && tr.Irreversible().Num() != want {
			t.Errorf("at block 36, signed last by 4, 9, 3 and 7, block %d is proven, want %d", tr.Irreversible().Num(), want)
		}
	}
}

func TestChangedTransactionsAreNoticed(t *testing.T) {
	for _, text := range recordedBlocks(t) {
		b := readBlock(t, text)
		if len(b.Transactions) == 0 {
			continue
		}
		b.Transactions[0].Expiration++
		if ids, err := Transactions(&b.SignedBlock); err == nil {
			t.Errorf("block %d is said to hold %v", b.BlockID.Num(), ids)
		}
		b.Transactions = nil
		if _, err := Transactions(&b.SignedBlock); err == nil {
			t.Errorf("block %d is said to hold nothing", b.BlockID.Num())
		}
	}
}

// A block with an operation that is not fully known shows nothing: it could hold anything.
func TestABlockThatCannotBeReadShowsNothing(t *testing.T) {
	b := ledger.SignedBlock{Transactions: []ledger.ProcessedTransaction{{}}}
	b.Transactions[0].Operations = []ledger.Operation{{Code: 200}}
	if ids, err := Transactions(&b); err == nil || ids != nil {
		t.Errorf("it is said to hold %v", ids)
	}
}

// One "transaction" of 64 bytes must not stand for two whose hashes it is.
func TestNodeOfTheTreeIsNoTransaction(t *testing.T) {
	tx := ledger.ProcessedTransaction{OperationResults: make([]ledger.OperationResult, 0)}
	for {
		packed, err := codec.Pack(&tx)
		if err != nil {
			t.Fatal(err)
		}
		if len(packed) == merkleNode {
			break
		}
		tx.OperationResults = append(tx.OperationResults, ledger.OperationResult{Void: &ledger.Void{}})
	}
	b := ledger.SignedBlock{Transactions: []ledger.ProcessedTransaction{tx}}
	b.TransactionMerkleRoot, _ = ledger.MerkleRoot(b.Transactions)
	if ids, err := Transactions(&b); err == nil {
		t.Errorf("it is taken for %v", ids)
	}
}

// Whatever comes in place of a block, nothing but the recorded blocks is proven.
func FuzzBlocks(f *testing.F) {
	blocks := recordedBlocks(f)
	known := map[ledger.BlockID]bool{{}: true}
	for _, text := range blocks {
		f.Add(text)
		known[readBlock(f, text).BlockID] = true
	}
	anchor := recordedAnchor(f)
	var before, after []ledger.Block
	for _, text := range blocks {
		switch b := readBlock(f, text); b.BlockID.Num() {
		case 32, 33:
			before = append(before, b)
		case 34, 35, 36:
			after = append(after, b)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var b ledger.Block
		if codec.Unmarshal(data, &b) != nil {
			return
		}
		_, _ = Transactions(&b.SignedBlock)
		tr := New(anchor)
		for _, list := range [][]ledger.Block{before, {b}, after} {
			for i := range list {
				_ = tr.Add(&list[i].SignedBlockHeader, 1<<32-1)
			}
		}
		if got := tr.Irreversible(); !known[got.ID] {
			t.Errorf("block %s is proven", got.ID)
		}
	})
}

// What a header costs: nearly all of it is the key of the signature.
func BenchmarkAdd(b *testing.B) {
	n := newNetwork(11, inOrder)
	n.mine(1000)
	a := n.anchor(b)
	for b.Loop() {
		n.feed(b, New(a), 1, 1000)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/header")
}
