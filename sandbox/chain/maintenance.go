package chain

import (
	"slices"

	"billfold/ledger"
)

// maintain does what is due after every block, and once per maintenance
// interval; the first block is always due, as in the reference.
func (s *State) maintain(num uint32) {
	s.payMiner()
	due := s.dynamic.NextMaintenanceTime <= s.HeadTime()
	if due {
		s.elect()
		next := s.nextMaintenance(num)
		s.renewSubscriptions(next)
		s.takeParameters()
		s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
			d.NextMaintenanceTime, d.AccountsRegisteredThisInterval = next, 0
		})
		s.makeBudget()
	}
	s.expireProposals()
	s.expireFeeds()
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.DynamicFlags &^= maintenanceFlag
		if due {
			d.DynamicFlags |= maintenanceFlag
		}
	})
	s.shuffleMiners()
	s.showReward(num)
}

// showReward writes into the head block, which nobody has seen yet, what it
// earned its miner.
func (s *State) showReward(num uint32) {
	if fees, fault := s.PayFromFees(s.HeadTime()); fault == nil {
		s.Block(num).MinerReward = fees + s.NewAssetAt(num)
	}
}

// elect counts the votes, and lets the miners with most of them make the blocks
// and act for 1.2.0.
func (s *State) elect() {
	t := s.countVotes(s.noteStake)
	ranked := s.ranking(&t)
	count := min(max(t.activeCount(), int(s.chainProp.ImmutableParameters.MinMinerCount)), len(ranked))
	elected := make([]ledger.MinerID, 0, count)
	for rank, m := range ranked {
		s.miners.change(uint64(m.ID), func(m *Miner) {
			m.TotalVotes, m.VoteRanking, m.VotesGained = t.of(m), uint32(rank), t.gained[voteInstance(m.VoteID)]
		})
		if rank < count {
			elected = append(elected, m.ID)
		}
	}
	if auth, ok := minersAuthority(ranked[:count], &t); ok {
		s.changeAccount(ledger.MinerAccount, func(a *ledger.Account) { a.Active = auth })
	}
	s.setGlobal(func(g *ledger.GlobalProperties) { g.ActiveMiners = ascending(elected) })
}

// noteStake writes into 2.5.N how much of the core asset the account votes
// with, and for whom.
func (s *State) noteStake(a *ledger.Account, stake uint64, votes []ledger.VoteID) {
	st := s.Statistics(a.Statistics)
	if st.VotingStake == int64(stake) && slices.Equal(st.Votes, votes) {
		return
	}
	s.statistics.change(uint64(a.Statistics), func(st *Statistics) { st.VotingStake, st.Votes = int64(stake), votes })
}

// takeParameters puts the parameters in force that a proposal has set.
func (s *State) takeParameters() {
	s.setGlobal(func(g *ledger.GlobalProperties) {
		if g.PendingParameters != nil {
			g.Parameters, g.PendingParameters = *g.PendingParameters, nil
		}
	})
}

// nextMaintenance is when the next maintenance is due, at the interval that
// will be in force.
func (s *State) nextMaintenance(num uint32) ledger.Time {
	params := &s.global.Parameters
	if s.global.PendingParameters != nil {
		params = s.global.PendingParameters
	}
	now, next, every := s.HeadTime(), s.dynamic.NextMaintenanceTime, ledger.Time(params.MaintenanceInterval)
	if num == 1 {
		return (now/every + 1) * every
	}
	return next + ((now-next)/every+1)*every
}
