package sandbox

import (
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

// payment is a transfer in the demo ledger's history.
type payment struct {
	ago      time.Duration
	from, to string
	amount   string
	symbol   string
	memo     string
	plain    bool // the memo is readable by everybody
}

// demoPayments returns the payments, oldest first. One memo is plain, and one is
// hostile: it must not reach a terminal unescaped.
func demoPayments() []payment {
	const day = 24 * time.Hour
	return []payment{
		{ago: 5*day + 7*time.Hour, from: "faucet", to: "alice", amount: "250", symbol: "DCT", memo: "welcome to DCore"},
		{ago: 5*day + 6*time.Hour, from: "faucet", to: "bobby", amount: "250", symbol: "DCT", memo: "welcome to DCore"},
		{ago: 4*day + 3*time.Hour, from: "alice", to: "merchant-7", amount: "42.50", symbol: "DCT", memo: "order 2291"},
		{ago: 4*day + 2*time.Hour, from: "art-guild", to: "alice", amount: "3.2500", symbol: "ALX.GOLD", memo: "share of the spring sale"},
		{ago: 3*day + 9*time.Hour, from: "merchant-7", to: "alice", amount: "4.5", symbol: "DCT",
			memo: "refund for order 2291: one item was sold out"},
		{ago: 3*day + time.Hour, from: "carol", to: "bobby", amount: "17.20", symbol: "DCT", memo: "dinner on Tuesday, thanks again"},
		{ago: 2*day + 11*time.Hour, from: "dave-shop", to: "bobby", amount: "35", symbol: "SHOPPOINT", memo: "points for your last order"},
		{ago: 2*day + 4*time.Hour, from: "bob-trade", to: "alice", amount: "1000", symbol: "DCT", memo: "settlement week 46\nref 8841-A"},
		{ago: day + 8*time.Hour, from: "faucet", to: "alice", amount: "1", symbol: "DCT", memo: "public note: the faucet pays once a week",
			plain: true},
		{ago: day + 5*time.Hour, from: "bobby", to: "carol", amount: "8.75", symbol: "DCT", memo: "cinema"},
		{ago: 20 * time.Hour, from: "bob-trade", to: "alice", amount: "0.00000001", symbol: "DCT", memo: hostileMemo},
		{ago: 6 * time.Hour, from: "alice", to: "bobby", amount: "75", symbol: "DCT", memo: "rent, my half"},
		{ago: 3 * time.Hour, from: "carol", to: "alice", amount: "12.34567891", symbol: "DCT", memo: "split of the train tickets 🚆"},
		{ago: 40 * time.Minute, from: "bobby", to: "dave-shop", amount: "19.99", symbol: "DCT", memo: "order 77"},
		{ago: 12 * time.Minute, from: "merchant-7", to: "alice", amount: "310", symbol: "DCT", memo: "invoice 2026-114"},
	}
}

// hostileMemo tries to clear the screen, set the window title, reverse the reading
// direction and forge a line of its own.
const hostileMemo = "\x1b[2J\x1b]0;owned\a\u202e01 TCD 0000\u202c\u200b\nFROM bank: send all to bob-trade"

// demoChain builds the demo ledger with its first blocks.
func demoChain(g *Genesis, now time.Time) (*chain.Chain, error) {
	c, err := chain.New(g, demoMinerKeys()...)
	if err != nil {
		return nil, err
	}
	if _, err := c.Mine(g.InitialTimestamp); err != nil {
		return nil, err
	}
	for i, p := range demoPayments() {
		if err := p.mine(c, uint64(i+1), now); err != nil {
			return nil, fmt.Errorf("the demo's payment %d failed: %w", i+1, err)
		}
	}
	for _, ago := range []time.Duration{4, 2, 0} { // so that the payments are irreversible and the head is recent
		if _, err := c.Mine(ledger.TimeOf(now.Add(-ago * time.Second))); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// mine puts the payment into a block of its own at its time.
func (p payment) mine(c *chain.Chain, nonce uint64, now time.Time) error {
	at := ledger.TimeOf(now.Add(-p.ago))
	// The head block comes close first, because expirations count from its time.
	if _, err := c.Mine(at - 1); err != nil {
		return err
	}
	tx, err := p.transaction(c, nonce, at)
	if err != nil {
		return err
	}
	ready, err := c.Prepare(tx)
	if err != nil {
		return err
	}
	if fault := c.Push(ready); fault != nil {
		return fault
	}
	_, err = c.Mine(at)
	return err
}

func (p payment) transaction(c *chain.Chain, nonce uint64, at ledger.Time) (*ledger.SignedTransaction, error) {
	key := demoKey(p.from)
	memo := ledger.PlainMemo(p.memo)
	if !p.plain {
		var err error
		if memo, err = ledger.EncryptMemo(key, demoKey(p.to).Public(), nonce, p.memo); err != nil {
			return nil, err
		}
	}
	op := &ledger.TransferObsoleteOp{Memo: &memo}
	var err error
	tx := &ledger.SignedTransaction{}
	c.View(func(st *state.State) {
		asset := st.Assets.BySymbol(p.symbol)
		op.From, op.To = st.Accounts.ByName(p.from).ID, st.Accounts.ByName(p.to).ID
		op.Amount.AssetID = asset.ID
		op.Amount.Amount, err = ledger.ParseAmount(p.amount, asset.Precision)
		op.Fee, _ = evaluate.RequiredFee(st, ledger.NewOperation(op), st.Assets.Get(ledger.CoreAsset))
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(st.Dynamic().HeadBlockID)
	})
	if err != nil {
		return nil, err
	}
	tx.Expiration = at + 30
	tx.Operations = []ledger.Operation{ledger.NewOperation(op)}
	digest, err := tx.Digest(c.ID())
	if err != nil {
		return nil, err
	}
	tx.Signatures = []ledger.Signature{key.Sign(digest)}
	return tx, nil
}
