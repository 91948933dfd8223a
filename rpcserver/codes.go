package rpcserver

import "billfold/walletcore/fault"

// Numbers is how one kind of error looks on the wire. Standard is the number
// for a request that says "jsonrpc":"2.0", Reference the one for a request that
// does not; they differ only for faults of the envelope. Name goes to
// error.data.name; it is the reference's name where the number is the reference's.
type Numbers struct {
	Standard  int
	Reference int
	Name      string
}

// The numbers of requests that the server itself refuses before they reach an operation (JSON-RPC 2.0 section 5.1 and
// the reference's). The numbers of the core's errors are in the table of package fault.
const (
	numParse          = -32700
	numInvalidRequest = -32600
	numInvalidParams  = -32602
	numRetryLater     = -32005
	numForbidden      = -32010
	numUnauthorized   = -32011
	refAssert         = 10
	refUnknownSet     = 52
	refInvalidParam   = 54
	refUnknownSetName = 55
)

// NumbersOf returns the numbers of a code of the core (fault.Rows), and reports whether the code exists.
func NumbersOf(code fault.Code) (Numbers, bool) {
	row, known := fault.RowOf(code)
	return Numbers{row.Standard, row.Reference, row.Name}, known
}

func numbers(code fault.Code) Numbers {
	n, _ := NumbersOf(code)
	return n
}

func same(number int, name string) Numbers { return Numbers{number, number, name} }

func forbiddenNumbers() Numbers { return same(numForbidden, "forbidden") }
