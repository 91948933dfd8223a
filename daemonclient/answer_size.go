package daemonclient

// Sizes of JSON in bytes. Those of one object are several times what the ledger's own limits allow; an error may repeat
// a transaction in each entry of its stack.
const (
	scalarSize   = 256
	smallSize    = 4 << 10
	objectSize   = 64 << 10
	assetSize    = 16 << 10
	recordSize   = 64 << 10
	headerSize   = 1 << 10
	perTwoFields = 256
	largeSize    = 512 << 10
	blockSize    = 8 << 20
	errorSize    = 256 << 10
	envelope     = 1 << 10
	minReadLimit = errorSize + envelope // of any message, including notices
	errorRepeats = 8                    // how often an error may repeat the question, at most
)

func upTo(bytes int) func(question) int { return func(question) int { return bytes } }

// perElement allows so many bytes per element of a parameter that is a list.
func perElement(param, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*len(q.list(param)) }
}

// perRow allows so many bytes per row that a parameter asks for; most is the daemon's own limit for it.
func perRow(param int, most uint64, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*int(min(q.number(param), most)) }
}

// balancesSize allows for the named assets, or if none were named, for an account that holds very many.
func balancesSize(q question) int {
	if n := len(q.list(1)); n > 0 {
		return smallSize + perTwoFields*n
	}
	return largeSize
}

// maxHeaders is the most headers that one call may return; a daemon has no limit of its own.
const maxHeaders = 10_000
