package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// Engine carries out operations on a state, by the rules.
type Engine struct {
	*state.State
	rules *Rules

	applied  []appliedOperation // by the transaction that is applied, or after a block's last one
	opInTrx  int                // of the operation that is applied
	proposed bool               // what is applied comes from a proposal
}

// NewEngine returns an engine that changes the state.
func NewEngine(s *state.State, r *Rules) *Engine { return &Engine{State: s, rules: r} }

// Rules are the rules of all operations that the ledger runs; see NewRules.
type Rules struct {
	byCode map[ledger.OpCode]*rule
	often  frequent
}

// rule is what the ledger does with one operation code; on describes its parts.
type rule struct {
	validate func(op ledger.Body) *nodeerr.Fault
	evaluate func(e *Engine, op ledger.Body) *nodeerr.Fault
	apply    func(e *Engine, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault)
	keeps    func(core int64) int64
}

// appliedOperation is an operation that was carried out: one of a transaction,
// one that a proposal held, or a virtual one that followed from them.
type appliedOperation struct {
	op      ledger.Operation
	result  ledger.OperationResult
	opInTrx int
}
