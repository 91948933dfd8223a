package chain

import "billfold/sandbox/chain/nodeerr"

// condition is something an operation needs, in the node's words: the
// condition, a colon, a space and perhaps a sentence with placeholders.
type condition struct {
	holds bool
	text  string
	data  nodeerr.Data
}

// demand gives the fault of the first condition that does not hold, or nil.
func demand(method string, list ...condition) *nodeerr.Fault {
	for _, c := range list {
		if !c.holds {
			return nodeerr.Assert(method, c.text, c.data)
		}
	}
	return nil
}
