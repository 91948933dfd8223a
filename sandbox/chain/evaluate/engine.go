package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// Engine applies operations to a state by the rules.
type Engine struct {
	*state.State
	rules *Rules

	applied  []appliedOperation // by the current transaction, or after a block's last one
	opInTrx  int                // index of the current operation
	proposed bool               // the current operations come from a proposal
}

// NewEngine returns an engine that changes the state.
func NewEngine(s *state.State, r *Rules) *Engine { return &Engine{State: s, rules: r} }

// Rules are the rules of all operations that the ledger supports; see NewRules.
type Rules struct {
	byCode  map[ledger.OpCode]*rule
	signers frequentSigners
}

// rule is the rule of one operation code; see on for its parts.
type rule struct {
	validate func(op ledger.Body) *nodeerr.Fault
	evaluate func(e *Engine, op ledger.Body) *nodeerr.Fault
	apply    func(e *Engine, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault)
	keeps    func(core int64) int64
}

// appliedOperation is an operation that was applied: one of a transaction, one of a
// proposal, or a virtual one that followed from them.
type appliedOperation struct {
	op      ledger.Operation
	result  ledger.OperationResult
	opInTrx int
}
