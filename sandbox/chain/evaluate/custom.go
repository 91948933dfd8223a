package evaluate

import (
	"encoding/json"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
)

func customRules() []registration {
	return []registration{
		operationRule[*ledger.CustomOp]{validate: validateCustom, evaluate: evaluateCustom, apply: applyCustom},
	}
}

func validateCustom(op *ledger.CustomOp) *nodeerr.Error {
	return demand("validate", condition{op.Fee.Amount > 0, "fee.amount > 0: ", nil})
}

// evaluateCustom checks only messages; other data is up to the application.
func evaluateCustom(e *Engine, op *ledger.CustomOp) *nodeerr.Error {
	if op.ID != ledger.MessageID {
		return nil
	}
	m, err := ledger.ReadMessage(op.Data)
	if err != nil {
		code := nodeerr.CodeBadCast
		if !json.Valid(codec.FromFC(op.Data)) {
			code = nodeerr.CodeParse
		}
		return nodeerr.New(code, "get_messaging_payload", "the data of the operation is not a message", nil)
	}
	if fault := accountsExist(e.State, "itr != idx.end(): Sender ${id} does not exist.", m.From); fault != nil {
		return fault
	}
	for _, r := range m.Receivers {
		if fault := accountsExist(e.State, "itr != idx.end(): Receiver ${id} does not exist.", r.To); fault != nil {
			return fault
		}
	}
	return demand("do_evaluate", condition{m.From == op.Payer, "pl.from == o.payer: Sender must pay for the operation.", nil})
}

func applyCustom(e *Engine, op *ledger.CustomOp) (ledger.OperationResult, *nodeerr.Error) {
	if op.ID != ledger.MessageID {
		return voidResult(), nil
	}
	m, err := ledger.ReadMessage(op.Data)
	if err != nil {
		return voidResult(), nodeerr.New(nodeerr.CodeBadCast, "get_messaging_payload", "the data of the operation is not a message", nil)
	}
	return objectResult(e.Messages.Add(e.HeadTime(), m)), nil
}
