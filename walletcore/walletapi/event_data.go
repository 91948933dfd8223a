package walletapi

import (
	"reflect"

	"billfold/ledger"
	"billfold/walletcore/deposit"
	"billfold/walletcore/payment"
)

// Topic is something that events are about.
type Topic struct {
	Name string
	Help string

	data reflect.Type // of its events
}

// Data returns the data of an event in words, made from its type.
func (t Topic) Data() string { return wordOf(t.data) }

// Topics returns what a client can subscribe to. docs/rpc/events.md is made from it.
func Topics() []Topic {
	return []Topic{
		{"blocks", "the head block or the last irreversible one is another", reflect.TypeFor[BlockEvent]()},
		{"balances", "an own account has another balance of an asset, amount in smallest units as text", reflect.TypeFor[BalanceEvent]()},
		{"deposits", "an own account got something: state is in_block, then irreversible; or gone, if another chain took the place of its block. " +
			"deposit is as deposits.next lists it", reflect.TypeFor[DepositEvent]()},
		{"payments", "a payment of this wallet has another state, as get_payment returns it", reflect.TypeFor[payment.Info]()},
		{"lock", "state is new, locked or unlocked", reflect.TypeFor[LockEvent]()},
		{"accounts", "somebody else changed an own account: what, in words with names that others chose, by which transaction (or row of the history, " +
			"where a proposal did it), and which transactions of this wallet it undid", reflect.TypeFor[AccountEvent]()},
	}
}

// Resync is the topic of an event that every subscriber may get: it missed events and reads its copy again.
const Resync = "resync"

// BlockEvent is the data of an event about blocks.
type BlockEvent struct {
	HeadBlockNum  uint32      `json:"head_block_num"`
	HeadBlockTime ledger.Time `json:"head_block_time"`
	Irreversible  uint32      `json:"last_irreversible_block_num"`
}

// BalanceEvent is the data of an event about balances.
type BalanceEvent struct {
	Account   string           `json:"account"`
	AccountID ledger.AccountID `json:"account_id"`
	Asset     string           `json:"asset"`
	AssetID   ledger.AssetID   `json:"asset_id"`
	Amount    string           `json:"amount"`
	Pretty    string           `json:"pretty_amount"`
}

// DepositEvent is the data of an event about deposits.
type DepositEvent struct {
	State   string          `json:"state"`
	Deposit deposit.Deposit `json:"deposit"`
}

// LockEvent is the data of an event about the lock.
type LockEvent struct {
	State string `json:"state"`
}

// AccountEvent is the data of an event about accounts.
type AccountEvent struct {
	Account       string                 `json:"account"`
	AccountID     ledger.AccountID       `json:"account_id"`
	TransactionID string                 `json:"transaction_id"` // or the row of the history where a proposal did it
	BlockNum      uint32                 `json:"block_num"`
	TrxInBlock    uint32                 `json:"trx_in_block"`
	What          string                 `json:"what"` // names in it were chosen by others
	Undone        []ledger.TransactionID `json:"undone"`
}
