package evaluate

import "billfold/ledger"

func accountRules() []registration {
	return []registration{
		on[*ledger.AccountCreateOp]{
			validate: validateAccountCreate, evaluate: evaluateAccountCreate, apply: applyAccountCreate, unframed: true,
			touches: func(op *ledger.AccountCreateOp, result ledger.OperationResult) []ledger.AccountID {
				return append(members(&op.Owner, &op.Active), ledger.AccountID(result.Object.Instance()))
			},
		},
		on[*ledger.AccountUpdateOp]{
			validate: validateAccountUpdate, evaluate: evaluateAccountUpdate, apply: applyAccountUpdate,
			touches: func(op *ledger.AccountUpdateOp, _ ledger.OperationResult) []ledger.AccountID {
				return members(newAuthorities(op)...)
			},
		},
	}
}
