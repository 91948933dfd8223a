package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func assetRules() []registration {
	return []registration{
		on[*ledger.AssetCreateOp]{
			validate: validateAssetCreate, evaluate: evaluateAssetCreate, apply: applyAssetCreate, keeps: corePoolShare,
		},
		on[*ledger.AssetIssueOp]{
			validate: stateless[*ledger.AssetIssueOp], evaluate: evaluateAssetIssue, apply: applyAssetIssue,
		},
		on[*ledger.AssetReserveOp]{
			validate: stateless[*ledger.AssetReserveOp], evaluate: evaluateAssetReserve, apply: applyAssetReserve,
		},
		on[*ledger.AssetPublishFeedOp]{validate: validateFeed, evaluate: evaluateFeed, apply: applyFeed},
		on[*ledger.UpdateUserIssuedAssetOp]{
			validate: validateUserAsset, evaluate: evaluateUserAsset, apply: applyUserAsset,
		},
		on[*ledger.UpdateUserIssuedAssetAdvancedOp]{validate: validateAdvanced, evaluate: evaluateAdvanced, apply: applyAdvanced},
		on[*ledger.UpdateMonitoredAssetOp]{
			validate: stateless[*ledger.UpdateMonitoredAssetOp], evaluate: evaluateMonitored, apply: applyMonitored,
		},
		on[*ledger.AssetFundPoolsOp]{
			validate: validateFunding,
			evaluate: func(e *Engine, op *ledger.AssetFundPoolsOp) *nodeerr.Fault { return funding(op).evaluateFunding(e) },
			apply: func(e *Engine, op *ledger.AssetFundPoolsOp) (ledger.OperationResult, *nodeerr.Fault) {
				return voidResult(), funding(op).move(e, 1)
			},
		},
		on[*ledger.AssetClaimFeesOp]{
			validate: stateless[*ledger.AssetClaimFeesOp],
			evaluate: func(e *Engine, op *ledger.AssetClaimFeesOp) *nodeerr.Fault { return claim(op).evaluateClaim(e) },
			apply: func(e *Engine, op *ledger.AssetClaimFeesOp) (ledger.OperationResult, *nodeerr.Fault) {
				return voidResult(), claim(op).move(e, -1)
			},
		},
	}
}
