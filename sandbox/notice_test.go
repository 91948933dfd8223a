package sandbox

import (
	"encoding/json"
	"testing"

	"billfold/ledger"
)

func (c *client) pay(from ledger.PrivateKey, op *ledger.TransferObsoleteOp) *ledger.SignedTransaction {
	c.t.Helper()
	return c.sign([]ledger.PrivateKey{from}, op)
}

// notice receives a notice and checks the callback number.
func (c *client) notice(callback string) json.RawMessage {
	c.t.Helper()
	a := c.receive()
	if a.Method != "notice" || a.ID != nil || len(a.Params) != 2 || string(a.Params[0]) != callback {
		c.t.Fatalf("want a notice to %s, got %+v", callback, a)
	}
	return a.Params[1]
}

func TestNoticesTellPendingBlockAndInclusion(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	other := dial(t, s)
	c.get(nil, 0, "set_block_applied_callback", 78)
	other.get(nil, 0, "set_pending_transaction_callback", 79)
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	tx := c.pay(DemoKeys()[0].Key, op)
	c.get(nil, "network_broadcast", "broadcast_transaction_with_callback", 77, tx)

	var pending []ledger.SignedTransaction
	id, _ := tx.ID()
	if err := json.Unmarshal(other.notice("79"), &pending); err != nil {
		t.Fatal(err)
	}
	if got, _ := pending[0].ID(); got != id {
		t.Errorf("pending is %s, want %s", got, id)
	}
	block := mine(t, s)
	if got, want := string(c.notice("78")), `["`+block.String()+`"]`; got != want {
		t.Errorf("the block notice is %s, want %s", got, want)
	}
	var in []included
	if err := json.Unmarshal(c.notice("77"), &in); err != nil {
		t.Fatal(err)
	}
	if in[0].ID != id || in[0].BlockNum != block.Num() || in[0].TrxNum != 0 || len(in[0].Trx.OperationResults) != 1 {
		t.Errorf("the inclusion notice is %+v", in[0])
	}
	next := mine(t, s)
	if got, want := string(c.notice("78")), `["`+next.String()+`"]`; got != want {
		t.Errorf("the second block notice is %s, want %s", got, want)
	}
}

func TestRefusedBroadcastLeavesNoExpectation(t *testing.T) {
	s := start(t, Options{})
	c := dial(t, s).enable()
	op := &ledger.TransferObsoleteOp{From: c.account("alice").ID, To: c.account("bobby").ID, Amount: ledger.AssetAmount{Amount: 5}}
	tx := c.pay(DemoKeys()[1].Key, op)
	c.refused(405, "network_broadcast", "broadcast_transaction_with_callback", 77, tx)
	mine(t, s)
	c.get(nil, 0, "info") // nothing came in between
	s.hub.mu.Lock()
	defer s.hub.mu.Unlock()
	for id, list := range s.hub.waiting {
		if len(list) > 0 {
			t.Errorf("%s is still waited for", id)
		}
	}
}
