package produce

import (
	"cmp"
	"math/bits"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// voteInstance returns the number of a vote id.
func voteInstance(id ledger.VoteID) uint32 { return uint32(id) >> 8 }

// voteCount is the votes of all accounts, in smallest units of DCT.
type voteCount struct {
	votes  []uint64             // by the number of the vote id
	gained [][]state.VoteGained // likewise, in the order of the voters' names
	sizes  []uint64             // stake that wants 2n or 2n+1 miners
	total  uint64
}

// countVotes adds up the stakes, and calls each for every account. The stake of an
// account with a proxy counts as the proxy votes.
func countVotes(s *state.State, each func(account *ledger.Account, stake uint64, votes []ledger.VoteID)) voteCount {
	most := s.Parameters().MaximumMinerCount
	n := s.Global().NextAvailableVoteID
	c := voteCount{votes: make([]uint64, n), gained: make([][]state.VoteGained, n), sizes: make([]uint64, most/2+1)}
	for account := range s.Accounts.ByNames() {
		voter := account
		if proxy := account.Options.VotingAccount; proxy != ledger.ProxyToSelf {
			voter = s.Accounts.Get(proxy)
		}
		stake := uint64(s.Balances.Of(account.ID, ledger.CoreAsset) + s.Accounts.Statistics(account.Statistics).TotalCoreInOrders)
		c.add(account.ID, &voter.Options, stake, most)
		each(account, stake, voter.Options.Votes)
	}
	return c
}

func (c *voteCount) add(owner ledger.AccountID, o *ledger.AccountOptions, stake uint64, most uint16) {
	for _, id := range o.Votes {
		if n := voteInstance(id); n < uint32(len(c.votes)) {
			c.votes[n] += stake
			c.gained[n] = append(c.gained[n], state.VoteGained{Account: owner, Votes: stake})
		}
	}
	if o.NumMiner <= most {
		c.sizes[min(int(o.NumMiner/2), len(c.sizes)-1)] += stake
	}
	c.total += stake
}

// activeCount returns how many miners the stake wants: the median of the wishes
// for more than one, always odd.
func (c *voteCount) activeCount() int {
	target := (c.total - c.sizes[0]) / 2
	if target == 0 {
		return 1
	}
	n, sum := 0, uint64(0)
	for n < len(c.sizes)-1 && sum <= target {
		n++
		sum += c.sizes[n]
	}
	return 2*n + 1
}

// ranking returns the miners with the most votes first.
func ranking(s *state.State, c *voteCount) []*state.Miner {
	miners := s.Miners.Candidates()
	slices.SortFunc(miners, func(a, b *state.Miner) int {
		return cmp.Or(cmp.Compare(c.votesFor(b), c.votesFor(a)), cmp.Compare(a.VoteID, b.VoteID))
	})
	return miners
}

func (c *voteCount) votesFor(m *state.Miner) uint64 { return c.votes[voteInstance(m.VoteID)] }

// weightBits is the number of bits of the largest number of votes that fit an
// authority's weight.
const weightBits = 16

// minersAuthority returns the authority by which the elected miners act for 1.2.0:
// weighted by their votes, with a threshold of more than half. It returns false if
// none of them has votes.
func minersAuthority(elected []*state.Miner, c *voteCount) (ledger.Authority, bool) {
	var auth ledger.Authority
	var total uint64
	shift := -1
	for _, m := range elected {
		votes := c.votesFor(m)
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

// MinerVotes is a miner's votes if they were counted now.
type MinerVotes struct {
	AccountName string `json:"account_name"`
	Votes       uint64 `json:"votes"`
}

// ActualVotes counts the votes without waiting for the maintenance. It lists the
// miners with the most votes first.
func ActualVotes(s *state.State) []MinerVotes {
	c := countVotes(s, func(*ledger.Account, uint64, []ledger.VoteID) {})
	list := []MinerVotes{}
	for _, m := range ranking(s, &c) {
		list = append(list, MinerVotes{s.Accounts.Get(m.MinerAccount).Name, c.votesFor(m)})
	}
	return list
}
