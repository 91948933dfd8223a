package history

import (
	"cmp"
	"slices"

	"billfold/ledger"
)

// Movement is what an operation moves from an account to another, or to content.
type Movement struct {
	From   ledger.AccountID
	To     ledger.ObjectID
	Amount ledger.AssetAmount
}

// MovementOf returns what a transfer or an issue of an asset moves. It reports false for
// any other operation.
func MovementOf(body ledger.Body) (Movement, bool) {
	switch op := body.(type) {
	case *ledger.TransferObsoleteOp:
		return Movement{op.From, op.To.Object(), op.Amount}, true
	case *ledger.TransferOp:
		return Movement{op.From, op.To, op.Amount}, true
	case *ledger.AssetIssueOp:
		return Movement{op.Issuer, op.IssueToAccount.Object(), op.AssetToIssue}, true
	}
	return Movement{}, false
}

// movementsOf returns what a row of an account shows as moved, DCT first, and in which direction: for a payment the
// payment, for any other operation the amounts that it takes from the account, or those that it adds. They all have the
// same direction. An amount that comes from the ledger is shown as from the account that pays the fee; one that goes to
// the ledger as to the operation's only receiver, or to 0.0.0.
func movementsOf(id ledger.AccountID, op ledger.Operation) (out []Movement, direction Direction) {
	if m, is := MovementOf(op.Body); is {
		return []Movement{m}, directionOf(id, m)
	}
	for _, m := range op.Moves() {
		one, way := Movement{From: id, To: m.To, Amount: m.Amount}, Out
		switch {
		case m.Amount.Amount == 0, m.From != id.Object() && m.To != id.Object():
			continue
		case m.From != id.Object():
			way, one.From = In, op.Body.FeePayer()
			if from := ledger.AccountID(m.From.Instance()); from.Object() == m.From {
				one.From = from
			}
		case m.To == id.Object():
			way = Self
		case m.To == 0 && len(op.Receivers()) == 1:
			one.To = op.Receivers()[0].Object()
		}
		if len(out) > 0 && way != direction {
			continue
		}
		direction, out = way, append(out, one)
	}
	slices.SortStableFunc(out, func(a, b Movement) int { return cmp.Compare(a.Amount.AssetID, b.Amount.AssetID) })
	return out, direction
}

// directionOf returns the direction of a payment as an account sees it.
func directionOf(id ledger.AccountID, m Movement) Direction {
	switch to := m.To == id.Object(); {
	case m.From == id && to:
		return Self
	case m.From == id:
		return Out
	case to:
		return In
	}
	return Other
}
