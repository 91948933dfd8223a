package token

import (
	"errors"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

func denied(message, hint string) error { return &rpcserver.Denied{Message: message, Hint: hint} }

// unreadable is the fault of a token that may be good: nobody can look now. Its text is for clients that are not known yet,
// so the reason, which may name places, stays out of it.
func unreadable(err error) error {
	return &fault.Error{Code: fault.File, Message: "the wallet cannot look up tokens now, because they cannot be read", Err: err,
		Hint: "keep the token and make the same request again; the wallet's log and billfold token list say more"}
}

// fileError is a fault of our own files in the core's shape.
func fileError(method string, err error) error {
	return &fault.Error{Code: fault.File, Op: method, Message: err.Error(), Err: err, Hint: fault.Advice(err, fault.MakeRoom)}
}

// spared are the faults after which a payment certainly was not made, and
// nobody holds its signed bytes.
func spared(err error) bool {
	if _, no := errors.AsType[*rpcserver.Denied](err); no {
		return true
	}
	return fault.NothingSpent(err)
}
