package state

import (
	"math"
	"slices"

	"billfold/ledger"
)

// Miner is the object 1.4.N.
type Miner struct {
	ID                    ledger.MinerID           `json:"id"`
	MinerAccount          ledger.AccountID         `json:"miner_account"`
	LastAslot             uint64                   `json:"last_aslot"`
	SigningKey            ledger.PublicKey         `json:"signing_key"`
	PayVB                 *ledger.VestingBalanceID `json:"pay_vb,omitempty"`
	VoteID                ledger.VoteID            `json:"vote_id"`
	TotalVotes            uint64                   `json:"total_votes"`
	URL                   string                   `json:"url"`
	TotalMissed           int64                    `json:"total_missed"`
	LastConfirmedBlockNum uint32                   `json:"last_confirmed_block_num"`
	VoteRanking           uint32                   `json:"vote_ranking"`
	VotesGained           []VoteGained             `json:"votes_gained"`
}

// VoteGained is the part of a miner's votes that one account's stake adds.
type VoteGained struct {
	_       struct{}         `fc:"pair"`
	Account ledger.AccountID `json:"account"`
	Votes   uint64           `json:"votes"`
}

// MinerSchedule is the object 2.10.0: the order in which miners take turns.
type MinerSchedule struct {
	ID                    ledger.ObjectID  `json:"id"`
	CurrentShuffledMiners []ledger.MinerID `json:"current_shuffled_miners"`
}

const typeMinerSchedule = 10

// Miners are the objects 1.4.N and their schedule. 1.4.0 is the null miner.
type Miners struct {
	TurnsByBlock bool // the miners take turns by block, not by slot; never changes

	table[ledger.MinerID, Miner]
	byAccount index[ledger.AccountID, ledger.MinerID]
	schedule  cell[*MinerSchedule]
}

func newMiners(j *journal) Miners {
	m := Miners{byAccount: newIndex[ledger.AccountID, ledger.MinerID](j)}
	m.table.j, m.schedule.j = j, j
	m.insert(&Miner{MinerAccount: ledger.NullAccount})
	return m
}

// OfAccount returns the miner that belongs to the account, or nil.
func (m *Miners) OfAccount(account ledger.AccountID) *Miner {
	if id, ok := m.byAccount.find(account); ok {
		return m.Get(id)
	}
	return nil
}

// Count returns the number of miners, without the null miner.
func (m *Miners) Count() uint64 { return m.table.Count() - 1 }

// Candidates returns the miners in order of ids, without the null miner.
func (m *Miners) Candidates() []*Miner { return slices.Clone(m.rows[1:]) }

// ByVote returns the miner with the vote id, or nil.
func (m *Miners) ByVote(id ledger.VoteID) *Miner {
	for _, row := range m.rows[1:] {
		if row.VoteID == id {
			return row
		}
	}
	return nil
}

// add inserts a miner under the next id, with vote id number vote.
func (m *Miners) add(account ledger.AccountID, key ledger.PublicKey, url string, vote uint32) ledger.MinerID {
	id := m.Next()
	m.insert(&Miner{
		ID: id, MinerAccount: account, SigningKey: key, VoteID: ledger.VoteID(vote << 8), URL: url, VoteRanking: math.MaxUint32,
	})
	m.byAccount.set(account, id)
	return id
}

// Schedule returns 2.10.0.
func (m *Miners) Schedule() *MinerSchedule { return m.schedule.value }

// SetSchedule sets the order in which miners take turns.
func (m *Miners) SetSchedule(turns []ledger.MinerID) {
	m.schedule.set(&MinerSchedule{ID: ledger.NewObjectID(2, typeMinerSchedule, 0), CurrentShuffledMiners: turns})
}
