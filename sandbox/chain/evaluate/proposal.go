package evaluate

import "billfold/ledger"

// proposalRules need all rules, because proposed operations must follow them.
func proposalRules(all *Rules) []registration {
	return []registration{
		on[*ledger.ProposalCreateOp]{
			validate: all.validateProposed, evaluate: evaluateProposalCreate, apply: applyProposalCreate,
		},
		on[*ledger.ProposalUpdateOp]{
			validate: stateless[*ledger.ProposalUpdateOp], evaluate: evaluateProposalUpdate, apply: applyProposalUpdate,
		},
		on[*ledger.ProposalDeleteOp]{evaluate: evaluateProposalDelete, apply: applyProposalDelete},
	}
}
