package txbuild

import (
	"context"
	"math"
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// Review describes what was built, read back from the bytes that will be signed. Nothing in it comes
// from the request. For a single operation that pays, From, To and Amount are who pays whom; for
// several, see Moves.
type Review struct {
	Operation  string // such as "transfer (0)", or how many there are
	Sentence   string // what they do in words; names in it were chosen by others
	From       ledgerview.AccountRef
	To         ledgerview.AccountRef // Name is empty if To is a content object, or nobody
	ToObject   ledger.ObjectID       // 0.0.0 if nobody is paid
	Asset      ledgerview.AssetRef
	Amount     int64 // what the single operation takes from From; 0 if it takes only a fee
	FeeAsset   ledgerview.AssetRef
	Fee        int64  // of all operations together
	Memo       string // decrypted from the operation again
	MemoState  vault.MemoState
	MemoBytes  int
	Messages   []MessageText      // of a single message: its text for each recipient
	Available  int64              // balance of Asset before, smallest unit
	SignsWith  []ledger.PublicKey // the keys that will sign, smallest sufficient set
	SignsAs    []AuthorityKey     // for whom they sign, as far as that is known
	Chain      ledger.ChainID
	Gets       []ledgerview.AccountRef // who gets value or rights, whatever the operations are
	New        []ledgerview.AccountRef // those of them who never got anything from this account, as far as its history proves
	FirstTime  bool                    // there are such accounts, or content that was not paid for before
	Unnamed    bool                    // somebody is paid whom the operations do not name and who cannot be determined now
	Presumed   bool                    // New and FirstTime are presumed: no daemon could be asked who was paid before
	PaidBefore int                     // how many earlier transfers to this account the history shows
	PaidMore   bool                    // not all of the history was read: there may be more transfers, or it may not be the first
	Unproven   int                     // how many transfers to those in New the node reports without proof
	Repeats    *history.Entry          // same recipient, asset and amount within 24 h, else nil; To is empty if only the journal has it
	Contact    bool                    // To is a contact of this wallet
	LooksLike  []ledgerview.AccountRef // own accounts, contacts or earlier recipients whose name is confusable with a recipient's
	Changed    []ledgerview.Change     // what differs from when it was last accepted: a recipient's keys, a fee, …
	FeeLeaps   bool                    // a fee is more than ten times the one that was last accepted
	Sentences  []string                // one for each operation
	Intents    []string                // the same worded as not done yet, with the kind of a token and the seller; may be missing
	Memos      []Text                  // the memos of several operations
	Moves      []Move                  // what goes from whom to whom, without fees
	Outgoing   []Outgoing              // what accounts lose of each asset, with fees
	Effects    []ledger.Effect         // what else changes: who may act, a vote, what a proposal would do
	Signers    []Signer                // whose authority is needed, and whether the available keys satisfy it
	Control    []Control               // changes of who may act for accounts
	Guessable  string                  // how soon an attacker guesses the keys that the operations set; empty: practically never
	Approves   *Review                 // what the approved proposals would do, all together; nil: none are known
	Proposes   *Review                 // what the new proposals would do, all together; nil: there are none
	Each       []Review                // of several proposed operations, one review each
	Together   bool                    // of approved proposals: the review includes the rest of the transaction
	SaidBy     int                     // of approved proposals: how many daemons agree on what they contain
	Unread     []ledger.ProposalID     // approved proposals that could not be read
	Outcome    Outcome                 // what happens on approval
	JSON       string                  // the transaction as JSON, indented
	Bytes      string                  // its bytes, hex
	Again      bool                    // approval was given and is asked for again: of Agreed, or of this before it had new warnings
	Agreed     *Review                 // the other operations that were approved before they came out as these; nil: they are the same
	Contents   []string                // the addresses of the content that is offered or bought
	Gifts      []Move                  // what is not an amount, or is given later, and to whom; the amount is 0
	checked    checks                  // what was looked at
}

// Outcome is the fate of operations once they are approved.
type Outcome int

// The outcomes.
const (
	Sends  Outcome = iota // they are signed and sent
	Signs                 // they are signed, and the caller may send them
	Writes                // they are written out for others to sign; nothing is signed here
)

// Move is an amount that moves from one party to another. 0.0.0 is nobody: the amount is created or
// destroyed, or an object of the ledger holds it.
type Move struct {
	From, To ledger.ObjectID
	Asset    ledgerview.AssetRef
	Amount   int64 // smallest unit
}

// Outgoing is the amount of an asset that an account loses, in the smallest unit.
type Outgoing struct {
	Account   ledgerview.AccountRef
	Asset     ledgerview.AssetRef
	Amount    int64 // including fees
	Fee       int64 // the part of Amount that is fees
	Available int64 // the balance before
}

// Left returns the balance afterwards.
func (o Outgoing) Left() int64 { return o.Available - o.Amount }

// Signer is an authority that has to sign.
type Signer struct {
	Account ledgerview.AccountRef
	Role    string            // "active" or "owner"; "keys" where keys are named directly
	Keys    *ledger.Authority // for the role "keys"
	Met     bool              // by the keys of this wallet
}

// AuthorityKey is the authority in which a key signs.
type AuthorityKey struct {
	Key     ledger.PublicKey
	Account ledgerview.AccountRef // the account in whose authority the key is
	Role    string                // which authority: "active" or "owner"
	For     ledgerview.AccountRef // the account that is acted for; differs from Account where that one acts for others
}

// Spent returns what the account loses of Asset: the amount, plus the fee if it is
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

// Pays reports whether the single operation pays somebody.
func (r Review) Pays() bool { return r.Amount > 0 && r.ToObject != 0 }

// Same reports whether two reviews are of the same kind of operations with the same payments to the same recipients, of
// the same content, or of messages with the same texts. A payment that an earlier version journalled has no Moves, only To and Amount.
func (r Review) Same(as Review) bool {
	return r.Operation == as.Operation && r.From.ID == as.From.ID && r.ToObject == as.ToObject && r.To.ID == as.To.ID &&
		r.Asset.ID == as.Asset.ID && r.Amount == as.Amount && sameMessages(r.Messages, as.Messages) && slices.Equal(r.Contents, as.Contents) &&
		(r.Moves == nil || as.Moves == nil || slices.EqualFunc(r.Moves, as.Moves, func(a, b Move) bool {
			return a.From == b.From && a.To == b.To && a.Asset.ID == b.Asset.ID && a.Amount == b.Amount
		})) && (len(r.payments())+len(as.payments()) > 0 || r.Sentences == nil || as.Sentences == nil || slices.Equal(r.Sentences, as.Sentences))
}

// Approver approves what will be signed, read back from its bytes, before it is signed.
// It may wait for a person. If it returns an error, the call returns that error and
// nothing is signed.
type Approver func(ctx context.Context, r Review) error

// Judge decides on operations as they would be signed, with their fees, before an Approver is asked. If it returns
// an error, the call returns that error and nothing is signed.
type Judge func(ctx context.Context, ops []ledger.Operation) error

// Control is a change of who may act for an account.
type Control struct {
	Account ledgerview.AccountRef
	Role    string // "owner", "active", MemoRole or WithdrawRole
	Here    bool   // this wallet's keys will suffice, for active also through the owner authority, and nobody can take that away
	ByOwner bool   // they suffice through the owner authority only
	NoOwner bool   // the owner authority is not known: they may still suffice through it
	Others  bool   // keys of others will suffice too, and did not before, or there are more of them
	Anybody bool   // no key is needed
	Fresh   bool   // the authority has keys or accounts that were in no authority of the account before

	FreshAlone bool // one of them satisfies it alone; otherwise they can act only together, or with others

	Rests bool // the authority itself is unchanged: an account in it changes

	Through []ledgerview.AccountRef // accounts in the new authority for which others can act

	next ledger.Authority
}

// MemoRole is the role of the key that memos are read with. It is listed if the new key is not in this wallet.
const MemoRole = "memo"

// WithdrawRole is the role of an account that may withdraw repeatedly up to a limit.
const WithdrawRole = "withdraw"

// Loses reports whether the wallet can no longer act for an account: the keys here do not suffice for an authority
// that an operation sets.
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
	Of    int    // the index of the operation
	Text  string // decrypted from the operation again
	State vault.MemoState
}

