package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func minerRules() []registration {
	return []registration{
		operationRule[*ledger.MinerCreateOp]{validate: stateless[*ledger.MinerCreateOp], evaluate: evaluateMinerCreate, apply: applyMinerCreate},
		operationRule[*ledger.MinerUpdateOp]{validate: stateless[*ledger.MinerUpdateOp], evaluate: evaluateMinerUpdate, apply: applyMinerUpdate},
	}
}

func evaluateMinerCreate(e *Engine, op *ledger.MinerCreateOp) *nodeerr.Error {
	if e.Miners.OfAccount(op.MinerAccount) == nil {
		return nil
	}
	return nodeerr.Assert("insert",
		"insert_result.second: Could not insert object, most likely a uniqueness constraint was violated: ${a} is a miner",
		nodeerr.Data{"a": op.MinerAccount})
}

func applyMinerCreate(e *Engine, op *ledger.MinerCreateOp) (ledger.OperationResult, *nodeerr.Error) {
	return objectResult(e.AddMiner(op.MinerAccount, op.BlockSigningKey, op.URL).Object()), nil
}

func evaluateMinerUpdate(e *Engine, op *ledger.MinerUpdateOp) *nodeerr.Error {
	miner := e.Miners.Get(op.Miner)
	if miner == nil {
		return nodeerr.NotFound(op.Miner.Object())
	}
	if miner.MinerAccount == op.MinerAccount {
		return nil
	}
	return refuse("db().get(op.miner).miner_account == op.miner_account: the miner ${m} belongs to ${a}",
		nodeerr.Data{"m": op.Miner, "a": miner.MinerAccount})
}

func applyMinerUpdate(e *Engine, op *ledger.MinerUpdateOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Miners.Change(op.Miner, func(m *state.Miner) {
		if op.NewURL != nil {
			m.URL = *op.NewURL
		}
		if op.NewSigningKey != nil {
			m.SigningKey = *op.NewSigningKey
		}
	})
	return voidResult(), nil
}

// Limits for the parameters that miners may set.
const (
	longestBlockInterval = 30 // seconds
	leastTransactionSize = 1024
	leastBlockSize       = 5 * leastTransactionSize
)

func parameterRules() []registration {
	return []registration{
		operationRule[*ledger.MinerUpdateGlobalParametersOp]{validate: validateParameters, evaluate: evaluateParameters, apply: applyParameters},
	}
}

func evaluateParameters(e *Engine, _ *ledger.MinerUpdateGlobalParametersOp) *nodeerr.Error {
	return demand("do_evaluate", condition{e.proposed, "trx_state->_is_proposed_trx: parameters are changed through proposals only", nil})
}

func validateParameters(op *ledger.MinerUpdateGlobalParametersOp) *nodeerr.Error {
	p := &op.NewParameters
	interval := uint32(p.BlockInterval)
	return demand("validate",
		condition{interval >= 1 && interval <= longestBlockInterval,
			"block_interval >= GRAPHENE_MIN_BLOCK_INTERVAL && block_interval <= GRAPHENE_MAX_BLOCK_INTERVAL: ", nil},
		condition{p.MaintenanceInterval > interval,
			"maintenance_interval > block_interval: Maintenance interval must be longer than block interval", nil},
		condition{interval > 0 && p.MaintenanceInterval%max(interval, 1) == 0,
			"maintenance_interval % block_interval == 0: Maintenance interval must be a multiple of block interval", nil},
		condition{p.MaximumTransactionSize >= leastTransactionSize,
			"maximum_transaction_size >= GRAPHENE_MIN_TRANSACTION_SIZE_LIMIT: Transaction size limit is too low", nil},
		condition{p.MaximumBlockSize >= leastBlockSize, "maximum_block_size >= GRAPHENE_MIN_BLOCK_SIZE_LIMIT: Block size limit is too low",
			nil},
		condition{p.MaximumTimeUntilExpiration > interval,
			"maximum_time_until_expiration > block_interval: Maximum transaction expiration time must be greater than a block interval",
			nil},
		condition{
			int64(p.MaximumProposalLifetime)-int64(p.MinerProposalReviewPeriod) > int64(interval),
			"maximum_proposal_lifetime - miner_proposal_review_period > block_interval: Committee proposal review period must be " +
				"less than the maximum proposal lifetime", nil,
		},
	)
}

// applyParameters makes the parameters pending until the next maintenance.
func applyParameters(e *Engine, op *ledger.MinerUpdateGlobalParametersOp) (ledger.OperationResult, *nodeerr.Error) {
	e.ChangeGlobal(func(g *ledger.GlobalProperties) { g.PendingParameters = &op.NewParameters })
	return voidResult(), nil
}
