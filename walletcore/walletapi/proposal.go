package walletapi

import "billfold/walletcore/txbuild"

func proposalMethods() []*Method {
	return []*Method{
		send("propose_transfer", doc{Help: "Proposes a transfer that others approve.", Secret: true,
			Examples: []string{`alice bobby carol 12.25 DCT "" 2030-01-01T00:00:00`}}, txbuild.ProposeTransfer),
		spend("propose_parameter_change", doc{Help: "Proposes to the miners new parameters of the chain, except its fees.",
			Examples: []string{`alice 2030-01-01T00:00:00 '{"block_interval":5}' true`}}, txbuild.ProposeParameters),
		spend("propose_fee_change", doc{Help: "Proposes new fees to the miners.",
			Examples: []string{`alice 2030-01-01T00:00:00 '{"transfer":{"fee":500000}}' true`}}, txbuild.ProposeFees),
		spend("approve_proposal", doc{Help: "Approves a proposal, or takes approvals back.",
			Examples: []string{`alice 1.6.0 '{"active_approvals_to_add":["alice"]}' true`}}, txbuild.ApproveProposal),
	}
}
