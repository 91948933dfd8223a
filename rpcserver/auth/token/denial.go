package token

import (
	"errors"

	"billfold/rpcserver"
	"billfold/walletcore/fault"
)

func denied(message, hint string) error { return &rpcserver.Denied{Message: message, Hint: hint} }

// unreadableError returns the error for a token that may be valid but cannot be looked up now. Clients that are not authenticated
// yet read its text, so the reason, which may name files or hosts, stays out of it.
func unreadableError(err error) error {
	return &fault.Error{Code: fault.File, Message: "the wallet cannot look up tokens now, because they cannot be read", Err: err,
		Hint: "keep the token and make the same request again; the wallet's log and billfold token list say more"}
}

// fileError returns an error of the wallet's own files as one of the core.
func fileError(method string, err error) *fault.Error {
	return &fault.Error{Code: fault.File, Op: method, Message: err.Error(), Err: err, Hint: fault.Advice(err, fault.MakeRoom)}
}

// certainlyUnpaid reports whether after err a payment was certainly not made and nobody holds
// its signed bytes.
func certainlyUnpaid(err error) bool {
	if _, no := errors.AsType[*rpcserver.Denied](err); no {
		return true
	}
	return fault.NothingSpent(err)
}
