package ledger

import "billfold/ledger/codec"

// ChainParameters are the parameters that miners may change (docs/protocol/serialization.md 1).
type ChainParameters struct {
	CurrentFees                  FeeSchedule `json:"current_fees"`
	BlockInterval                uint8       `json:"block_interval"`       // seconds
	MaintenanceInterval          uint32      `json:"maintenance_interval"` // seconds
	MaintenanceSkipSlots         uint8       `json:"maintenance_skip_slots"`
	MinerProposalReviewPeriod    uint32      `json:"miner_proposal_review_period"`    // seconds
	MaximumTransactionSize       uint32      `json:"maximum_transaction_size"`        // bytes, with signatures
	MaximumBlockSize             uint32      `json:"maximum_block_size"`              // bytes
	MaximumTimeUntilExpiration   uint32      `json:"maximum_time_until_expiration"`   // seconds
	MaximumProposalLifetime      uint32      `json:"maximum_proposal_lifetime"`       // seconds
	MaximumAssetFeedPublishers   uint8       `json:"maximum_asset_feed_publishers"`   //
	MaximumMinerCount            uint16      `json:"maximum_miner_count"`             //
	MaximumAuthorityMembership   uint16      `json:"maximum_authority_membership"`    // entries of one authority
	CashbackVestingPeriodSeconds uint32      `json:"cashback_vesting_period_seconds"` //
	CashbackVestingThreshold     int64       `json:"cashback_vesting_threshold"`      // smallest unit of DCT
	MaxPredicateOpcode           uint16      `json:"max_predicate_opcode"`            //
	MaxAuthorityDepth            uint8       `json:"max_authority_depth"`             // levels of nested accounts
	Extensions                   Extensions  `json:"extensions"`
}

// DefaultChainParameters returns the reference's built-in values.
func DefaultChainParameters() ChainParameters {
	var p ChainParameters
	p.SetDefaults()
	p.CurrentFees.SetDefaults()
	return p
}

// SetDefaults sets the members whose default is not zero.
func (p *ChainParameters) SetDefaults() {
	*p = ChainParameters{
		BlockInterval: 5, MaintenanceInterval: 86400, MaintenanceSkipSlots: 3,
		MinerProposalReviewPeriod: 1209600, MaximumTransactionSize: 4096, MaximumBlockSize: 4096000,
		MaximumTimeUntilExpiration: 86400, MaximumProposalLifetime: 2419200,
		MaximumAssetFeedPublishers: 10, MaximumMinerCount: 1001, MaximumAuthorityMembership: 10,
		CashbackVestingPeriodSeconds: 31536000, CashbackVestingThreshold: 10000000000,
		MaxPredicateOpcode: 1, MaxAuthorityDepth: 2,
		CurrentFees: FeeSchedule{Scale: fullScale},
	}
}

// GlobalProperties is the object 2.0.0.
type GlobalProperties struct {
	ID                  ObjectID         `json:"id"`
	Parameters          ChainParameters  `json:"parameters"`
	PendingParameters   *ChainParameters `json:"pending_parameters,omitempty"`
	NextAvailableVoteID uint32           `json:"next_available_vote_id"`
	ActiveMiners        []MinerID        `json:"active_miners"`
}

// MarshalJSON writes the object as the node does.
func (p GlobalProperties) MarshalJSON() ([]byte, error) { return codec.Marshal(p) }

// UnmarshalJSON reads the object.
func (p *GlobalProperties) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, p) }

// DynamicGlobalProperties is the object 2.1.0: the current state of the chain.
type DynamicGlobalProperties struct {
	ID                             ObjectID `json:"id"`
	HeadBlockNumber                uint32   `json:"head_block_number"`
	HeadBlockID                    BlockID  `json:"head_block_id"`
	Time                           Time     `json:"time"`
	CurrentMiner                   MinerID  `json:"current_miner"`
	NextMaintenanceTime            Time     `json:"next_maintenance_time"`
	LastBudgetTime                 Time     `json:"last_budget_time"`
	UnspentFeeBudget               int64    `json:"unspent_fee_budget"`
	MinedRewards                   int64    `json:"mined_rewards"`
	MinerBudgetFromFees            int64    `json:"miner_budget_from_fees"`
	MinerBudgetFromRewards         int64    `json:"miner_budget_from_rewards"`
	AccountsRegisteredThisInterval uint32   `json:"accounts_registered_this_interval"`
	RecentlyMissedCount            uint32   `json:"recently_missed_count"`
	CurrentAslot                   uint64   `json:"current_aslot"`
	RecentSlotsFilled              string   `json:"recent_slots_filled"` // 128 bits, decimal
	DynamicFlags                   uint32   `json:"dynamic_flags"`
	LastIrreversibleBlockNum       uint32   `json:"last_irreversible_block_num"`
}

// MarshalJSON writes the object as the node does.
func (p DynamicGlobalProperties) MarshalJSON() ([]byte, error) { return codec.Marshal(p) }

// UnmarshalJSON reads the object.
func (p *DynamicGlobalProperties) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, p) }

// Supply is the distribution of all DCT, in smallest units.
type Supply struct {
	AccountBalances int64 `json:"account_balances"`
	VestingBalances int64 `json:"vesting_balances"`
	Escrows         int64 `json:"escrows"`
	Pools           int64 `json:"pools"`
}
