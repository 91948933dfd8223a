package walletcore

import (
	"billfold/ledger"
)

// MemoState says what can be shown of a memo.
type MemoState int

// The memo states.
const (
	MemoNone    MemoState = iota // the operation carries none
	MemoOpen                     // encrypted, opened with a key of this wallet
	MemoPlain                    // anyone can read it
	MemoLocked                   // encrypted, the wallet is locked
	MemoForeign                  // encrypted, the key is not in this wallet
	MemoDamaged                  // checksum or padding does not match
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
	From, To   AccountRef // transfers; else From is the payer
	With       AccountRef // the other side; the payer when there is none
	Asset      AssetRef
	Amount     int64 // 0 when the operation moves nothing
	FeeAsset   AssetRef
	Fee        int64
	Memo       string
	MemoState  MemoState
	Sentence   string // "alice paid 12.25000000 DCT to bobby"
}
