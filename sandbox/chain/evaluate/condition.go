package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// condition is a requirement of an operation. Its text is the node's: the
// condition, a colon, a space and optionally a sentence with placeholders.
type condition struct {
	holds bool
	text  string
	data  nodeerr.Data
}

// demand returns the fault for the first condition that does not hold, or nil.
func demand(method string, list ...condition) *nodeerr.Fault {
	for _, c := range list {
		if !c.holds {
			return nodeerr.Assert(method, c.text, c.data)
		}
	}
	return nil
}

// invalid returns the fault for an operation that is not valid in any state.
func invalid(format string, data nodeerr.Data) *nodeerr.Fault {
	return nodeerr.Assert("validate", format, data)
}

// refuse returns the fault for an operation that the state does not allow.
func refuse(format string, data nodeerr.Data) *nodeerr.Fault {
	return nodeerr.Assert("do_evaluate", format, data)
}

// accountsExist returns a fault with the node's sentence for the first account that
// does not exist, or nil.
func accountsExist(s *state.State, sentence string, ids ...ledger.AccountID) *nodeerr.Fault {
	for _, id := range ids {
		if s.Accounts.Get(id) == nil {
			return refuse(sentence, nodeerr.Data{"id": id})
		}
	}
	return nil
}
