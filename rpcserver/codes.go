package rpcserver

import "billfold/walletcore"

// Numbers says how one kind of error looks on the wire. Standard is the number
// for a request that says "jsonrpc":"2.0", Reference the one for a request that
// does not; they differ for faults of the envelope only. Name goes to
// error.data.name: the reference's name where the number is the reference's.
type Numbers struct {
	Standard  int
	Reference int
	Name      string
}

// JSON-RPC 2.0 section 5.1, then the numbers of our own in its range for
// servers, used where the reference has none (it ends, hangs or does not check).
const (
	numParse           = -32700
	numInvalidRequest  = -32600
	numUnknownMethod   = -32601
	numInvalidParams   = -32602
	numInternal        = -32603
	numDaemonAway      = -32001
	numDaemonGarbage   = -32002
	numWrongChain      = -32003
	numOutcomeUnknown  = -32004
	numRetryLater      = -32005
	numFile            = -32006
	numRequestKey      = -32007
	numNoSuchPayment   = -32008
	numExpired         = -32009
	numForbidden       = -32010
	numUnauthorized    = -32011
	numDaemonStale     = -32012
	numContradicts     = -32013
	numKeysChanged     = -32014
	numFeeTooHigh      = -32015
	numDaemonsDisagree = -32019
	refUnhandled       = 1
	refAssert          = 10
	refTooFew          = 50
	refUnknownMethod   = 51
	refUnknownSet      = 52
	refInvalidParam    = 54
	refUnknownSetName  = 55
	refOperationFaulty = 3031000
)

// NumbersOf is the table from the core's codes to the wire. It is false for a
// code that is not in walletcore.Codes. A daemon_refused error carries the
// daemon's own number and name instead, when its data has them.
// Sources: protocol notes wallet-api.md 1.3, daemon-api.md 7; the recorded
// answers decide where the two are silent (bad_key, bad_amount: 0).
func NumbersOf(code walletcore.Code) (Numbers, bool) {
	n := numbers(code)
	return n, n.Name != ""
}

func numbers(code walletcore.Code) Numbers {
	switch code {
	case walletcore.CodeInternal:
		return Numbers{numInternal, refUnhandled, "unhandled_exception"}
	case walletcore.CodeUnknownMethod:
		return Numbers{numUnknownMethod, refUnknownMethod, "no_method_with_this_name_exception"}
	case walletcore.CodeTooFewParameters:
		return Numbers{numInvalidParams, refTooFew, "too_few_arguments_exception"}
	case walletcore.CodeTooManyParameters, walletcore.CodeBadParameter, walletcore.CodeBadPublicKey:
		return Numbers{numInvalidParams, refInvalidParam, "invalid_parameter_exception"}
	default:
		return same(numberOf(code))
	}
}

func same(number int, name string) Numbers { return Numbers{number, number, name} }

func numberOf(code walletcore.Code) (int, string) {
	switch code {
	case walletcore.CodeUnknownHelp:
		return 6, "key_not_found_exception"
	case walletcore.CodeLocked:
		return 507, "wallet_is_locked_exception"
	case walletcore.CodeEmptyPassword:
		return 508, "password_cannot_be_empty_exception"
	case walletcore.CodeWrongPassword, walletcore.CodeNew: // no password opens a new wallet either
		return 17, "aes_exception"
	case walletcore.CodeTooManyTries:
		return numRetryLater, "too_many_tries"
	case walletcore.CodeBadKey, walletcore.CodeBadAmount, walletcore.CodeDaemonRefused:
		return 0, "exception"
	case walletcore.CodeBadWIF:
		return 512, "invalid_wif_private_key_exception"
	case walletcore.CodeKeyNotInWallet, walletcore.CodeKeyUnused, walletcore.CodeNoSuchRecipient, walletcore.CodeEmptyAsset,
		walletcore.CodeAmountLimit, walletcore.CodeInsufficientBalance:
		return refAssert, "assert_exception"
	case walletcore.CodeAmountOverflow:
		return 13, "std_exception"
	case walletcore.CodeEmptyAccount:
		return 501, "account_name_or_id_cannot_be_empty_exception"
	case walletcore.CodeNoSuchAccount:
		return 510, "account_does_not_exist_exception"
	case walletcore.CodeAccountExists:
		return 511, "account_already_exist_exception"
	case walletcore.CodeNoSuchAsset:
		return 514, "asset_does_not_exist_exception"
	case walletcore.CodeInvalidOperation:
		return refOperationFaulty, "operation_validate_exception"
	case walletcore.CodeMissingAuthority:
		return 405, "tx_missing_active_auth_exception"
	case walletcore.CodeUnsupported:
		return 519, "unsupported_operation_exception"
	case walletcore.CodeLimit:
		return 208, "limit_exceeded_exception"
	case walletcore.CodeCanceled:
		return 9, "canceled_exception"
	default:
		return ownNumberOf(code)
	}
}

// ownNumberOf covers what the reference cannot say.
func ownNumberOf(code walletcore.Code) (int, string) {
	switch code {
	case walletcore.CodeDaemonAway:
		return numDaemonAway, "daemon_away"
	case walletcore.CodeDaemonStale:
		return numDaemonStale, "daemon_stale"
	case walletcore.CodeDaemonGarbage:
		return numDaemonGarbage, "daemon_garbage"
	case walletcore.CodeDaemonsDisagree:
		return numDaemonsDisagree, "daemons_disagree"
	case walletcore.CodeWrongChain:
		return numWrongChain, "wrong_chain"
	case walletcore.CodeDaemonContradicts:
		return numContradicts, "daemon_contradicts"
	case walletcore.CodeKeysChanged:
		return numKeysChanged, "keys_changed"
	case walletcore.CodeFeeTooHigh:
		return numFeeTooHigh, "fee_too_high"
	case walletcore.CodeOutcomeUnknown:
		return numOutcomeUnknown, "outcome_unknown"
	case walletcore.CodeFile:
		return numFile, "file"
	case walletcore.CodeRequestKey:
		return numRequestKey, "request_key"
	case walletcore.CodeNoSuchPayment:
		return numNoSuchPayment, "no_such_payment"
	case walletcore.CodeExpired:
		return numExpired, "expired"
	case walletcore.CodeDenied:
		return numForbidden, "forbidden"
	default:
		return 0, ""
	}
}
