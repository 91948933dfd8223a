package build

import (
	"context"
	"math"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

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

// Approver is asked with what will be signed, read back from its bytes, before it
// is signed. It may wait for a person; its error is the call's, and nothing was
// signed then.
type Approver func(ctx context.Context, r Review) error
