package produce

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/state"
)

// maintain does what is due after every block, and once per maintenance
// interval; the first block is always due, as in the reference.
func maintain(e *evaluate.Engine, num uint32) {
	s := e.State
	payMiner(s)
	due := s.Dynamic().NextMaintenanceTime <= s.HeadTime()
	if due {
		elect(s)
		next := nextMaintenance(s, num)
		evaluate.ExpireContents(e)
		evaluate.ExpirePurchases(e)
		evaluate.RenewSubscriptions(e, next)
		applyPendingParameters(s)
		s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
			d.NextMaintenanceTime, d.AccountsRegisteredThisInterval = next, 0
		})
		makeBudget(s)
	}
	evaluate.ExpireProposals(e)
	evaluate.ExpireFeeds(e)
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.DynamicFlags &^= maintenanceFlag
		if due {
			d.DynamicFlags |= maintenanceFlag
		}
	})
	shuffleMiners(s)
	setReward(s, num)
	evaluate.ExpirePermissions(e)
}

// setReward writes the miner's reward into the head block, which nobody has seen
// yet.
func setReward(s *state.State, num uint32) {
	if fees, fault := PayFromFees(s, s.HeadTime()); fault == nil {
		s.Blocks.Get(num).MinerReward = fees + NewAssetAt(num)
	}
}

// elect counts the votes. The miners with the most votes become active: they make
// the blocks and act for 1.2.0.
func elect(s *state.State) {
	c := countVotes(s, func(a *ledger.Account, stake uint64, votes []ledger.VoteID) { recordStake(s, a, stake, votes) })
	ranked := ranking(s, &c)
	count := min(max(c.activeCount(), int(s.Properties().ImmutableParameters.MinMinerCount)), len(ranked))
	elected := make([]ledger.MinerID, 0, count)
	for rank, m := range ranked {
		s.Miners.Change(m.ID, func(m *state.Miner) {
			m.TotalVotes, m.VoteRanking, m.VotesGained = c.votesFor(m), uint32(rank), c.gained[voteInstance(m.VoteID)]
		})
		if rank < count {
			elected = append(elected, m.ID)
		}
	}
	if auth, ok := minersAuthority(ranked[:count], &c); ok {
		s.Accounts.Change(ledger.MinerAccount, func(a *ledger.Account) { a.Active = auth })
	}
	slices.Sort(elected)
	s.ChangeGlobal(func(g *ledger.GlobalProperties) { g.ActiveMiners = elected })
}

// recordStake writes into 2.5.N with how much of the core asset the account votes,
// and for whom.
func recordStake(s *state.State, a *ledger.Account, stake uint64, votes []ledger.VoteID) {
	st := s.Accounts.Statistics(a.Statistics)
	if st.VotingStake == int64(stake) && slices.Equal(st.Votes, votes) {
		return
	}
	s.Accounts.ChangeStatistics(a.Statistics, func(st *state.Statistics) { st.VotingStake, st.Votes = int64(stake), votes })
}

// applyPendingParameters puts the parameters that a proposal has set into force.
func applyPendingParameters(s *state.State) {
	s.ChangeGlobal(func(g *ledger.GlobalProperties) {
		if g.PendingParameters != nil {
			g.Parameters, g.PendingParameters = *g.PendingParameters, nil
		}
	})
}

// nextMaintenance returns when the next maintenance is due, by the interval that
// will be in force.
func nextMaintenance(s *state.State, num uint32) ledger.Time {
	params := s.Parameters()
	if s.Global().PendingParameters != nil {
		params = s.Global().PendingParameters
	}
	now, next, every := s.HeadTime(), s.Dynamic().NextMaintenanceTime, ledger.Time(params.MaintenanceInterval)
	if num == 1 {
		return (now/every + 1) * every
	}
	return next + ((now-next)/every+1)*every
}
