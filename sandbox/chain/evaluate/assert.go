package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func assertRules() []registration {
	return []registration{
		operationRule[*ledger.AssertOp]{
			validate: validateAssert, evaluate: evaluateAssert,
			apply: func(*Engine, *ledger.AssertOp) (ledger.OperationResult, *nodeerr.Error) { return voidResult(), nil },
		},
	}
}

func validateAssert(op *ledger.AssertOp) *nodeerr.Error {
	return demand("validate", condition{len(op.RequiredAuths) == 0, "required_auths.empty(): ", nil})
}

// evaluateAssert requires every predicate to hold.
func evaluateAssert(e *Engine, op *ledger.AssertOp) *nodeerr.Error {
	for _, p := range op.Predicates {
		if predicateCode(p) >= e.Parameters().MaxPredicateOpcode {
			return refuse("unsigned(p.which()) < max_predicate_opcode: ",
				nodeerr.Data{"max_predicate_opcode": e.Parameters().MaxPredicateOpcode})
		}
		if fault := checkPredicate(e, p); fault != nil {
			return fault
		}
	}
	return nil
}

// predicateCode returns the type number of a predicate.
func predicateCode(p ledger.Predicate) uint16 {
	switch {
	case p.AssetSymbol != nil:
		return 1
	case p.Block != nil:
		return 2
	}
	return 0
}

func checkPredicate(e *Engine, p ledger.Predicate) *nodeerr.Error {
	switch {
	case p.AssetSymbol != nil:
		asset := e.Assets.Get(p.AssetSymbol.AssetID)
		if asset == nil {
			return nodeerr.NotFound(p.AssetSymbol.AssetID.Object())
		}
		return demand("do_evaluate", condition{asset.Symbol == p.AssetSymbol.Symbol, "p.asset_id(db).symbol == p.symbol: ", nil})
	case p.Block != nil:
		id, ok := e.Blocks.Recent(uint16(p.Block.ID.Num()))
		return demand("do_evaluate",
			condition{ok && id == p.Block.ID, "block_summary_id_type( block_header::num_from_id( p.id ) & 0xffff )(db).block_id == p.id: ",
				nil})
	case p.AccountName == nil:
		return nil
	}
	account := e.Accounts.Get(p.AccountName.AccountID)
	if account == nil {
		return nodeerr.NotFound(p.AccountName.AccountID.Object())
	}
	return demand("do_evaluate", condition{account.Name == p.AccountName.Name, "p.account_id(db).name == p.name: ", nil})
}
