package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// condition is something an operation needs, in the node's words: the
// condition, a colon, a space and perhaps a sentence with placeholders.
type condition struct {
	holds bool
	text  string
	data  nodeerr.Data
}

// demand returns the fault of the first condition that does not hold, or nil.
func demand(method string, list ...condition) *nodeerr.Fault {
	for _, c := range list {
		if !c.holds {
			return nodeerr.Assert(method, c.text, c.data)
		}
	}
	return nil
}

// invalid is the fault of an operation that no state allows.
func invalid(format string, data nodeerr.Data) *nodeerr.Fault {
	return nodeerr.Assert("validate", format, data)
}

// refuse is the fault of an operation that the state does not allow.
func refuse(format string, data nodeerr.Data) *nodeerr.Fault {
	return nodeerr.Assert("do_evaluate", format, data)
}

// accountsExist wants every account to exist; sentence says so in the node's words.
func accountsExist(s *state.State, sentence string, ids ...ledger.AccountID) *nodeerr.Fault {
	for _, id := range ids {
		if s.Accounts.Get(id) == nil {
			return refuse(sentence, nodeerr.Data{"id": id})
		}
	}
	return nil
}
