package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// validate makes the checks of operations that need no state.
func (r *Rules) validate(ops []ledger.Operation) *nodeerr.Fault {
	if len(ops) == 0 {
		return nodeerr.New(nodeerr.CodeNoOperation, "validate", "operations.size() > 0: A transaction must have at least one operation",
			nil)
	}
	for i, op := range ops {
		if cause := r.validateOne(op); cause != nil {
			fault := nodeerr.New(nodeerr.CodeValidate, "validate", "Operation validation failed on index: ${index}",
				nodeerr.Data{"index": i})
			fault.Stack = append(fault.Stack, cause.Stack...)
			return fault
		}
	}
	return nil
}

func (r *Rules) validateOne(op ledger.Operation) *nodeerr.Fault {
	if fee := op.Fee(); fee.Amount < 0 {
		return invalid("fee.amount >= 0: ", nodeerr.Data{"fee": *fee})
	}
	if op.Code.IsVirtual() {
		return invalid("!virtual operation: ${name} stands in the history only", nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	if rule := r.byCode[op.Code]; rule != nil {
		return rule.validate(op.Body)
	}
	return nil
}
