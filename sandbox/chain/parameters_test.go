package chain_test

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func TestParametersOutOfBoundsAreRefused(t *testing.T) {
	good := ledger.DefaultChainParameters()
	good.BlockInterval = 2
	s := begun(t, nil)
	for name, edit := range map[string]func(*ledger.ChainParameters){
		"no interval":      func(p *ledger.ChainParameters) { p.BlockInterval = 0 },
		"long interval":    func(p *ledger.ChainParameters) { p.BlockInterval = 31 },
		"short rounds":     func(p *ledger.ChainParameters) { p.MaintenanceInterval = 2 },
		"uneven rounds":    func(p *ledger.ChainParameters) { p.MaintenanceInterval = 86401 },
		"tiny blocks":      func(p *ledger.ChainParameters) { p.MaximumBlockSize = 5119 },
		"tiny payments":    func(p *ledger.ChainParameters) { p.MaximumTransactionSize = 1023 },
		"no time":          func(p *ledger.ChainParameters) { p.MaximumTimeUntilExpiration = 2 },
		"no time to agree": func(p *ledger.ChainParameters) { p.MaximumProposalLifetime = p.MinerProposalReviewPeriod + 2 },
	} {
		p := good
		edit(&p)
		if fault := apply(t, s, ledger.NewOperation(&ledger.MinerUpdateGlobalParametersOp{NewParameters: p})); fault == nil ||
			fault.Code != nodeerr.CodeValidate {
			t.Errorf("%s: %v", name, fault)
		}
	}
	// What is within bounds is looked at further: it has to come in a proposal.
	within := ledger.NewOperation(&ledger.MinerUpdateGlobalParametersOp{NewParameters: good})
	within.Fee().Amount = 10_0000_0000
	s.Balances.Adjust(within.Body.FeePayer(), ledger.CoreAsset, within.Fee().Amount)
	fault := apply(t, s, within)
	if !says(fault, "trx_state->_is_proposed_trx: ") {
		t.Error(fault)
	}
}
