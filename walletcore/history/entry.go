package history

import (
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Direction of a history entry as the account sees it.
type Direction int

// The directions.
const (
	Other Direction = iota // moves nothing but a fee, or not a transfer
	In
	Out
	Self
)

// Proof is the evidence for a row of an account's history.
type Proof uint8

// The proofs. The miners sign what is in a block; what a proposal did when it was
// executed is in no block, so that only daemons can report it.
const (
	ProofNode       Proof = iota // one daemon's word
	ProofSignatures              // the miners' signatures show it in its block
	ProofDaemons                 // a proposal did it: proposals execute at its position, and a quorum of daemons agrees on it
	ProofWithheld                // a proposal is said to have done it, but no quorum of daemons confirms that: not to be relied on
)

// Entry is one operation of an account, newest first in lists.
type Entry struct {
	ID         ledger.HistoryID
	Code       ledger.OpCode
	Name       string      // "transfer", "account create", …
	Time       ledger.Time // block time; 0 when not known
	Block      uint32
	TrxInBlock uint32
	OpInTrx    uint32 // its place among the transaction's operations
	VirtualOp  uint32 // distinguishes operations caused by the same operation
	Final      bool   // the block is irreversible
	Proof      Proof  // as deposit.Prover judged it
	Direction  Direction
	From, To   ledgerview.AccountRef // of transfers and messages; otherwise From is the fee payer
	With       ledgerview.AccountRef // the other side; the fee payer if there is none
	Asset      ledgerview.AssetRef
	Amount     int64  // 0 when the operation moves nothing
	Also       []Part // the amounts of other assets it moves, in the same direction
	FeeAsset   ledgerview.AssetRef
	Fee        int64
	FeePayer   ledgerview.AccountRef
	Memo       string
	MemoState  vault.MemoState
	Sentence   string // "alice paid 12.25000000 DCT to bobby"
}

// Part is an amount of an asset.
type Part struct {
	Asset  ledgerview.AssetRef
	Amount int64
}

// Pays reports whether an entry is a payment or an issue of an asset. From, To and Amount then describe it fully.
func (e Entry) Pays() bool {
	return e.Code == ledger.CodeTransfer || e.Code == ledger.CodeTransferObsolete || e.Code == ledger.CodeAssetIssue
}

// OperationName returns the reference's name in words: "transfer", "account create".
func OperationName(code ledger.OpCode) string {
	if code == ledger.CodeTransferObsolete {
		return "transfer"
	}
	return strings.ReplaceAll(strings.TrimSuffix(ledger.OpName(code), "_operation"), "_", " ")
}
