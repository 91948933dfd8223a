package build

import (
	"context"
	"math"
	"slices"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Review is what was built, read back from the bytes that will be signed. Nothing in it comes
// from the request. Of a single operation that pays, From, To and Amount say who pays whom; of
// several, Moves does.
type Review struct {
	Operation  string // "transfer (0)", or how many there are
	Sentence   string // what they do in words; names in it were written by others
	From       ledgerview.AccountRef
	To         ledgerview.AccountRef // Name is empty when To is a content object, or nobody
	ToObject   ledger.ObjectID       // 0.0.0 when nobody is paid
	Asset      ledgerview.AssetRef
	Amount     int64 // what the one operation takes from From; 0 when it takes nothing but a fee
	FeeAsset   ledgerview.AssetRef
	Fee        int64  // of all operations together
	Memo       string // decrypted from the operation again
	MemoState  vault.MemoState
	MemoBytes  int
	Messages   []MessageText      // of one message: what it says, and to whom
	Available  int64              // balance of Asset before, smallest unit
	SignsWith  []ledger.PublicKey // the keys that will sign, smallest sufficient set
	SignsAs    []KeyPlace         // in whose name, as far as that is known
	Chain      ledger.ChainID
	Gets       []ledgerview.AccountRef // who gets value or rights, whatever the operations are
	New        []ledgerview.AccountRef // those of them who never got anything from this account, as far as its history shows
	FirstTime  bool                    // there are such, or content that was not paid for before
	Unnamed    bool                    // somebody is paid whom the operations do not name, and who cannot be told now
	Presumed   bool                    // New and FirstTime are presumed: nobody could be asked who was paid before
	PaidBefore int                     // how many earlier transfers to this account the history shows
	PaidMore   bool                    // the history holds more than was looked through: it may be more often, or not the first time
	Unproven   int                     // how many the node lists of those who are New, which nothing else shows
	Repeats    *history.Entry          // same recipient, asset and amount within 24 h, else nil; without a name while no history shows it
	Contact    bool                    // To is a contact of this wallet
	LooksLike  []ledgerview.AccountRef // own accounts, contacts or earlier paid ones whose name is confusable with a recipient's
	Changed    []ledgerview.Change     // what is not as it was when the recipient was last accepted
	Sentences  []string                // one for each operation
	Intents    []string                // the same of what is not done yet, with the kind of a token and who sells; may be missing
	Memos      []Text                  // of several operations those that have a memo
	Moves      []Move                  // what goes from whom to whom, fees left out
	Outgoing   []Outgoing              // what accounts lose of assets, fees included
	Effects    []ledger.Effect         // what changes besides: who may act, a vote, what a proposal would do
	Signers    []Signer                // whose authority is needed, and whether the keys at hand satisfy it
	Control    []Control               // who may act for accounts from then on
	Guessable  string                  // how soon whoever tries finds the keys that the operations name; empty: hardly ever
	Approves   *Review                 // what the proposals would do that it approves, all together; nil: none that is known
	Proposes   *Review                 // what the proposals would do that it makes, all together; nil: it makes none
	Each       []Review                // of several proposed operations, each by itself
	Together   bool                    // of what approved proposals would do: it holds the rest of the transaction as well
	SaidBy     int                     // of what approved proposals would do: how many daemons said that they hold it
	Unread     []ledger.ProposalID     // approved as well, and what they would do is not known
	Outcome    Outcome                 // what a yes brings about
	JSON       string                  // the transaction as JSON, indented
	Bytes      string                  // its bytes, hex
	Again      bool                    // it was agreed to, and warns of more since: it is asked about again
	Gifts      []Move                  // to those who get something that is no amount, or not at once; the amount is 0
}

// Outcome is what becomes of operations once they are approved.
type Outcome int

// The outcomes.
const (
	Sends  Outcome = iota // they are signed and sent
	Signs                 // they are signed, and the caller may send them
	Writes                // they are written for others to sign; nothing is signed here
)

// Move is an amount that goes from whom to whom; 0.0.0 is nobody: the amount comes into being or
// ceases to be, or an object of the ledger holds it.
type Move struct {
	From, To ledger.ObjectID
	Asset    ledgerview.AssetRef
	Amount   int64 // smallest unit
}

// Outgoing is what an account loses of an asset, smallest unit.
type Outgoing struct {
	Account   ledgerview.AccountRef
	Asset     ledgerview.AssetRef
	Amount    int64 // fees included
	Fee       int64 // of that
	Available int64 // before
}

// Left is what the account has afterwards.
func (o Outgoing) Left() int64 { return o.Available - o.Amount }

// Signer is an authority that has to sign.
type Signer struct {
	Account ledgerview.AccountRef
	Role    string            // "active" or "owner"; "keys" where keys are named directly
	Keys    *ledger.Authority // of the role "keys"
	Met     bool              // by the keys of this wallet
}

// KeyPlace is in whose name a key signs.
type KeyPlace struct {
	Key     ledger.PublicKey
	Account ledgerview.AccountRef // in whose authority it stands
	Role    string                // which one: "active" or "owner"
	For     ledgerview.AccountRef // who is acted for, other than Account where that one acts for others
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

// Pays reports whether the one operation pays somebody.
func (r Review) Pays() bool { return r.Amount > 0 && r.ToObject != 0 }

// Same reports whether two reviews are of operations of one kind that pay the same to the same, or of messages that say it.
// A payment that an earlier version journalled has one move, which is in To and Amount.
func (r Review) Same(as Review) bool {
	return r.Operation == as.Operation && r.From.ID == as.From.ID && r.ToObject == as.ToObject && r.To.ID == as.To.ID &&
		r.Asset.ID == as.Asset.ID && r.Amount == as.Amount && sameMessages(r.Messages, as.Messages) &&
		(r.Moves == nil || as.Moves == nil || slices.EqualFunc(r.Moves, as.Moves, func(a, b Move) bool {
			return a.From == b.From && a.To == b.To && a.Asset.ID == b.Asset.ID && a.Amount == b.Amount
		})) && (len(r.Moves)+len(as.Moves) > 0 || r.Sentences == nil || as.Sentences == nil || slices.Equal(r.Sentences, as.Sentences))
}

// Approver is asked with what will be signed, read back from its bytes, before it
// is signed. It may wait for a person; its error is the call's, and nothing was
// signed then.
type Approver func(ctx context.Context, r Review) error

// Judge decides about operations as they would be signed, with their fees, before anybody is asked. Its error
// is the call's, and nothing was signed then.
type Judge func(ctx context.Context, ops []ledger.Operation) error

// Control is that other parties may act for an account once an operation is done.
type Control struct {
	Account ledgerview.AccountRef
	Role    string // "owner", "active", MemoRole or WithdrawRole
	Here    bool   // this wallet's keys suffice for it then, those of the owner authority for active too, and nobody can take that away
	ByOwner bool   // they suffice by the owner authority only
	NoOwner bool   // the owner authority is not known: they may suffice by it all the same
	Others  bool   // those of others suffice as well, which they did not before, or more of them do
	Anybody bool   // no key is needed for it
	Fresh   bool   // a key or an account stands in it that stood in no authority of the account before
	Rests   bool   // it stays as it is: an account that stands in it changes

	Through []ledgerview.AccountRef // accounts in the new authority for which others can act

	next ledger.Authority
}

// MemoRole is the role of the key that memos are read with; it is told where the new one is not in this wallet.
const MemoRole = "memo"

// WithdrawRole is that of who may withdraw again and again up to a limit.
const WithdrawRole = "withdraw"

// Loses reports whether somebody's account is no more the wallet's to act for: the keys here do not suffice for
// an authority that an operation sets.
func (r Review) Loses() bool {
	for _, c := range r.Control {
		if !c.Here {
			return true
		}
	}
	return false
}

// Text is the memo of one of several operations, or the text of a message.
type Text struct {
	Of    int    // the place of the operation, from 0
	Text  string // decrypted from the operation again
	State vault.MemoState
}

// MessageText is the text of a message for one of its recipients.
type MessageText struct {
	To    ledger.AccountID
	Text  string // decrypted from the operation again
	State vault.MemoState
}

// sameMessages reports whether two messages say the same to the same. What cannot be read may say anything.
func sameMessages(a, b []MessageText) bool {
	unread := func(t MessageText) bool { return t.State != vault.MemoOpen && t.State != vault.MemoPlain }
	return slices.EqualFunc(a, b, func(a, b MessageText) bool {
		return a.To == b.To && (a.Text == b.Text || unread(a) || unread(b))
	})
}

// Closed reports whether a message was noted while the wallet was locked.
func Closed(r Review) bool {
	return slices.ContainsFunc(r.Messages, func(t MessageText) bool { return t.State == vault.MemoLocked })
}
