package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var minerCreate = typed(stateless[*ledger.MinerCreateOp], (*State).evaluateMinerCreate, (*State).applyMinerCreate)

func (s *State) evaluateMinerCreate(op *ledger.MinerCreateOp) *nodeerr.Fault {
	if s.MinerOf(op.MinerAccount) == nil {
		return nil
	}
	return nodeerr.Assert("insert", "insert_result.second: Could not insert object, most likely a uniqueness constraint was violated: ${a} is a miner", nodeerr.Data{"a": op.MinerAccount})
}

func (s *State) applyMinerCreate(op *ledger.MinerCreateOp) (ledger.OperationResult, *nodeerr.Fault) {
	return objectResult(s.addMiner(op.MinerAccount, op.BlockSigningKey, op.URL).Object()), nil
}

var minerUpdate = typed(stateless[*ledger.MinerUpdateOp], (*State).evaluateMinerUpdate, (*State).applyMinerUpdate)

func (s *State) evaluateMinerUpdate(op *ledger.MinerUpdateOp) *nodeerr.Fault {
	miner := s.Miner(op.Miner)
	if miner == nil {
		return nodeerr.NotFound(op.Miner.Object())
	}
	if miner.MinerAccount == op.MinerAccount {
		return nil
	}
	return nodeerr.Assert("do_evaluate", "db().get(op.miner).miner_account == op.miner_account: the miner ${m} belongs to ${a}", nodeerr.Data{"m": op.Miner, "a": miner.MinerAccount})
}

func (s *State) applyMinerUpdate(op *ledger.MinerUpdateOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.miners.change(uint64(op.Miner), func(m *Miner) {
		if op.NewURL != nil {
			m.URL = *op.NewURL
		}
		if op.NewSigningKey != nil {
			m.SigningKey = *op.NewSigningKey
		}
	})
	return voidResult(), nil
}
