package walletcore_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/walletcore/finality"
)

// node is a sandbox that is queried as any client would.
type node struct {
	*sandbox.Sandbox
	t *testing.T
}

func startNode(t *testing.T, genesis *sandbox.Genesis) node {
	t.Helper()
	box, err := sandbox.New(sandbox.Options{Genesis: genesis, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- box.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return node{box, t}
}

func (n node) ask(into any, method string, params ...any) {
	n.t.Helper()
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		n.t.Fatal(err)
	}
	resp, err := http.Post(n.HTTPURL(), "application/json", bytes.NewReader(body))
	if err != nil {
		n.t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		n.t.Fatal(err)
	}
	if err := codec.Unmarshal(answer.Result, into); err != nil {
		n.t.Fatalf("%s: %v: %.200s", method, err, answer.Result)
	}
}

// pin returns the anchor that a wallet makes at first contact.
func (n node) pin() finality.Anchor {
	n.t.Helper()
	var global ledger.GlobalProperties
	n.ask(&global, "get_global_properties")
	objects := make([]struct {
		SigningKey ledger.PublicKey `json:"signing_key"`
	}, 0)
	n.ask(&objects, "get_miners", global.ActiveMiners)
	var miners []finality.Miner
	for i, id := range global.ActiveMiners {
		miners = append(miners, finality.Miner{ID: id, Key: objects[i].SigningKey})
	}
	a, err := finality.Pin(n.ChainID(), miners, global.Parameters.BlockInterval)
	if err != nil {
		n.t.Fatal(err)
	}
	return a
}

// follow feeds the tracker the blocks after its tip, and compares the result with the node's own claim.
func (n node) follow(tr *finality.Tracker) {
	n.t.Helper()
	var dyn ledger.DynamicGlobalProperties
	n.ask(&dyn, "get_dynamic_global_properties")
	for num := tr.Tip().Num() + 1; num <= dyn.HeadBlockNumber; num++ {
		var block ledger.Block
		n.ask(&block, "get_block", num)
		ids, err := finality.Transactions(&block.SignedBlock)
		if err != nil {
			n.t.Fatal(err)
		}
		for i, id := range ids {
			if id != block.TransactionIDs[i] {
				n.t.Errorf("block %d: transaction %d is %s, the node says %s", num, i, id, block.TransactionIDs[i])
			}
		}
		if err := tr.Add(&block.SignedBlockHeader, block.Timestamp+60); err != nil {
			n.t.Fatal(err)
		}
	}
	if tr.Tip().ID != dyn.HeadBlockID || tr.Irreversible().Num() != dyn.LastIrreversibleBlockNum {
		n.t.Errorf("at head %d block %d is proven, the node says %d", tr.Tip().Num(), tr.Irreversible().Num(), dyn.LastIrreversibleBlockNum)
	}
}

func (n node) mine(blocks int) {
	for range blocks {
		if _, err := n.Mine(); err != nil {
			n.t.Fatal(err)
		}
	}
}

// What the sandbox reports as irreversible is what its signatures prove, for the demo
// with payments in its blocks and for a genesis whose miners' keys it lacks.
func TestSandboxBlocksAreProven(t *testing.T) {
	text, err := os.ReadFile("../sandbox/testdata/genesis.json")
	if err != nil {
		t.Fatal(err)
	}
	given, err := sandbox.ReadGenesis(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, genesis := range map[string]*sandbox.Genesis{"demo": nil, "given": given} {
		t.Run(name, func(t *testing.T) {
			n := startNode(t, genesis)
			tr := finality.New(n.pin())
			n.mine(45)
			n.follow(tr)
			if genesis == nil {
				for range 3 {
					if _, err := n.Fund("alice", "1", "DCT"); err != nil {
						t.Fatal(err)
					}
					n.Jump(time.Minute)
					n.mine(1)
					n.follow(tr)
				}
			}
			n.mine(40)
			n.follow(tr)
		})
	}
}
