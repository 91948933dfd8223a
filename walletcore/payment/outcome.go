package payment

import (
	"strconv"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/txbuild"
)

// asFinalFailure completes the error of a payment that is rejected or expired. Under a request key it says that a new
// key is needed, and its code is never one for a temporary failure of a daemon, which would mean trying again later.
func (e *entry) asFinalFailure(failure *fault.Error) *fault.Error {
	if e.Key == "" {
		return failure
	}
	failure.RequestKey = fault.KeyNew
	for _, passing := range []fault.Code{
		fault.DaemonAway, fault.DaemonStale, fault.DaemonsDisagree, fault.DaemonGarbage, fault.WrongChain, fault.Canceled,
	} {
		if failure.Code == passing {
			failure.Code, failure.Message = fault.NeverSent, "the payment under this request key was never sent: "+e.Reason
			failure.Hint = "nothing was spent, and this key never pays; make the payment again under a new request key"
		}
	}
	return failure
}

// outcome returns the answer to a repeated request.
func (e *entry) outcome() (*txbuild.Signed, error) {
	switch e.State {
	case Rejected:
		came := "was refused: "
		if e.code == fault.MadeElsewhere {
			came = "did not happen: "
		}
		return nil, e.asFinalFailure(&fault.Error{
			Code:    e.code,
			Op:      "transfer",
			Message: "the first request under this key " + came + e.refusal(),
			Data:    e.daemon,
			Hint:    "nothing was spent; use a new key to try again",
		})
	case Expired:
		return nil, e.asFinalFailure(&fault.Error{
			Code:    fault.Expired,
			Op:      "transfer",
			Message: "the first payment under this key did not happen: " + e.Reason,
			Hint:    "use a new key to try again",
		})
	case Unknown, Prepared:
		if e.refused() {
			return nil, &fault.Error{
				Code:      e.code,
				Op:        "transfer",
				Message:   "the first request under this key was refused: " + e.refusal(),
				Data:      e.daemon,
				Hint:      mayHappenHint(e.Expiration),
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
	if e.givenUp != "" {
		return nil, e.notKnown("the payment under this request key was made, as transaction " + e.ID.String() + " in block " + strconv.Itoa(int(e.Block)))
	}
	return &txbuild.Signed{SignedTransaction: e.tx, TransactionID: e.ID}, nil
}

// dryOutcome returns why the same request under the key of this payment would pay nothing: what came of the first one.
func (e *entry) dryOutcome(op string) error {
	if _, err := e.outcome(); err != nil {
		return err
	}
	return &fault.Error{Code: fault.RequestKey, Op: op, RequestKey: fault.KeySame,
		Message: "this request was made already under the key " + fault.Quote(e.Key) + ", and its transaction " + e.ID.String() + " is " + e.State.String(),
		Hint:    "the same request again pays nothing and returns that transaction"}
}

// notKnown returns the answer about a payment of which only the outcome is known.
func (e *entry) notKnown(message string) *fault.Error {
	return &fault.Error{Code: fault.File, Op: "transfer",
		Message: message + "; what was signed was in " + e.givenUp + ", an archive that was given up",
		Hint:    "nothing was sent; get_payment " + e.Key + " reports its outcome; do not pay again what that was for"}
}

// mayHappenHint returns the advice for a payment that a daemon received and refused.
func mayHappenHint(until ledger.Time) string {
	return "do not pay again under a new key before " + until.Time().
		Format("15:04:05") +
		" UTC: the daemon had it, and it may still happen; get_payment reports its outcome"
}
