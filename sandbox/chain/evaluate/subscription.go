package evaluate

import "billfold/ledger"

func subscriptionRules() []registration {
	return []registration{
		operationRule[*ledger.SubscribeOp]{validate: validateSubscribe, evaluate: evaluateSubscribe, apply: applySubscribe},
		operationRule[*ledger.SubscribeByAuthorOp]{evaluate: evaluateSubscribeByAuthor, apply: applySubscribeByAuthor},
		operationRule[*ledger.AutomaticRenewalOfSubscriptionOp]{evaluate: evaluateAutomaticRenewal, apply: applyAutomaticRenewal},
	}
}
