package ledger

// Miner is the object 1.4.N: an account that may produce blocks.
type Miner struct {
	ID                    MinerID           `json:"id"`
	MinerAccount          AccountID         `json:"miner_account"`
	LastAslot             uint64            `json:"last_aslot"` // the slot of its last block
	SigningKey            PublicKey         `json:"signing_key"`
	PayVB                 *VestingBalanceID `json:"pay_vb,omitempty"` // where its pay goes; none before the first
	VoteID                VoteID            `json:"vote_id"`
	TotalVotes            uint64            `json:"total_votes"`
	URL                   string            `json:"url"`
	TotalMissed           int64             `json:"total_missed"`
	LastConfirmedBlockNum uint32            `json:"last_confirmed_block_num"`
	VoteRanking           uint32            `json:"vote_ranking"`
	VotesGained           []VoteGained      `json:"votes_gained"`
}

// VoteGained is what one account's stake adds to a miner's votes.
type VoteGained struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Votes   uint64    `json:"votes"`
}

// NamedMiner is a miner with the name of its account.
type NamedMiner struct {
	_    struct{} `fc:"pair"`
	Name string   `json:"name"`
	ID   MinerID  `json:"id"`
}

// MinerVoting is a miner, and whether an account votes for it.
type MinerVoting struct {
	ID         MinerID `json:"id"`
	Name       string  `json:"name"` // of its account
	URL        string  `json:"url"`
	TotalVotes uint64  `json:"total_votes"`
	Voted      bool    `json:"voted"`
}