// MessageText is the text of a message for one of its recipients.
type MessageText struct {
	To    ledger.AccountID
	Text  string // decrypted from the operation again
	State vault.MemoState
}

// sameMessages reports whether two messages have the same recipients and texts. A text that cannot be read equals any other.
func sameMessages(a, b []MessageText) bool {
	unread := func(t MessageText) bool { return t.State != vault.MemoOpen && t.State != vault.MemoPlain }
	return slices.EqualFunc(a, b, func(a, b MessageText) bool {
		return a.To == b.To && (a.Text == b.Text || unread(a) || unread(b))
	})
}

// Closed reports whether the review is of a message that could not be read because the wallet was locked.
func (r Review) Closed() bool {
	return slices.ContainsFunc(r.Messages, func(t MessageText) bool { return t.State == vault.MemoLocked })
}

// Twins returns what the operations of a review do more than once, each only once, worded as not done yet.
func (r Review) Twins() (out []string) {
	seen := map[string]int{}
	for i, sentence := range r.Sentences {
		if seen[sentence]++; seen[sentence] == 2 {
			out = append(out, r.intents()[i])
		}
	}
	return out
}

// Intent returns what the operations do, worded as not done yet.
func (r Review) Intent() string {
	if len(r.Sentences) == 0 {
		return r.Sentence
	}
	return strings.Join(r.intents(), "; ")
}

