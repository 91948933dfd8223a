package history

import "billfold/ledger"

// Movement is what an operation moves from an account to another, or to content.
type Movement struct {
	From   ledger.AccountID
	To     ledger.ObjectID
	Amount ledger.AssetAmount
}

// MovementOf returns what a row of a history shows as moved; false for operations
// that are shown without an amount.
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
