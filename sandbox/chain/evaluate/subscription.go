package evaluate

import "billfold/ledger"

func subscriptionRules() []registration {
	return []registration{
		on[*ledger.SubscribeOp]{validate: validateSubscribe, evaluate: evaluateSubscribe, apply: applySubscribe},
		on[*ledger.SubscribeByAuthorOp]{evaluate: evaluateSubscribeByAuthor, apply: applySubscribeByAuthor},
		on[*ledger.AutomaticRenewalOfSubscriptionOp]{evaluate: evaluateAutomaticRenewal, apply: applyAutomaticRenewal},
	}
}
