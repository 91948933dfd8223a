package chain

import "billfold/ledger"

// Statistics is the object 2.5.N of account 1.2.N.
type Statistics struct {
	ID                ledger.AccountStatisticsID `json:"id"`
	Owner             ledger.AccountID           `json:"owner"`
	VotingStake       int64                      `json:"voting_stake"`
	Votes             []ledger.VoteID            `json:"votes"`
	MostRecentOp      ledger.ObjectID            `json:"most_recent_op"` // 2.8.N
	TotalOps          uint32                     `json:"total_ops"`
	TotalCoreInOrders int64                      `json:"total_core_in_orders"`
	PendingFees       int64                      `json:"pending_fees"`
	PendingVestedFees int64                      `json:"pending_vested_fees"`
}

// Balance is the object 2.4.N: what one account has of one asset.
type Balance struct {
	ID        ledger.AccountBalanceID `json:"id"`
	Owner     ledger.AccountID        `json:"owner"`
	AssetType ledger.AssetID          `json:"asset_type"`
	Balance   int64                   `json:"balance"`
}

// AssetData is the object 2.3.N of asset 1.3.N. The pool of the core asset
// collects the fees paid in it.
type AssetData struct {
	ID            ledger.AssetDynamicDataID `json:"id"`
	CurrentSupply int64                     `json:"current_supply"`
	AssetPool     int64                     `json:"asset_pool"`
	CorePool      int64                     `json:"core_pool"`
}

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

// ChainProperty is the object 2.9.0: what never changes on a chain.
type ChainProperty struct {
	ID                  ledger.ObjectID     `json:"id"`
	ChainID             ledger.ChainID      `json:"chain_id"`
	ImmutableParameters ImmutableParameters `json:"immutable_parameters"`
}

// ImmutableParameters are set by the genesis.
type ImmutableParameters struct {
	MinMinerCount      uint16 `json:"min_miner_count"`
	NumSpecialAccounts uint32 `json:"num_special_accounts"`
	NumSpecialAssets   uint32 `json:"num_special_assets"`
}

// AccountHistory is the object 2.8.N: one operation of one account. Next is
// the one before it of the same account.
type AccountHistory struct {
	ID          ledger.ObjectID  `json:"id"`
	Account     ledger.AccountID `json:"account"`
	OperationID ledger.HistoryID `json:"operation_id"`
	Sequence    uint32           `json:"sequence"`
	Next        ledger.ObjectID  `json:"next"`
}

// TransactionHistory is the object 2.19.N: where a transaction stands.
type TransactionHistory struct {
	ID         ledger.ObjectID      `json:"id"`
	TxID       ledger.TransactionID `json:"tx_id"`
	BlockNum   uint32               `json:"block_num"`
	TrxInBlock uint32               `json:"trx_in_block"`
}

// Types of the implementation objects that have no typed id in package ledger.
const (
	typeAccountHistory     = 8
	typeTransactionHistory = 19
)

func accountHistoryID(n uint64) ledger.ObjectID {
	return ledger.NewObjectID(2, typeAccountHistory, n)
}

func transactionHistoryID(n uint64) ledger.ObjectID {
	return ledger.NewObjectID(2, typeTransactionHistory, n)
}
