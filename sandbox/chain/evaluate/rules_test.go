package evaluate

import (
	"testing"

	"billfold/ledger"
)

// Whatever a transaction may contain has a rule, and nothing else has.
func TestEveryOperationHasItsRule(t *testing.T) {
	rules := NewRules()
	known := 0
	for code := ledger.OpCode(0); ledger.NewBody(code) != nil; code++ {
		_, found := rules.byCode[code]
		if found == code.IsVirtual() {
			t.Errorf("%s has a rule: %v", ledger.OpName(code), found)
		}
		if found {
			known++
		}
	}
	if len(rules.byCode) != known {
		t.Errorf("%d rules are of no known operation", len(rules.byCode)-known)
	}
}
