package walletcore

import (
	"math"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// TransferRequest is what a person or a script asks for, as text.
type TransferRequest struct {
	From, To string // account name or id; To may be a content id 2.13.N
	Amount   string // decimal text in the asset's precision
	Asset    string // symbol or id
	Memo     string // "" = none
	Plain    bool   // memo readable by anyone; default is encrypted to the recipient
}

// Review is a built operation read back from the bytes that will be signed.
// Nothing in it comes from the request.
type Review struct {
	Operation  string // "transfer (0)"
	Sentence   string // what it does in words; names in it were written by others
	From       ledgerview.AccountRef
	To         ledgerview.AccountRef // Name is empty when To is a content object
	ToObject   ledger.ObjectID
	Asset      ledgerview.AssetRef
	Amount     int64 // 0 when the operation pays nobody
	FeeAsset   ledgerview.AssetRef
	Fee        int64
	Memo       string // decrypted from the operation again
	MemoState  vault.MemoState
	MemoBytes  int
	Available  int64              // balance of Asset before, smallest unit
	SignsWith  []ledger.PublicKey // the keys that will sign, smallest sufficient set
	Chain      ledger.ChainID
	FirstTime  bool                    // never paid before by this account, as far as its history shows
	PaidBefore int                     // how many earlier transfers to this account the history shows
	Repeats    *history.Entry          // same recipient, asset and amount within 24 h, else nil
	LooksLike  []ledgerview.AccountRef // own or earlier paid accounts whose name is confusable with To's
	Changed    []ledgerview.Change     // what is not as it was when the recipient was last accepted
	JSON       string                  // the transaction as JSON, indented
	Bytes      string                  // its bytes, hex
}

// Spent is what the account loses of Asset: the amount, with the fee when it is
// paid in the same asset. Smallest units.
func (r Review) Spent() int64 {
	if r.FeeAsset.ID != r.Asset.ID {
		return r.Amount
	}
	if total, fits := ledger.AddAmounts(r.Amount, r.Fee); fits {
		return total
	}
	return math.MaxInt64
}

// PaymentState is where a payment stands.
type PaymentState int

// The states of a payment, in order of progress; the last four are final or need waiting.
const (
	PaymentPrepared     PaymentState = iota // signed, not sent
	PaymentSent                             // accepted into the daemon's pending list
	PaymentInBlock                          // in block Block, not yet irreversible
	PaymentIrreversible                     // final
	PaymentUnknown                          // may still happen until a block after Expiration is irreversible: no answer, or a daemon refused what it could pass on
	PaymentRejected                         // nothing was spent: never sent, or refused and proven not to have happened
	PaymentExpired                          // proven not to have happened
)

// Payment is one transfer on its way.
type Payment struct {
	ID         ledger.TransactionID
	Key        string // the caller's request key; "" = none
	State      PaymentState
	Review     Review
	Expiration ledger.Time
	Prepared   time.Time
	Sent       time.Time
	InBlock    time.Time // when the block was seen; zero before
	Block      uint32
	TrxInBlock uint32
	Head       uint32 // as last seen
	Last       uint32 // last irreversible block as last seen
	Reason     string // why rejected, unknown or expired; one sentence

	Taken       bool // a daemon answered that it has the bytes; without that Sent says only that they left
	ByNodesWord bool // a daemon calls its block irreversible, and the miners' signatures do not prove it yet
}
