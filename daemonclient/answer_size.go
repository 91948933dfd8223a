package daemonclient

// Sizes in bytes. Those of one object are several times what the ledger's own limits
// allow, as JSON; an error may repeat a transaction in each entry of its stack.
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
	minReadLimit = errorSize + envelope // of any message, notices among them
	errorRepeats = 8                    // times that an error may repeat the question, at most
)

func upTo(bytes int) func(question) int { return func(question) int { return bytes } }

// each allows so much per element of a parameter that is a list.
func each(param, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*len(q.list(param)) }
}

// limited allows so much per row that a parameter asks for; the daemon's own limit
// for it is most.
func limited(param int, most uint64, bytes int) func(question) int {
	return func(q question) int { return smallSize + bytes*int(min(q.number(param), most)) }
}

// balancesSize allows what was named, or what an account that holds very many
// assets has.
func balancesSize(q question) int {
	if n := len(q.list(1)); n > 0 {
		return smallSize + perTwoFields*n
	}
	return largeSize
}

// maxHeaders bounds how many headers one call may bring; a daemon has no limit of its own.
const maxHeaders = 10_000
