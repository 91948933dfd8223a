package chain

import "billfold/ledger"

// typed makes an evaluator of functions that take the operation's own type.
func typed[T ledger.Body](
	validate func(T) *Fault,
	evaluate func(*State, T) *Fault,
	apply func(*State, T) (ledger.OperationResult, *Fault),
) evaluator {
	return evaluator{
		validate: func(op ledger.Body) *Fault { return validate(op.(T)) },
		evaluate: func(s *State, op ledger.Body) *Fault {
			if fault := evaluate(s, op.(T)); fault != nil {
				return fault.In("do_evaluate", "", Data{"op": op})
			}
			return nil
		},
		apply: func(s *State, op ledger.Body) (ledger.OperationResult, *Fault) { return apply(s, op.(T)) },
	}
}

// touching adds the accounts whose history an operation enters.
func touching[T ledger.Body](ev evaluator, accounts func(T) []ledger.AccountID) evaluator {
	ev.touches = func(op ledger.Body, _ ledger.OperationResult) []ledger.AccountID { return accounts(op.(T)) }
	return ev
}

// valid is for operations whose only stateless check is that of the fee.
func valid[T ledger.Body](T) *Fault { return nil }

// accountsExist wants every account to exist; sentence says so in the node's words.
func (s *State) accountsExist(sentence string, ids ...ledger.AccountID) *Fault {
	for _, id := range ids {
		if s.Account(id) == nil {
			return assert("do_evaluate", sentence, Data{"id": id})
		}
	}
	return nil
}
