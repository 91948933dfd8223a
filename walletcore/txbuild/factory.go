package txbuild

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/contact"
	"billfold/walletcore/fault"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/ownobject"
)

// History shows what an account paid before.
type History interface {
	Entries(ctx context.Context, account ledger.AccountID, before ledger.HistoryID, limit int) ([]history.Entry, error)
	Paid(ctx context.Context, from ledger.AccountID, to []ledgerview.AccountRef) (history.Paid, error)
}

// Contacts lists the accounts that a person saved.
type Contacts interface {
	List() []contact.Contact
}

// Underway is a transaction that this wallet sent and that the account's history may not show yet.
type Underway struct {
	Review            Review
	Time              ledger.Time // when it was prepared
	Block, TrxInBlock uint32      // where it is, once it is in a block
}

// sentence returns what it did or, while it is in no block, what it will do.
func (u Underway) sentence() string {
	if u.Block == 0 {
		return u.Review.Intent()
	}
	return u.Review.Sentence
}

// Config holds what a factory works with.
type Config struct {
	View     *ledgerview.View
	Vault    Vault
	Keys     KeyMaker
	Daemon   Daemon
	Objects  *ownobject.Objects
	History  History
	Contacts Contacts

	// Sent returns what this wallet sent from an account lately according to its own journal. May be nil: nothing is known.
	Sent func(ctx context.Context, from ledger.AccountID) ([]Underway, error)
	// Proven reports whether the miners' signatures prove that an account made the payment in a row of its history. May be nil:
	// nothing is proven.
	Proven func(ctx context.Context, from ledger.AccountID, row history.Entry) bool

	MaxFee        int64 // the largest fee that is signed, in smallest units of DCT; 0: see feeCeiling
	AcceptChanges bool  // sign even where nobody saw that the keys of a recipient changed
	Now           func() time.Time
	Draw          func(n uint32) uint32 // a number below n
}

func (c *Config) sent(ctx context.Context, from ledger.AccountID) ([]Underway, error) {
	if c.Sent == nil {
		return nil, nil
	}
	return c.Sent(ctx, from)
}

// Factory makes transactions from requests. It is safe for concurrent use.
type Factory struct {
	Config

	recent recentIDs
}

// New returns a factory.
func New(cfg Config) *Factory { return &Factory{Config: cfg} }

// Prepared is a request as operations. Complete adds fees and signers, Review
// reads it back from its bytes, Sign makes a transaction of it. Repeated calls of Sign
// differ only in reference block and expiration.
type Prepared struct {
	ops      []ledger.Operation
	words    *words
	saveKeys func() error // see Builder
	packed   []byte       // the operations as they were completed
	priced   pricedOps    // those whose fees the wallet set, by a daemon's schedule
	signers  []ledger.PublicKey
	signAs   []ledger.AuthorityKey
	missing  ledger.Needs // what the keys of the wallet do not satisfy
	brainKey string       // the keys were derived from it; empty: none
	seen     bool         // somebody saw the review, including what changed about the recipient
	review   Review

	request Request
	changes []objectChange // of objects that the operations replace parts of
	hasty   string         // why a person reads it again if it comes out otherwise right before it is signed; empty: it does not go stale
	built   time.Time
	memos   []*ownobject.MemoKey // own memo keys that something is encrypted with, and that are not as they were accepted
}

// Operations returns what was built.
func (p *Prepared) Operations() []ledger.Operation { return p.ops }

// Review returns the review that Factory.Review made.
func (p *Prepared) Review() Review { return p.review }

// Seen records that somebody saw the review.
func (p *Prepared) Seen() { p.seen = true }

// Build turns a request into operations, without fees. repeated means that the request was made before under its
// request key.
func (f *Factory) Build(ctx context.Context, r Request, repeated bool) (*Prepared, error) {
	began := f.Now()
	f.View.Quorum.Gather(ctx, r.valuesOf("account", "destination"), r.valuesOf("asset"))
	b := &Builder{op: r.Op, view: f.View, vault: f.Vault, keys: f.Keys, daemon: f.Daemon, repeated: repeated, objects: f.Objects, begun: r.begun}
	ops, err := r.spend(ctx, b)
	if err != nil {
		return nil, err
	}
	if len(ops) == 0 {
		return nil, &fault.Error{Code: fault.Internal, Op: r.Op, Message: "the request came to no operation", Hint: "nothing was signed"}
	}
	if err := b.pin(ctx); err != nil {
		return nil, err
	}
	changes, err := b.changes(ctx, ops)
	if err != nil {
		return nil, err
	}
	if err := f.withoutWord(ctx, r, ops, changes); err != nil {
		return nil, err
	}
	memos, err := b.memoKeys(ctx)
	if err != nil {
		return nil, err
	}
	return &Prepared{ops: ops, words: &b.words, saveKeys: b.saveKeys, brainKey: b.brainKey, request: r, changes: changes, memos: memos,
		hasty: b.hasty, built: began}, nil
}

