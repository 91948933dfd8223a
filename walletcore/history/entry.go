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

// Proof is what stands for a row of an account's history.
type Proof uint8

// The proofs. The miners sign what is in a block; what a proposal did when it was
// carried out is in none, so that daemons alone can tell of it.
const (
	ProofNode       Proof = iota // one daemon's word
	ProofSignatures              // the miners' signatures show it in its block
	ProofDaemons                 // a proposal did it: its place is one where that happens, and a quorum of daemons agrees on it
	ProofWithheld                // a proposal is said to have done it, and no quorum of daemons stands for that: not to be relied on
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
	VirtualOp  uint32 // tells operations apart that one operation caused
	Final      bool   // the block is irreversible
	Proof      Proof  // as deposit.Prover judged it
	Direction  Direction
	From, To   ledgerview.AccountRef // transfers and messages; else From is the payer
	With       ledgerview.AccountRef // the other side; the payer when there is none
	Asset      ledgerview.AssetRef
	Amount     int64  // 0 when the operation moves nothing
	Also       []Part // what it moves of other assets in the same direction
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

// Pays reports whether an entry is a payment, or units of an asset that were issued: From, To and Amount say all of it.
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
