package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// applyOperation evaluates one operation, collects its fee and applies it.
func (e *Engine) applyOperation(op ledger.Operation) (ledger.OperationResult, *nodeerr.Fault) {
	rule := e.rules.byCode[op.Code]
	if rule == nil {
		return ledger.OperationResult{}, nodeerr.Assert("apply_operation", "evaluator: the sandbox does not run ${name} yet",
			nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	at := e.addApplied(op)
	result, fault := e.applyRule(rule, op)
	if fault != nil {
		return ledger.OperationResult{}, fault.In("apply_operation", "", nodeerr.Data{"op": op})
	}
	e.applied[at].result = result
	return result, nil
}

func (e *Engine) applyRule(rule *rule, op ledger.Operation) (ledger.OperationResult, *nodeerr.Fault) {
	fee, fault := prepareFee(e.State, op)
	if fault == nil {
		fault = rule.evaluate(e, op.Body)
	}
	if fault != nil {
		return ledger.OperationResult{}, fault
	}
	if rule.keeps != nil {
		fee.kept = rule.keeps(fee.core)
	}
	collectFee(e.State, fee)
	result, fault := rule.apply(e, op.Body)
	if fault == nil {
		fault = adjust(e.State, fee.payer, fee.amount.AssetID, -fee.amount.Amount) // after apply, whose proceeds may pay for it
	}
	return result, fault
}
