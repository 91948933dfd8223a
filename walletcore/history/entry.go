package history

import (
	"cmp"
	"slices"
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

	Transaction *ledger.TransactionID // that holds it, as deposit.Prover found it in its block; nil: not looked for, or in none
	Direction   Direction
	From, To    ledgerview.AccountRef // of transfers and messages; otherwise From is the fee payer
	With        ledgerview.AccountRef // the other side; the fee payer if there is none
	Asset       ledgerview.AssetRef
	Amount      int64  // 0 when the operation moves nothing
	Also        []Part // the amounts of other assets it moves, in the same direction
	FeeAsset    ledgerview.AssetRef
	Fee         int64
	FeePayer    ledgerview.AccountRef
	Memo        string
	MemoState   vault.MemoState
	Sentence    string // "alice paid 12.25000000 DCT to bobby"
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

// Movement describes what an operation moves from an account to another, or to content.
type Movement struct {
	From   ledger.AccountID
	To     ledger.ObjectID
	Amount ledger.AssetAmount
}

// MovementOf returns what a transfer or an issue of an asset moves. It reports false for
// any other operation.
func MovementOf(body ledger.Body) (Movement, bool) {
	switch op := body.(type) {
	case *ledger.TransferObsoleteOp:
		return Movement{op.From, op.To.Object(), op.Amount}, true
	case *ledger.TransferOp:
		return Movement{op.From, op.To, op.Amount}, true
	case *ledger.AssetIssueOp:
		return Movement{op.Issuer, op.IssueToAccount.Object(), op.AssetToIssue}, true
	}
	return Movement{}, false
}

// movementsOf returns what a row of an account shows as moved, DCT first, and in which direction: for a payment the
// payment, for any other operation the amounts that it takes from the account, or those that it adds. They all have the
// same direction. An amount that comes from the ledger is shown as from the account that pays the fee; one that goes to
// the ledger as to the operation's only receiver, or to 0.0.0.
func movementsOf(id ledger.AccountID, op ledger.Operation) (out []Movement, direction Direction) {
	if m, is := MovementOf(op.Body); is {
		return []Movement{m}, directionOf(id, m)
	}
	for _, m := range op.Moves() {
		one, way := Movement{From: id, To: m.To, Amount: m.Amount}, Out
		switch {
		case m.Amount.Amount == 0, m.From != id.Object() && m.To != id.Object():
			continue
		case m.From != id.Object():
			way, one.From = In, op.Body.FeePayer()
			if from := ledger.AccountID(m.From.Instance()); from.Object() == m.From {
				one.From = from
			}
		case m.To == id.Object():
			way = Self
		case m.To == 0 && len(op.Receivers()) == 1:
			one.To = op.Receivers()[0].Object()
		}
		if len(out) > 0 && way != direction {
			continue
		}
		direction, out = way, append(out, one)
	}
	slices.SortStableFunc(out, func(a, b Movement) int { return cmp.Compare(a.Amount.AssetID, b.Amount.AssetID) })
	return out, direction
}

// directionOf returns the direction of a payment as an account sees it.
func directionOf(id ledger.AccountID, m Movement) Direction {
	switch to := m.To == id.Object(); {
	case m.From == id && to:
		return Self
	case m.From == id:
		return Out
	case to:
		return In
	}
	return Other
}
