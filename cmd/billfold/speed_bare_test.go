package main

import (
	"context"
	"encoding/json"
	"testing"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/ledger/codec"
)

// barePayer pays over its own connection to the node and does only what every payment needs:
// a memo under a known secret, a signature, a call.
type barePayer struct {
	client *daemonclient.Client
	end    func()
	key    ledger.PrivateKey
	chain  ledger.ChainID
	shared ledger.SharedSecret
	tx     ledger.SignedTransaction // made by the wallet; each call changes memo and signature
	op     *ledger.TransferObsoleteOp
}

// dialNode returns a payer without a wallet.
func (s *nodeStage) dialNode(t testing.TB) caller {
	ctx, cancel := context.WithCancel(context.Background())
	c := &barePayer{client: daemonclient.New(daemonclient.Config{URL: s.node}), key: s.key}
	done := make(chan error, 1)
	go func() { done <- c.client.Run(ctx) }()
	c.end = func() {
		cancel()
		<-done
	}
	must(t, c.client.WaitOnline(ctx))
	c.chain = c.client.Status().ChainID
	line := dialWS(s.billfold.ws, s.transfer("false"))(t)
	defer line.close()
	answer, err := line.(wsCaller).ask()
	must(t, err)
	var made struct {
		Result json.RawMessage `json:"result"`
	}
	must(t, json.Unmarshal(answer, &made))
	must(t, codec.Unmarshal(made.Result, &c.tx))
	c.op = c.tx.Operations[0].Body.(*ledger.TransferObsoleteOp)
	c.shared, err = s.key.SharedSecret(c.op.Memo.To)
	must(t, err)
	return c
}

func (c *barePayer) close() { c.end() }

func (c *barePayer) call() error {
	memo, err := ledger.EncryptMemoWith(c.shared, c.op.Memo.From, c.op.Memo.To, 0, "memo here")
	if err != nil {
		return err
	}
	*c.op.Memo = memo
	digest, err := c.tx.Digest(c.chain)
	if err != nil {
		return err
	}
	c.tx.Signatures = []ledger.Signature{c.key.Sign(digest)}
	return c.client.BroadcastTransaction(context.Background(), &c.tx)
}
