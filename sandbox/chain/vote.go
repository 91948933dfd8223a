package chain

import (
	"cmp"
	"math/bits"
	"slices"

	"billfold/ledger"
)

// VoteGained is what one account's stake gives a miner.
type VoteGained struct {
	_       struct{}         `fc:"pair"`
	Account ledger.AccountID `json:"account"`
	Votes   uint64           `json:"votes"`
}

// voteInstance is the number of a vote id.
func voteInstance(id ledger.VoteID) uint32 { return uint32(id) >> 8 }

// tally is how all accounts vote, in smallest units of DCT.
type tally struct {
	votes  []uint64       // by the number of the vote id
	gained [][]VoteGained // likewise, in the order of the voters' names
	sizes  []uint64       // stake that wants 2n or 2n+1 miners
	total  uint64
}

// countVotes adds up the stakes. An account with a proxy lends it its stake.
func (s *State) countVotes(each func(account *ledger.Account, stake uint64, votes []ledger.VoteID)) tally {
	most := s.global.Parameters.MaximumMinerCount
	n := s.global.NextAvailableVoteID
	t := tally{votes: make([]uint64, n), gained: make([][]VoteGained, n), sizes: make([]uint64, most/2+1)}
	for _, name := range s.names {
		account := s.AccountByName(name)
		opinion := account
		if proxy := account.Options.VotingAccount; proxy != ledger.ProxyToSelf {
			opinion = s.Account(proxy)
		}
		stake := uint64(s.Balance(account.ID, ledger.CoreAsset) + s.statistics.get(uint64(account.ID)).TotalCoreInOrders)
		t.add(account.ID, &opinion.Options, stake, most)
		each(account, stake, opinion.Options.Votes)
	}
	return t
}

func (t *tally) add(voter ledger.AccountID, o *ledger.AccountOptions, stake uint64, most uint16) {
	for _, id := range o.Votes {
		if n := voteInstance(id); n < uint32(len(t.votes)) {
			t.votes[n] += stake
			t.gained[n] = append(t.gained[n], VoteGained{Account: voter, Votes: stake})
		}
	}
	if o.NumMiner <= most {
		t.sizes[min(int(o.NumMiner/2), len(t.sizes)-1)] += stake
	}
	t.total += stake
}

// activeCount is how many miners the stake wants: the middle of what those want
// who say more than one, always odd.
func (t *tally) activeCount() int {
	target := (t.total - t.sizes[0]) / 2
	if target == 0 {
		return 1
	}
	n, sum := 0, uint64(0)
	for n < len(t.sizes)-1 && sum <= target {
		n++
		sum += t.sizes[n]
	}
	return 2*n + 1
}

// ranking gives the miners with the most votes first.
func (s *State) ranking(t *tally) []*Miner {
	miners := slices.Clone(s.miners.rows[1:])
	slices.SortFunc(miners, func(a, b *Miner) int {
		return cmp.Or(cmp.Compare(t.of(b), t.of(a)), cmp.Compare(a.VoteID, b.VoteID))
	})
	return miners
}

func (t *tally) of(m *Miner) uint64 { return t.votes[voteInstance(m.VoteID)] }

// weightBits is how many bits of the largest number of votes an authority's
// weight keeps.
const weightBits = 16

// minersAuthority lets the elected miners act for 1.2.0, by their votes, with
// more than half of them. Without votes there is none.
func minersAuthority(elected []*Miner, t *tally) (ledger.Authority, bool) {
	var auth ledger.Authority
	var total uint64
	shift := -1
	for _, m := range elected {
		votes := t.of(m)
		if votes == 0 {
			continue
		}
		if shift < 0 {
			shift = max(bits.Len64(votes)-weightBits, 0)
		}
		weight := max(votes>>shift, 1)
		total += weight
		auth.AccountAuths = append(auth.AccountAuths, ledger.AccountWeight{Account: m.MinerAccount, Weight: uint16(weight)})
	}
	slices.SortFunc(auth.AccountAuths, func(a, b ledger.AccountWeight) int { return cmp.Compare(a.Account, b.Account) })
	auth.WeightThreshold = uint32(total/2 + 1)
	return auth, total > 0
}

// ActualVotes is what a miner would gain if votes were counted now.
type ActualVotes struct {
	AccountName string `json:"account_name"`
	Votes       uint64 `json:"votes"`
}

// ActualVotes counts the votes without waiting for the maintenance, most first.
func (s *State) ActualVotes() []ActualVotes {
	t := s.countVotes(func(*ledger.Account, uint64, []ledger.VoteID) {})
	list := []ActualVotes{}
	for _, m := range s.ranking(&t) {
		list = append(list, ActualVotes{s.Account(m.MinerAccount).Name, t.of(m)})
	}
	return list
}
