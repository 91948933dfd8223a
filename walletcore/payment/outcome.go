package payment

import (
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
)

// outcome is what a repeated request is answered.
func (e *entry) outcome() (*build.Signed, error) {
	switch e.State {
	case Rejected:
		return nil, &fault.Error{
			Code:    e.code,
			Op:      "transfer",
			Message: "the first request under this key was refused: " + e.Reason,
			Hint:    "nothing was spent; use a new key to try again",
		}
	case Expired:
		return nil, &fault.Error{
			Code:    fault.Expired,
			Op:      "transfer",
			Message: "the first payment under this key did not happen: " + e.Reason,
			Hint:    "use a new key to try again",
		}
	case Unknown, Prepared:
		if e.refused() {
			return nil, &fault.Error{
				Code:      e.code,
				Op:        "transfer",
				Message:   "the first request under this key was refused: " + e.Reason,
				Hint:      mayHappen(e.Expiration),
				Unsettled: true,
			}
		}
		return nil, &fault.Error{
			Unsettled: true,
			Code:      fault.OutcomeUnknown,
			Op:        "transfer",
			Message:   "transaction " + e.ID.String() + " of the first request under this key may still happen",
			Hint:      "do not send it again; get_payment reports its outcome",
		}
	case Sent, InBlock, Irreversible:
	}
	return &build.Signed{SignedTransaction: e.tx, TransactionID: e.ID}, nil
}
