package evaluate

import "billfold/ledger"

func nftRules() []registration {
	return []registration{
		on[*ledger.NFTCreateDefinitionOp]{validate: validateNFTCreate, evaluate: evaluateNFTCreate, apply: applyNFTCreate},
		on[*ledger.NFTUpdateDefinitionOp]{validate: validateNFTUpdate, evaluate: evaluateNFTUpdate, apply: applyNFTUpdate},
		on[*ledger.NFTIssueOp]{
			evaluate: evaluateNFTIssue, apply: applyNFTIssue,
			touches: func(op *ledger.NFTIssueOp, _ ledger.OperationResult) []ledger.AccountID {
				return []ledger.AccountID{op.Issuer, op.To}
			},
		},
		on[*ledger.NFTTransferOp]{
			validate: validateNFTTransfer, evaluate: evaluateNFTTransfer, apply: applyNFTTransfer,
			touches: func(op *ledger.NFTTransferOp, _ ledger.OperationResult) []ledger.AccountID {
				return []ledger.AccountID{op.To}
			},
		},
		on[*ledger.NFTUpdateDataOp]{validate: validateNFTUpdateData, evaluate: evaluateNFTUpdateData, apply: applyNFTUpdateData},
	}
}
