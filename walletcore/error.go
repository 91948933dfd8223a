package walletcore

import (
	"encoding/json"
	"errors"

	"billfold/walletcore/database"
)

// Code says what kind of thing went wrong. rpcserver maps each code to its
// numbers on the wire, tui to advice on screen; a test in each fails when a
// code is missing there.
type Code string

// The codes, in the order of the tables that map them.
const (
	CodeInternal            Code = "internal"              // a fault of this program
	CodeUnknownMethod       Code = "unknown_method"        // no such wallet operation
	CodeTooFewParameters    Code = "too_few_parameters"    // a required parameter is missing
	CodeTooManyParameters   Code = "too_many_parameters"   // an unknown named parameter
	CodeBadParameter        Code = "bad_parameter"         // a parameter of the wrong type or form
	CodeUnknownHelp         Code = "unknown_help"          // help asked for a method that does not exist
	CodeLocked              Code = "locked"                // the wallet is locked
	CodeNew                 Code = "new"                   // the wallet has no password yet
	CodeEmptyPassword       Code = "empty_password"        // a password must not be empty
	CodeWrongPassword       Code = "wrong_password"        // the password does not open the wallet
	CodeTooManyTries        Code = "too_many_tries"        // wait before the next password
	CodeBadKey              Code = "bad_key"               // not a private key (import)
	CodeBadWIF              Code = "bad_wif"               // not a private key (look-up)
	CodeBadPublicKey        Code = "bad_public_key"        // not a public key
	CodeKeyUnused           Code = "key_unused"            // no account, or not the named one, names the key
	CodeKeyNotInWallet      Code = "key_not_in_wallet"     // the wallet does not hold this key
	CodeEmptyAccount        Code = "empty_account"         // an account name or id must not be empty
	CodeNoSuchAccount       Code = "no_such_account"       // the ledger has no such account
	CodeNoSuchRecipient     Code = "no_such_recipient"     // the recipient of a transfer does not exist
	CodeAccountExists       Code = "account_exists"        // the name is taken
	CodeEmptyAsset          Code = "empty_asset"           // an asset symbol or id must not be empty
	CodeNoSuchAsset         Code = "no_such_asset"         // the ledger has no such asset
	CodeBadAmount           Code = "bad_amount"            // the text is not an amount of this asset
	CodeAmountLimit         Code = "amount_limit"          // above the largest amount of any asset
	CodeAmountOverflow      Code = "amount_overflow"       // too large for 64 bits
	CodeInvalidOperation    Code = "invalid_operation"     // the operation breaks a stateless rule
	CodeInsufficientBalance Code = "insufficient_balance"  // not enough of an asset
	CodeMissingAuthority    Code = "missing_authority"     // the keys at hand cannot sign this
	CodeDenied              Code = "denied"                // whoever had to agree did not
	CodeUnsupported         Code = "unsupported_operation" // an operation this program cannot read or sign
	CodeLimit               Code = "limit_exceeded"        // more rows than one call gives
	CodeDaemonRefused       Code = "daemon_refused"        // the daemon answered with an error of its own
	CodeDaemonAway          Code = "daemon_away"           // no daemon answers
	CodeDaemonStale         Code = "daemon_stale"          // the daemon is too far behind to be trusted with payments
	CodeDaemonGarbage       Code = "daemon_garbage"        // the daemon's answer makes no sense
	CodeDaemonsDisagree     Code = "daemons_disagree"      // daemons gave different answers to one question
	CodeWrongChain          Code = "wrong_chain"           // daemon or wallet of another chain
	CodeDaemonContradicts   Code = "daemon_contradicts"    // a daemon says something else of what never changes
	CodeKeysChanged         Code = "keys_changed"          // a counterpart has other keys than before, and nobody accepted them
	CodeFeeTooHigh          Code = "fee_too_high"          // above the fee ceiling
	CodeOutcomeUnknown      Code = "outcome_unknown"       // sent, but no answer: may still happen
	CodeRequestKey          Code = "request_key"           // the key stands for another payment, or cannot be used
	CodeNoSuchPayment       Code = "no_such_payment"       // no payment of this id or key is known
	CodeExpired             Code = "expired"               // the payment is proven not to have happened
	CodeFile                Code = "file"                  // a wallet file cannot be read or written
	CodeCanceled            Code = "canceled"              // the caller left or the deadline passed
)

// Codes lists every code.
func Codes() []Code {
	return []Code{
		CodeInternal, CodeUnknownMethod, CodeTooFewParameters, CodeTooManyParameters, CodeBadParameter,
		CodeUnknownHelp, CodeLocked, CodeNew, CodeEmptyPassword, CodeWrongPassword, CodeTooManyTries,
		CodeBadKey, CodeBadWIF, CodeBadPublicKey, CodeKeyUnused, CodeKeyNotInWallet, CodeEmptyAccount, CodeNoSuchAccount,
		CodeNoSuchRecipient, CodeAccountExists, CodeEmptyAsset, CodeNoSuchAsset, CodeBadAmount,
		CodeAmountLimit, CodeAmountOverflow, CodeInvalidOperation, CodeInsufficientBalance, CodeMissingAuthority, CodeDenied, CodeUnsupported, CodeLimit,
		CodeDaemonRefused, CodeDaemonAway, CodeDaemonStale, CodeDaemonGarbage, CodeDaemonsDisagree, CodeWrongChain, CodeDaemonContradicts, CodeKeysChanged, CodeFeeTooHigh,
		CodeOutcomeUnknown, CodeRequestKey, CodeNoSuchPayment, CodeExpired, CodeFile, CodeCanceled,
	}
}

// Error is the one shape in which the core reports a fault.
type Error struct {
	Code    Code
	Op      string          // the wallet operation, such as "transfer"
	Message string          // one sentence: what happened, to what
	Hint    string          // what to do next; may be empty
	Data    json.RawMessage // the daemon's own error, when there was one
	Err     error           // the cause, for errors.Is and errors.As

	Journal   bool // the payment journal is at fault: billfold journal status says how to go on
	Unsettled bool // of a payment: its bytes may be out, so it may still happen, and must not be made anew
}

// Error gives the sentence with its hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// DiskFull says that there was no room for a file.
func (e *Error) DiskFull() bool {
	_, full := errors.AsType[*database.FullError](e.Err)
	return full
}

// CodeOf finds the code of err: CodeInternal when it is not one of ours.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
