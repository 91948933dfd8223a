package walletapi

import (
	"strings"
	"testing"

	"billfold/walletcore/fault"
)

// Operations that this build lacks say so in their help, and when they are called on a wallet that was never unlocked.
func TestAbsentOperationsFailWithTheReason(t *testing.T) {
	s, rows, found := newFixture(t), cases(t), 0
	for _, m := range Methods() {
		if !m.Absent {
			continue
		}
		found++
		if !strings.HasSuffix(m.Help, "Not in this build.") || !m.DoesOnly(Reads) {
			t.Errorf("%s: help %q, touches %s", m.Name, m.Help, m.Touches)
		}
		if e := s.refused(fault.NotInThisBuild, m.Name, Params{Positional: rows[m.Name].params}); !fault.NothingSpent(e) {
			t.Errorf("%s: %v", m.Name, e)
		}
	}
	if found == 0 {
		t.Error("no operation is absent any more: delete absent and what explains it")
	}
}
