package chain

import (
	"bytes"
	"os"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/state"
)

func readGenesis(t testing.TB) *genesis.Genesis {
	t.Helper()
	text, err := os.ReadFile("testdata/genesis.json")
	if err != nil {
		t.Fatal(err)
	}
	g, err := genesis.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newChain(t testing.TB) *Chain {
	t.Helper()
	c, err := New(readGenesis(t))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestGenesisGivesTheRecordedChainID(t *testing.T) {
	const want = "640bd0c466552fe0e6314c05a62bf69b66ae59490f2314f1b82c771c434d7a82"
	if got := readGenesis(t).ChainID().String(); got != want {
		t.Errorf("the chain id is %s, want %s", got, want)
	}
}

// The blocks were made by the reference node.
func TestRecordedBlocksHaveOurMerkleRootAndID(t *testing.T) {
	text, err := os.ReadFile("testdata/blocks.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	for _, line := range lines {
		var b ledger.Block
		if err := codec.Unmarshal(line, &b); err != nil {
			t.Fatal(err)
		}
		if root, err := ledger.MerkleRoot(b.Transactions); err != nil || root != b.TransactionMerkleRoot {
			t.Errorf("block %d: root %s, want %s (%v)", b.BlockID.Num(), root, b.TransactionMerkleRoot, err)
		}
		if id, err := b.SignedBlockHeader.ID(); err != nil || id != b.BlockID {
			t.Errorf("block %d: id %s, want %s (%v)", b.BlockID.Num(), id, b.BlockID, err)
		}
		digest, err := b.BlockHeader.Digest()
		if err != nil {
			t.Fatal(err)
		}
		if key, err := ledger.RecoverKey(digest, b.MinerSignature); err != nil || key != b.SigningKey {
			t.Errorf("block %d: signed by %s, want %s (%v)", b.BlockID.Num(), key, b.SigningKey, err)
		}
	}
	if len(lines) < 10 {
		t.Errorf("only %d blocks were looked at", len(lines))
	}
}

func TestOwnBlocksLinkAndVerify(t *testing.T) {
	c := newChain(t)
	var previous ledger.BlockID
	for n := uint32(1); n <= 25; n++ {
		mined, err := c.Mine(0)
		if err != nil {
			t.Fatal(err)
		}
		b := mined.Block
		digest, err := b.BlockHeader.Digest()
		if err != nil {
			t.Fatal(err)
		}
		key, err := ledger.RecoverKey(digest, b.MinerSignature)
		if err != nil || key != b.SigningKey || b.Previous != previous || b.BlockID.Num() != n {
			t.Fatalf("block %d: %+v (%v)", n, b, err)
		}
		previous = b.BlockID
	}
	c.View(func(s *state.State) {
		d := s.Dynamic()
		if d.LastIrreversibleBlockNum > 25-7 || d.LastIrreversibleBlockNum < 25-7-11 || d.HeadBlockID != previous ||
			d.Time != readGenesis(t).InitialTimestamp+25 {
			t.Errorf("the head is %+v", d)
		}
	})
}

func TestMinerKeySignsItsOwnBlocks(t *testing.T) {
	key, err := ledger.ParseWIF("5KEndUCX4AhTVscE8Xn9QG6Mp1DUEYhU5VrcYzZd6i8gmKP9Jmd")
	if err != nil {
		t.Fatal(err)
	}
	c, err := New(readGenesis(t), key)
	if err != nil {
		t.Fatal(err)
	}
	mined, err := c.Mine(0)
	if err != nil {
		t.Fatal(err)
	}
	c.View(func(s *state.State) {
		if want := s.Miners.Get(mined.Block.Miner).SigningKey; mined.Block.SigningKey != want {
			t.Errorf("signed by %s, want %s", mined.Block.SigningKey, want)
		}
	})
}

func FuzzReadGenesis(f *testing.F) {
	text, err := os.ReadFile("testdata/genesis.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"initial_timestamp":"2026-01-01T00:00:00"}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := genesis.Read(data)
		if err != nil {
			return
		}
		c, err := New(g)
		if err != nil {
			return
		}
		if _, err := c.Mine(0); err != nil {
			t.Errorf("a genesis that was accepted makes no block: %v", err)
		}
	})
}