// intents returns the sentences of the operations worded as not done yet, or as done where that is all the review has.
func (r Review) intents() []string {
	if len(r.Intents) == len(r.Sentences) {
		return r.Intents
	}
	return r.Sentences
}

// Fees returns what each payer pays in fees, per asset.
func (r Review) Fees() (out []Outgoing) {
	for _, o := range r.Outgoing {
		if o.Fee != 0 {
			out = append(out, Outgoing{Account: o.Account, Asset: o.Asset, Amount: o.Fee, Fee: o.Fee})
		}
	}
	if len(out) == 0 {
		out = []Outgoing{{Account: r.From, Asset: r.FeeAsset, Amount: r.Fee, Fee: r.Fee}}
	}
	return out
}

// HasNewWarnings reports whether a review warns of something that an earlier one of the same operations did not: the same was done
// meanwhile, a recipient's keys changed, a recipient is new or easily mistaken, or more than half of a balance would go; or that what
// would be signed is not the same any more, because an object that it replaces parts of has changed.
func (r Review) HasNewWarnings(earlier Review) bool {
	return r.Bytes != "" && earlier.Bytes != "" && r.Bytes != earlier.Bytes || r.repeatsMore(earlier) ||
		len(r.Changed) > len(earlier.Changed) || r.FeeLeaps && !earlier.FeeLeaps || r.FirstTime && !earlier.FirstTime ||
		len(r.LooksLike) > len(earlier.LooksLike) || r.takesMore(earlier) || r.Approves != nil && earlier.Approves != nil &&
		r.Approves.HasNewWarnings(*earlier.Approves)
}

// repeatsMore reports whether the same was done since the earlier review.
func (r Review) repeatsMore(earlier Review) bool {
	return r.Repeats != nil && (earlier.Repeats == nil || r.PaidBefore > earlier.PaidBefore)
}

// takesMore reports whether more than half of a balance would go now, and did not in the earlier review.
func (r Review) takesMore(earlier Review) bool {
	return slices.ContainsFunc(r.Outgoing, func(o Outgoing) bool {
		return o.isMost() && slices.ContainsFunc(earlier.Outgoing, func(b Outgoing) bool {
			return b.Account.ID == o.Account.ID && b.Asset.ID == o.Asset.ID && !b.isMost()
		})
	})
}

// checks are the parts of a review that are read from a daemon or from what was accepted before. Each is marked as done by
// the function that does it, as its last step. So a review that lacks one, because its error was lost on the way or it was
// not made, is not taken for a whole one.
type checks uint16

const (
	checkedAssets     checks = 1 << iota // no daemon contradicts what is known of the assets
	checkedEffects                       // what else changes, and the names of everything
	checkedBalances                      // what the payers hold
	checkedKeys                          // for whom the keys sign
	checkedDependents                    // which own accounts depend on those that change
	checkedControls                      // who may act for accounts afterwards
	checkedProposed                      // what the new proposals would do
	checkedApproved                      // what the approved proposals would do
	checkedHistory                       // who was paid before, and what was done lately
	checkedAccepted                      // what differs from when it was last accepted
)

const (
	explainedChecks = checkedEffects | checkedDependents | checkedControls
	followedChecks  = checkedKeys | checkedDependents | checkedControls | checkedProposed | checkedApproved
	approvedChecks  = explainedChecks | checkedAssets | checkedApproved | checkedBalances | checkedHistory | checkedAccepted
	signedChecks    = approvedChecks | followedChecks
	fileChecks      = signedChecks &^ checkedAccepted
)

// lacks reports whether a check of all was not made.
func (c checks) lacks(all checks) bool { return c&all != all }

// CheckWhole refuses a review of operations that were built elsewhere which lacks one of the checks that AddUndone,
// AddEffects, AddBalances, AddConsequences and CompareWithHistory make. Error: fault.Internal.
func (r Review) CheckWhole() error { return r.checkWhole(fileChecks) }

// checkWhole refuses a review that lacks one of the checks.
func (r Review) checkWhole(all checks) error {
	if !r.checked.lacks(all) {
		return nil
	}
	return &fault.Error{Code: fault.Internal, Op: "review", Message: "not everything was checked that this would do",
		Hint: "nothing was signed; ask again, and report it if it stays so"}
}
