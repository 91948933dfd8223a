package chain

import (
	"math"

	"billfold/ledger"
)

// Miner gives 1.4.N, or nil.
func (s *State) Miner(id ledger.MinerID) *Miner { return s.miners.get(uint64(id)) }

// MinerOf gives the miner that belongs to the account, or nil.
func (s *State) MinerOf(account ledger.AccountID) *Miner {
	if id, ok := s.minerOf[account]; ok {
		return s.Miner(id)
	}
	return nil
}

// MinerCount is the number of miners, without the null miner 1.4.0.
func (s *State) MinerCount() uint64 { return s.miners.next() - 1 }

// MinerByVote gives the miner with the vote id, or nil.
func (s *State) MinerByVote(id ledger.VoteID) *Miner {
	for _, m := range s.miners.rows[1:] {
		if m.VoteID == id {
			return m
		}
	}
	return nil
}

// addMiner inserts a miner under the next id and gives it the next vote id.
func (s *State) addMiner(account ledger.AccountID, key ledger.PublicKey, url string) ledger.MinerID {
	id := ledger.MinerID(s.miners.next())
	vote := ledger.VoteID(s.global.NextAvailableVoteID << 8)
	s.miners.insert(&Miner{ID: id, MinerAccount: account, SigningKey: key, VoteID: vote, URL: url, VoteRanking: math.MaxUint32})
	setKey(&s.j, s.minerOf, account, id)
	s.setGlobal(func(g *ledger.GlobalProperties) { g.NextAvailableVoteID++ })
	return id
}
