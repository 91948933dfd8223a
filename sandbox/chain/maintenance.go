package chain

import "billfold/ledger"

// maintain does what is due once per maintenance interval; the first block is
// always due, as in the reference.
func (s *State) maintain(num uint32) {
	now := s.HeadTime()
	if num > 1 && now < s.dynamic.NextMaintenanceTime {
		return
	}
	s.countStakes()
	every := s.global.Parameters.MaintenanceInterval
	next := ledger.Time((uint64(now)/uint64(every) + 1) * uint64(every))
	s.renewSubscriptions(next)
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.NextMaintenanceTime = next
		d.LastBudgetTime = now
		d.AccountsRegisteredThisInterval = 0
	})
}

// countStakes notes how much of the core asset each account votes with.
func (s *State) countStakes() {
	for n, st := range s.statistics.rows {
		if stake := s.Balance(st.Owner, ledger.CoreAsset); stake != st.VotingStake {
			s.statistics.change(uint64(n), func(st *Statistics) { st.VotingStake = stake })
		}
	}
}
