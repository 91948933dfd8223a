package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// typed makes an evaluator of functions that take the operation's own type.
func typed[T ledger.Body](
	validate func(T) *nodeerr.Fault,
	evaluate func(*State, T) *nodeerr.Fault,
	apply func(*State, T) (ledger.OperationResult, *nodeerr.Fault),
) evaluator {
	return evaluator{
		validate: func(op ledger.Body) *nodeerr.Fault { return validate(op.(T)) },
		evaluate: func(s *State, op ledger.Body) *nodeerr.Fault {
			if fault := evaluate(s, op.(T)); fault != nil {
				return fault.In("do_evaluate", "", nodeerr.Data{"op": op})
			}
			return nil
		},
		apply: func(s *State, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault) { return apply(s, op.(T)) },
	}
}

// touching adds the accounts whose history an operation enters.
func touching[T ledger.Body](ev evaluator, accounts func(T) []ledger.AccountID) evaluator {
	ev.touches = func(op ledger.Body, _ ledger.OperationResult) []ledger.AccountID { return accounts(op.(T)) }
	return ev
}

// valid is for operations whose only stateless check is that of the fee.
func valid[T ledger.Body](T) *nodeerr.Fault { return nil }

// accountsExist wants every account to exist; sentence says so in the node's words.
func (s *State) accountsExist(sentence string, ids ...ledger.AccountID) *nodeerr.Fault {
	for _, id := range ids {
		if s.Account(id) == nil {
			return nodeerr.Assert("do_evaluate", sentence, nodeerr.Data{"id": id})
		}
	}
	return nil
}
