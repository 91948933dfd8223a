package evaluate

import "billfold/ledger"

func nftRules() []registration {
	return []registration{
		on[*ledger.NFTCreateDefinitionOp]{validate: validateNFTCreate, evaluate: evaluateNFTCreate, apply: applyNFTCreate},
		on[*ledger.NFTUpdateDefinitionOp]{validate: validateNFTUpdate, evaluate: evaluateNFTUpdate, apply: applyNFTUpdate},
		on[*ledger.NFTIssueOp]{evaluate: evaluateNFTIssue, apply: applyNFTIssue},
		on[*ledger.NFTTransferOp]{validate: validateNFTTransfer, evaluate: evaluateNFTTransfer, apply: applyNFTTransfer},
		on[*ledger.NFTUpdateDataOp]{validate: validateNFTUpdateData, evaluate: evaluateNFTUpdateData, apply: applyNFTUpdateData},
	}
}
