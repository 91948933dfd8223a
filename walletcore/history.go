package walletcore

import (
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Direction of a history entry as the account sees it.
type Direction int

// The directions.
const (
	DirectionOther Direction = iota // moves nothing but a fee, or not a transfer
	DirectionIn
	DirectionOut
	DirectionSelf
)

// HistoryEntry is one operation of an account, newest first in lists.
type HistoryEntry struct {
	ID         ledger.HistoryID
	Code       ledger.OpCode
	Name       string      // "transfer", "account create", …
	Time       ledger.Time // block time; 0 when not known
	Block      uint32
	TrxInBlock uint32
	OpInTrx    uint32 // its place among the transaction's operations
	VirtualOp  uint32 // tells operations apart that one operation caused
	Final      bool   // the block is irreversible
	Proof      Proof  // as ProveIncoming judged it
	Direction  Direction
	From, To   ledgerview.AccountRef // transfers; else From is the payer
	With       ledgerview.AccountRef // the other side; the payer when there is none
	Asset      ledgerview.AssetRef
	Amount     int64 // 0 when the operation moves nothing
	FeeAsset   ledgerview.AssetRef
	Fee        int64
	Memo       string
	MemoState  vault.MemoState
	Sentence   string // "alice paid 12.25000000 DCT to bobby"
}