// withoutWord finds out whether a request becomes the same operations where the daemon has its objects as the wallet expects them. Then it does
// not rest on what somebody else made of them: another wallet with the same keys did just what is asked for, or the daemon says so.
func (f *Factory) withoutWord(ctx context.Context, r Request, ops []ledger.Operation, changes []objectChange) error {
	if !slices.ContainsFunc(changes, func(c objectChange) bool { return c.rests && len(c.base.Changes) > 0 }) {
		return nil
	}
	b := &Builder{op: r.Op, view: f.View, vault: f.Vault, keys: f.Keys, daemon: f.Daemon, objects: f.Objects, begun: r.begun,
		bases: map[ledger.ObjectID]*ownobject.Base{}}
	expected := make([]*ownobject.Base, len(changes))
	for i, c := range changes {
		var err error
		if expected[i], err = c.base.AsExpected(); err != nil || c.base.Expected == nil {
			return nil
		}
		b.bases[c.base.Object] = expected[i]
	}
	again, err := r.spend(ctx, b)
	if err != nil {
		return nil // it changes nothing then, or less
	}
	was, err := packOperations(ops)
	if err != nil {
		return unpackable(r.Op, err)
	}
	if now, err := packOperations(again); err != nil || !bytes.Equal(now, was) {
		return nil
	}
	for i := range changes {
		changes[i].base = expected[i]
	}
	return nil
}

func invalid(err error) *fault.Error {
	return &fault.Error{Code: fault.InvalidOperation, Op: "build", Message: err.Error(), Hint: "nothing was signed", Err: err}
}

// Signers returns the keys of the wallet that will sign.
func (p *Prepared) Signers() []ledger.PublicKey { return p.signers }

// Complete adds fees and signers, as the reference does. A transaction that will be
// broadcast needs all its signatures; one that will not may lack some.
func (f *Factory) Complete(ctx context.Context, p *Prepared, broadcast bool) error {
	if err := f.completeFees(ctx, p, broadcast); err != nil {
		return err
	}
	for _, op := range p.ops {
		if err := op.Validate(); err != nil { // the stateless checks
			return invalid(err)
		}
	}
	if err := f.CheckApproved(ctx, p.ops); err != nil {
		return err
	}
	if err := f.chooseSigners(ctx, p); err != nil {
		return err
	}
	if broadcast && !p.missing.Empty() {
		return f.missingFault(p.missing)
	}
	var err error
	if p.packed, err = packOperations(p.ops); err != nil {
		return unpackable("build", err)
	}
	if ledger.HoldsPrivateKey(string(p.packed)) { // in whichever text: all of them are public, but for encrypted ones
		return privateKeyIn(p.request.Op, "a text of the operation")
	}
	return f.checkSize(ctx, p)
}

// The least that a transaction holds besides its operations, in bytes: reference block, expiration and three
// lengths; and the size of each signature.
const (
	overheadBytes  = 13
	signatureBytes = 65
)

// checkSize refuses a transaction that no block can hold: the daemon would accept it for a while without
// complaint, or fail on it. Error: fault.BadValue.
func (f *Factory) checkSize(ctx context.Context, p *Prepared) error {
	now, err := f.View.Chain.Parameters(ctx)
	if err != nil {
		return err
	}
	size, limit := len(p.packed)+overheadBytes+signatureBytes*max(len(p.signers), 1), int(now.Parameters.MaximumTransactionSize)
	if size < limit {
		return nil
	}
	return &fault.Error{Code: fault.BadValue, Op: "build",
		Message: fmt.Sprintf("the transaction would have %d bytes, and the ledger takes less than %d", size, limit),
		Hint:    "nothing was signed; shorten the memo or text, or split it into several transactions"}
}

// checkContacts refuses recipients whose name or id contradicts a saved contact. Error: fault.DaemonContradicts.
func (f *Factory) checkContacts(recipients []*ledger.Account) error {
	saved := f.Contacts.List()
	for _, a := range recipients {
		if a == nil {
			continue
		}
		if err := contact.Compare(saved, ledgerview.AccountRef{ID: a.ID, Name: a.Name}); err != nil {
			return err
		}
	}
	return nil
}

// known returns the accounts that a recipient may be mistaken for: own ones and contacts.
func (f *Factory) known() map[ledger.AccountID]ledgerview.AccountRef {
	known := contact.Known(f.Contacts.List())
	for _, own := range f.Vault.Listed() {
		known[own.ID] = own
	}
	return known
}
