package evaluate

import "billfold/ledger"

func accountRules() []registration {
	return []registration{
		on[*ledger.AccountCreateOp]{
			validate: validateAccountCreate, evaluate: evaluateAccountCreate, apply: applyAccountCreate, unframed: true,
		},
		on[*ledger.AccountUpdateOp]{
			validate: validateAccountUpdate, evaluate: evaluateAccountUpdate, apply: applyAccountUpdate,
		},
	}
}
