package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// evaluator is what the ledger knows about one operation code.
type evaluator struct {
	// validate makes the checks that need no state.
	validate func(op ledger.Body) *nodeerr.Fault
	// evaluate checks the operation against the state, apply carries it out.
	// Between the two the fee is collected, after them its payer is charged.
	evaluate func(s *State, op ledger.Body) *nodeerr.Fault
	apply    func(s *State, op ledger.Body) (ledger.OperationResult, *nodeerr.Fault)
	// keeps is how much of a fee worth core units of DCT is not collected,
	// because apply uses it; nil means nothing.
	keeps func(core int64) int64
	// needs adds the authorities that must sign, besides what package ledger
	// knows of the operation; it may be nil.
	needs func(op ledger.Body, need *required)
	// touches are the accounts whose history the operation enters, besides
	// those whose authority it needs.
	touches func(op ledger.Body, result ledger.OperationResult) []ledger.AccountID
}

// evaluatorOf gives the evaluator of a code. It is the one table of what the
// sandbox runs.
func evaluatorOf(code ledger.OpCode) (evaluator, bool) {
	switch code {
	case ledger.CodeTransferObsolete:
		return transferObsolete, true
	case ledger.CodeAccountCreate:
		return accountCreate, true
	case ledger.CodeTransfer:
		return transfer, true
	case 2:
		return accountUpdate, true
	case 3:
		return assetCreate, true
	case 4:
		return assetIssue, true
	case 5:
		return assetPublishFeed, true
	case 6:
		return minerCreate, true
	case 7:
		return minerUpdate, true
	case 8:
		return globalParameters, true
	case 9:
		return proposalCreate(), true
	case 10:
		return proposalUpdate(), true
	case 11:
		return proposalDelete, true
	case 12:
		return withdrawCreate, true
	case 13:
		return withdrawUpdate, true
	case 14:
		return withdrawClaim, true
	case 15:
		return withdrawDelete, true
	case 16:
		return vestingCreate, true
	case 17:
		return vestingWithdraw, true
	case 18:
		return custom, true
	case 19:
		return assertOperation, true
	case 20, 21, 22, 23, 24, 25, 29, 32, 38:
		return contentOperation, true
	case 26:
		return subscribe, true
	case 27:
		return subscribeByAuthor, true
	case 28:
		return automaticRenewal, true
	case 30:
		return publishingManager, true
	case 31:
		return publishingRight, true
	case 33:
		return assetFundPools, true
	case 34:
		return assetReserve, true
	case 35:
		return assetClaimFees, true
	case 36:
		return updateUserAsset, true
	case 37:
		return updateMonitored, true
	case 40:
		return updateUserAdvanced, true
	case 41:
		return nftCreateDefinition, true
	case 42:
		return nftUpdateDefinition, true
	case 43:
		return nftIssue, true
	case 44:
		return nftTransfer, true
	case 45:
		return nftUpdateData, true
	}
	return evaluator{}, false
}

// applyOperation evaluates one operation, takes its fee and carries it out.
func (s *State) applyOperation(op ledger.Operation) (ledger.OperationResult, *nodeerr.Fault) {
	none := ledger.OperationResult{}
	ev, ok := evaluatorOf(op.Code)
	if !ok {
		return none, nodeerr.Assert("apply_operation", "evaluator: the sandbox does not run ${name} yet", nodeerr.Data{"name": ledger.OpName(op.Code)})
	}
	at := s.happen(op)
	fee, fault := s.prepareFee(op)
	if fault == nil {
		fault = ev.evaluate(s, op.Body)
	}
	if fault != nil {
		return none, fault.In("apply_operation", "", nodeerr.Data{"op": op})
	}
	if ev.keeps != nil {
		fee.kept = ev.keeps(fee.core)
	}
	s.collectFee(fee)
	result, fault := ev.apply(s, op.Body)
	if fault == nil {
		fault = s.chargeFee(fee)
	}
	if fault != nil {
		return none, fault.In("apply_operation", "", nodeerr.Data{"op": op})
	}
	s.happened[at].result = result
	return result, nil
}

func voidResult() ledger.OperationResult {
	return ledger.OperationResult{Void: &ledger.Void{}}
}

func objectResult(id ledger.ObjectID) ledger.OperationResult {
	return ledger.OperationResult{Object: &id}
}
