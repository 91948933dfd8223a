package reconcile

import (
	"math/big"

	"billfold/ledger"
)

// effect is what an operation did to an account: smallest units by asset, never negative.
type effect struct {
	in, out map[ledger.AssetID]*big.Int
	fee     ledger.AssetAmount
}

// effectOf returns what an operation did to an account; known is false where the operation
// does not say what it moved.
func effectOf(id ledger.AccountID, op ledger.Operation) (e effect, known bool) {
	e = effect{in: map[ledger.AssetID]*big.Int{}, out: map[ledger.AssetID]*big.Int{}}
	if op.Body == nil {
		return e, false
	}
	self := id.Object()
	for _, m := range op.Moves() {
		if m.From == self {
			add(e.out, m.Amount.AssetID, m.Amount.Amount)
		}
		if m.To == self || m.From != self && paysAuthor(op.Body) {
			add(e.in, m.Amount.AssetID, m.Amount.Amount)
		}
	}
	if op.Body.FeePayer() == id && !op.Code.IsVirtual() {
		e.fee = *op.Fee()
	}
	switch body := op.Body.(type) {
	case *ledger.ContentSubmitOp: // into escrow
		add(e.out, body.PublishingFee.AssetID, body.PublishingFee.Amount)
	case *ledger.FinishBuyingOp: // the shares of co-authors are rounded by the ledger
		return e, len(body.CoAuthors) == 0
	case *ledger.RenewalOfSubscriptionOp: // names no price
		return e, false
	}
	return e, true
}

// paysAuthor reports whether an operation pays content: it is in the histories of the payer and the author.
func paysAuthor(body ledger.Body) bool {
	op, is := body.(*ledger.TransferOp)
	if !is {
		return false
	}
	_, err := ledger.ParseAccountID(op.To.String())
	return err != nil
}

// add adds to a sum.
func add(to map[ledger.AssetID]*big.Int, asset ledger.AssetID, amount int64) {
	if amount == 0 {
		return
	}
	if to[asset] == nil {
		to[asset] = new(big.Int)
	}
	to[asset].Add(to[asset], big.NewInt(amount))
}

// ofNode is the effect on an account as the node tells it, with signs. What the account paid to itself the node tells
// as received only.
func ofNode(id ledger.AccountID, c ledger.BalanceChange, fee ledger.AssetAmount) effect {
	e := effect{in: map[ledger.AssetID]*big.Int{}, out: map[ledger.AssetID]*big.Int{}, fee: fee}
	for _, a := range []ledger.AssetAmount{c.Balance.Asset0, c.Balance.Asset1} {
		if a.Amount > 0 {
			add(e.in, a.AssetID, a.Amount)
		} else {
			add(e.out, a.AssetID, -a.Amount)
		}
	}
	for _, m := range c.Record.Op.Moves() {
		if m.From == id.Object() && m.To == id.Object() {
			add(e.out, m.Amount.AssetID, m.Amount.Amount)
		}
	}
	return e
}
