package ledgerview

import "billfold/walletcore/fault"

// maxFound bounds searches that a daemon does not bound.
const maxFound = 1000

func tooMany(op string) *fault.Error {
	return &fault.Error{Code: fault.LimitExceeded, Op: op,
		Message: op + " returns at most 1000 rows", Hint: "ask for the first 1000, then continue after the last one"}
}
