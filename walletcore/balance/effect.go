package balance

import (
	"math/big"

	"billfold/ledger"
)

// Effect is the change that an operation made to an account: smallest units by asset, never negative.
type Effect struct {
	In, Out map[ledger.AssetID]*big.Int
	Fee     ledger.AssetAmount
}

// NewEffect returns an Effect that moves nothing.
func NewEffect() Effect {
	return Effect{In: map[ledger.AssetID]*big.Int{}, Out: map[ledger.AssetID]*big.Int{}}
}

// Receive adds to the incoming amounts.
func (e Effect) Receive(asset ledger.AssetID, amount int64) { addTo(e.In, asset, amount) }

// Pay adds to the outgoing amounts.
func (e Effect) Pay(asset ledger.AssetID, amount int64) { addTo(e.Out, asset, amount) }

// net returns what the effect adds to the balance of each asset; less than zero is a loss.
func (e Effect) net() map[ledger.AssetID]*big.Int {
	out := map[ledger.AssetID]*big.Int{}
	sum := func(asset ledger.AssetID) *big.Int {
		if out[asset] == nil {
			out[asset] = new(big.Int)
		}
		return out[asset]
	}
	for asset, n := range e.In {
		sum(asset).Add(sum(asset), n)
	}
	for asset, n := range e.Out {
		sum(asset).Sub(sum(asset), n)
	}
	if e.Fee.Amount != 0 {
		fee := sum(e.Fee.AssetID)
		fee.Sub(fee, big.NewInt(e.Fee.Amount))
	}
	return out
}

// EffectOf returns what an operation did to an account; known is false if the operation does not state what it moved.
func EffectOf(id ledger.AccountID, op ledger.Operation) (e Effect, known bool) {
	e = NewEffect()
	if op.Body == nil {
		return e, false
	}
	self := id.Object()
	for _, m := range op.Moves() {
		if m.From == self {
			e.Pay(m.Amount.AssetID, m.Amount.Amount)
		}
		if m.To == self || m.From != self && paysAuthor(op.Body) {
			e.Receive(m.Amount.AssetID, m.Amount.Amount)
		}
	}
	if op.Body.FeePayer() == id && !op.Code.IsVirtual() {
		e.Fee = *op.Fee()
	}
	switch body := op.Body.(type) {
	case *ledger.FinishBuyingOp: // the ledger rounds the shares of co-authors
		return e, len(body.CoAuthors) == 0
	case *ledger.RenewalOfSubscriptionOp: // names no price
		return e, false
	}
	return e, true
}

// paysAuthor reports whether an operation pays for content: it is in the histories of the payer and the author only.
func paysAuthor(body ledger.Body) bool {
	op, is := body.(*ledger.TransferOp)
	if !is {
		return false
	}
	_, err := ledger.ParseAccountID(op.To.String())
	return err != nil
}

// addTo adds to the sum of an asset.
func addTo(to map[ledger.AssetID]*big.Int, asset ledger.AssetID, amount int64) {
	if amount == 0 {
		return
	}
	if to[asset] == nil {
		to[asset] = new(big.Int)
	}
	to[asset].Add(to[asset], big.NewInt(amount))
}
