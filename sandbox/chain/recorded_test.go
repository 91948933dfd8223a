package chain

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/state"
)

func readLines(t *testing.T, path string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

// The operations of the recorded blocks 22 to 26, signed again, must leave the
// results, numbers and histories that the node answered afterwards.
func TestRecordedOperationsLeaveTheRecordedHistory(t *testing.T) {
	b := newBank(t)
	alice, err := ledger.ParseWIF("5J9bWm2ThenDm3tjvmUgHtWCVMUdjRR1pxnRtnJjvKA4b2ut5WK")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[ledger.AccountID]ledger.PrivateKey{nathanID: b.nathan, nathanID + 1: alice}
	recorded := map[uint32]ledger.Block{}
	for _, line := range readLines(t, "testdata/blocks.jsonl") {
		var block ledger.Block
		if err := codec.Unmarshal(line, &block); err != nil {
			t.Fatal(err)
		}
		recorded[block.BlockID.Num()] = block
	}
	for num := uint32(2); num <= 26; num++ {
		want := recorded[num].Transactions
		for _, tx := range want {
			again := b.build()
			again.Operations = tx.Operations
			b.must(b.c.Push(b.sign(again, keys[tx.Operations[0].Body.FeePayer()])))
		}
		got := b.mine()
		if got.BlockID.Num() != num || len(got.Transactions) != len(want) {
			t.Fatalf("block %d has %d transactions, want %d", got.BlockID.Num(), len(got.Transactions), len(want))
		}
		for i, tx := range got.Transactions {
			if !reflect.DeepEqual(tx.OperationResults, want[i].OperationResults) {
				t.Errorf("block %d: the results are %v, want %v", num, tx.OperationResults, want[i].OperationResults)
			}
		}
	}
	b.compareHistories()
}

func (b *bank) compareHistories() {
	b.t.Helper()
	for _, line := range readLines(b.t.(*testing.T), "testdata/history.jsonl") {
		var r struct {
			Case   int             `json:"case"`
			Params []any           `json:"params"`
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			b.t.Fatal(err)
		}
		account, err := ledger.ParseAccountID(r.Params[0].(string))
		if err != nil {
			b.t.Fatal(err)
		}
		var got []*ledger.HistoryRecord
		b.c.View(func(s *state.State) { got = s.History.Page(account, 0, int(r.Params[2].(float64)), 0) })
		if text := marshal(b.t, got); text != string(r.Result) {
			b.t.Errorf("case %d: the history of %s is\n%s, want\n%s", r.Case, account, text, r.Result)
		}
	}
}
