package evaluate

import "billfold/ledger"

func subscriptionRules() []registration {
	return []registration{
		on[*ledger.SubscribeOp]{
			validate: validateSubscribe, evaluate: evaluateSubscribe, apply: applySubscribe,
			touches: func(op *ledger.SubscribeOp, _ ledger.OperationResult) []ledger.AccountID {
				return []ledger.AccountID{op.From, op.To}
			},
		},
		on[*ledger.SubscribeByAuthorOp]{
			evaluate: evaluateSubscribeByAuthor, apply: applySubscribeByAuthor,
			touches: func(op *ledger.SubscribeByAuthorOp, _ ledger.OperationResult) []ledger.AccountID {
				return []ledger.AccountID{op.From, op.To}
			},
		},
		on[*ledger.AutomaticRenewalOfSubscriptionOp]{evaluate: evaluateAutomaticRenewal, apply: applyAutomaticRenewal},
	}
}
