package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func minerRules() []registration {
	return []registration{
		on[*ledger.MinerCreateOp]{validate: stateless[*ledger.MinerCreateOp], evaluate: evaluateMinerCreate, apply: applyMinerCreate},
		on[*ledger.MinerUpdateOp]{validate: stateless[*ledger.MinerUpdateOp], evaluate: evaluateMinerUpdate, apply: applyMinerUpdate},
	}
}

func evaluateMinerCreate(e *Engine, op *ledger.MinerCreateOp) *nodeerr.Fault {
	if e.Miners.OfAccount(op.MinerAccount) == nil {
		return nil
	}
	return nodeerr.Assert("insert",
		"insert_result.second: Could not insert object, most likely a uniqueness constraint was violated: ${a} is a miner",
		nodeerr.Data{"a": op.MinerAccount})
}

func applyMinerCreate(e *Engine, op *ledger.MinerCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	return objectResult(e.AddMiner(op.MinerAccount, op.BlockSigningKey, op.URL).Object()), nil
}

func evaluateMinerUpdate(e *Engine, op *ledger.MinerUpdateOp) *nodeerr.Fault {
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

func applyMinerUpdate(e *Engine, op *ledger.MinerUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
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
