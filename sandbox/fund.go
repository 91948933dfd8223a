package sandbox

import (
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// PushUnsigned makes a transaction of the operations and adds it to the pending
// ones as a broadcast does, except that it needs no signature. Fees that are zero
// are filled in.
func (c *Controls) PushUnsigned(ops ...ledger.Operation) (ledger.TransactionID, error) {
	tx := &ledger.SignedTransaction{}
	tx.Operations, tx.Signatures = ops, []ledger.Signature{}
	var err error
	c.chain.View(func(st *state.State) {
		tx.RefBlockNum, tx.RefBlockPrefix = ledger.BlockRef(st.Dynamic().HeadBlockID)
		tx.Expiration = st.HeadTime() + unsignedLife
		for _, op := range ops {
			if fee := op.Fee(); err == nil && fee.Amount == 0 && fee.AssetID == ledger.CoreAsset {
				_, err = st.Global().Parameters.CurrentFees.SetFee(op)
			}
		}
	})
	if err != nil {
		return ledger.TransactionID{}, err
	}
	return c.pushTrusted(tx)
}

// unsignedLife is the validity of an unsigned transaction in seconds; each
// equal one is valid for one second more.
const unsignedLife = 3600

// pushTrusted pushes a transaction without checking signatures. It gives equal
// transactions different expirations, so that each has its own id.
func (c *Controls) pushTrusted(tx *ledger.SignedTransaction) (ledger.TransactionID, error) {
	for {
		p, err := c.chain.PrepareTrusted(tx)
		if err != nil {
			return ledger.TransactionID{}, err
		}
		if c.chain.Knows(p.ID) {
			tx.Expiration++
			continue
		}
		if fault := c.chain.Push(p); fault != nil {
			return p.ID, fault
		}
		c.hub.transactionPending(tx)
		return p.ID, nil
	}
}

// Fund pays an account, given by name or id, an amount such as "12.5" of the asset
// with the given symbol. DCT comes from the null account, so its supply stays the
// same; any other asset is issued by its issuer.
func (c *Controls) Fund(account, amount, symbol string) (ledger.TransactionID, error) {
	var op ledger.Body
	var err error
	c.chain.View(func(st *state.State) { op, err = funding(st, account, amount, symbol) })
	if err != nil {
		return ledger.TransactionID{}, err
	}
	return c.PushUnsigned(ledger.NewOperation(op))
}

func funding(st *state.State, ref, amount, symbol string) (ledger.Body, error) {
	account, asset := st.Accounts.Find(ref), st.Assets.Find(symbol)
	switch {
	case account == nil:
		return nil, nodeerr.New(nodeerr.CodeNoAccount, "call", "account: ${name}", nodeerr.Data{"name": ref})
	case asset == nil:
		return nil, fmt.Errorf("there is no asset %s; list_assets names those that exist", symbol)
	}
	units, err := ledger.ParseAmount(amount, asset.Precision)
	if err != nil {
		return nil, err
	}
	sum := ledger.AssetAmount{Amount: units, AssetID: asset.ID}
	if asset.ID == ledger.CoreAsset {
		return &ledger.TransferOp{From: ledger.NullAccount, To: account.ID.Object(), Amount: sum}, nil
	}
	return &ledger.AssetIssueOp{Issuer: asset.Issuer, AssetToIssue: sum, IssueToAccount: account.ID}, nil
}
