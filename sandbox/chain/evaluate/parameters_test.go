package evaluate

import (
	"testing"

	"billfold/ledger"
)

func TestParametersOutOfBoundsAreRefused(t *testing.T) {
	good := ledger.DefaultChainParameters()
	good.BlockInterval = 2
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
		if validateParameters(&ledger.MinerUpdateGlobalParametersOp{NewParameters: p}) == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if fault := validateParameters(&ledger.MinerUpdateGlobalParametersOp{NewParameters: good}); fault != nil {
		t.Error(fault)
	}
}
