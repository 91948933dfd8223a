package ledger

import "testing"

func TestLastIrreversibleIsWhatSevenOfTenBuiltOn(t *testing.T) {
	for _, c := range []struct {
		confirmed []uint32
		want      uint32
	}{
		{nil, 0},
		{[]uint32{9}, 9},
		{[]uint32{9, 4, 8}, 4},
		{[]uint32{10, 9, 0, 8}, 8},
		{[]uint32{5, 4, 3, 2, 1, 7, 6}, 3},
		{[]uint32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 4},
		{[]uint32{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, 4},
	} {
		if got := LastIrreversible(c.confirmed); got != c.want {
			t.Errorf("of %v it is %d, want %d", c.confirmed, got, c.want)
		}
	}
}

func TestMerkleRootTellsTransactionsApart(t *testing.T) {
	list := func(expirations ...Time) (txs []ProcessedTransaction) {
		for _, at := range expirations {
			tx := ProcessedTransaction{}
			tx.Expiration = at
			txs = append(txs, tx)
		}
		return txs
	}
	seen := map[Hash160]int{}
	for i, txs := range [][]ProcessedTransaction{
		nil, list(1), list(1, 1), list(1, 2), list(2, 1), list(1, 2, 3), list(1, 2, 3, 3), list(1, 2, 3, 4),
	} {
		root, err := MerkleRoot(txs)
		if other, again := seen[root]; err != nil || again {
			t.Errorf("list %d has the root of list %d (%v)", i, other, err)
		}
		seen[root] = i
	}
	if root, _ := MerkleRoot(nil); root != (Hash160{}) {
		t.Errorf("without transactions the root is %s", root)
	}
}
