package sandbox

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// head returns 2.1.0.
func (s *Sandbox) head() (d *ledger.DynamicGlobalProperties) {
	s.chain.View(func(st *state.State) { d = st.Dynamic() })
	return d
}
