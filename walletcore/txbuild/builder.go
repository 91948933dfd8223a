package txbuild

import (
	"bytes"
	"context"
	"slices"

	"billfold/daemonclient"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/ownobject"
	"billfold/walletcore/vault"
)

// Vault is the part of the wallet's keys and accounts that building needs.
type Vault interface {
	keyring
	memoOpener
	EncryptMemo(op string, own, other ledger.PublicKey, text string) (ledger.Memo, error)
	ElGamalPublic(op string, key ledger.PublicKey) (ledger.BigInteger, error)
	Listed() []ledgerview.AccountRef
	Holds(key ledger.PublicKey) bool
}

// KeyMaker derives keys, and stores them until the account or miner they belong to
// is on the ledger.
type KeyMaker interface {
	DeriveAccount(op, brainKey string, made *ledger.Account) (vault.NewAccount, error)
	KeepAccount(op, name, brainKey string, is vault.NewAccount) error
	DeriveSigningKey(op string, parent ledger.PublicKey) (vault.SigningKey, error)
	KeepSigningKey(op, account string, is vault.SigningKey) error
}

type keyring interface {
	CheckOpen(op string) error
	CheckChain() error // the daemon must be on the chain that the keys belong to
	SmallestKeys(needs ledger.Needs, lookup ledger.AccountLookup, depth int) (keys []ledger.PublicKey, missing ledger.Needs, err error)
	Sign(tx *ledger.SignedTransaction, keys []ledger.PublicKey) error
}

// Daemon answers what is asked of the daemon directly, not through the view.
type Daemon interface {
	Status() daemonclient.Status
	LookupAccountNames(ctx context.Context, names []string) ([]*ledger.Account, error)
}

// Builder resolves the words of one request and records what each was taken to
// mean: before anything is signed, the bytes are compared with these words.
type Builder struct {
	op       string
	view     *ledgerview.View
	vault    Vault
	keys     KeyMaker
	daemon   Daemon
	repeated bool
	words    words
	hasty    string       // see Prepared
	brainKey string       // the keys are derived from it; empty: none
	saveKeys func() error // writes the keys that were made for the request to disk; nil: there are none

	objects *ownobject.Objects
	bases   map[ledger.ObjectID]*ownobject.Base // what the changes of objects in the request are built on
	rests   map[ledger.ObjectID]bool            // objects of which the request writes parts back as they are
	begun   ownobject.Numbers                   // see Request

	encryptsFor []*ledger.Account // own accounts with whose memo keys something is encrypted
}

// Repeated reports whether the request was made before under its request key.
// It is then built only to be compared with the first one.
func (b *Builder) Repeated() bool { return b.repeated }

// Payer finds the account that acts and pays. Errors: those of
// ledgerview.Quorum.Account.
func (b *Builder) Payer(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	a, err := b.view.Quorum.Account(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	b.words.accounts = append(b.words.accounts, accountWord{nameOrID, a, payer})
	return a, nil
}

// Account finds an account that the request names but that neither pays nor is
// paid. Errors: those of Payer.
func (b *Builder) Account(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	a, err := b.view.Quorum.Account(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	b.words.accounts = append(b.words.accounts, accountWord{nameOrID, a, named})
	return a, nil
}

// Receiver finds an account that gets something, as Recipient does, but its errors are
// those of Payer, as they are in the reference for everything except a transfer.
func (b *Builder) Receiver(ctx context.Context, nameOrID string) (*ledger.Account, error) {
	a, err := b.view.Quorum.Account(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	b.words.accounts = append(b.words.accounts, accountWord{nameOrID, a, recipient})
	return a, nil
}

// Recipient is the party that is paid: an account, or the author of content.
type Recipient struct {
	Object  ledger.ObjectID
	Account *ledger.Account // the account that is paid in the end and reads the memo
	Content bool            // Object is content, and Account is its author
}

// Recipient finds who is paid, by account name or id or by the id of content. Before
// signing, its keys are compared with those that were accepted before. If there is no
// such recipient, the error is fault.NoSuchRecipient, which the reference distinguishes
// from an unknown sender.
func (b *Builder) Recipient(ctx context.Context, text string) (Recipient, error) {
	if id, ok := contentID(text); ok {
		return b.contentRecipient(ctx, id)
	}
	a, err := b.view.Quorum.Account(ctx, text)
	if err == nil {
		b.words.accounts = append(b.words.accounts, accountWord{text, a, recipient})
		return Recipient{Object: a.ID.Object(), Account: a}, nil
	}
	return Recipient{}, fault.OfRecipient(b.op, text, err)
}

func (b *Builder) contentRecipient(ctx context.Context, id ledger.ObjectID) (Recipient, error) {
	by, err := b.view.Quorum.ContentAuthor(ctx, id)
	if err != nil {
		return Recipient{}, err
	}
	if by == nil {
		return Recipient{}, fault.RecipientUnknown(b.op, id.String(), nil)
	}
	author, err := b.view.Quorum.Account(ctx, by.String())
	if err != nil {
		return Recipient{}, err
	}
	b.words.contents = append(b.words.contents, contentWord{id, author})
	return Recipient{Object: id, Account: author, Content: true}, b.view.Pins.PinAuthor(ctx, id, author.ID)
}

// Content objects are 2.13.N.
const contentSpace, contentType = 2, 13

// contentID parses the id of a content object and reports whether text is one.
func contentID(text string) (ledger.ObjectID, bool) {
	id, isID := ledger.ObjectIDText(text)
	return id, isID && id.Space() == contentSpace && id.Type() == contentType
}

// Asset finds an asset by symbol or id. Errors: those of
// ledgerview.Quorum.Asset.
func (b *Builder) Asset(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, error) {
	a, err := b.view.Quorum.Asset(ctx, symbolOrID)
	if err != nil {
		return a, err
	}
	b.words.assets = append(b.words.assets, assetWord{symbolOrID, a})
	return a, nil
}

// Amount reads decimal text as an amount of an asset, more than zero. Errors:
// fault.BadAmount, fault.InvalidOperation, fault.AmountLimit, fault.AmountOverflow.
func (b *Builder) Amount(text string, asset ledgerview.AssetRef) (ledger.AssetAmount, error) {
	return b.amount(text, asset, ParseAmount)
}

// AmountOrZero is Amount, but accepts zero.
func (b *Builder) AmountOrZero(text string, asset ledgerview.AssetRef) (ledger.AssetAmount, error) {
	return b.amount(text, asset, parseAmountOrZero)
}

func (b *Builder) amount(text string, asset ledgerview.AssetRef, parse amountParser) (ledger.AssetAmount, error) {
	value, err := parse(text, asset)
	if err != nil {
		return ledger.AssetAmount{}, err
	}
	amount := ledger.AssetAmount{Amount: value, AssetID: asset.ID}
	b.words.amounts = append(b.words.amounts, amountWord{text, asset, amount, parse})
	return amount, nil
}

// Memo makes a memo, or none for empty text. Unless plain is set, it is encrypted with
// the sender's memo key, which must be in the wallet, to the memo key of the reader. Error besides: fault.BadValue, if a private key is in it.
func (b *Builder) Memo(from, to *ledger.Account, text string, plain bool) (*ledger.Memo, error) {
	if text == "" {
		return nil, nil
	}
	if err := b.refuseKey("the memo", text); err != nil {
		return nil, err
	}
	b.words.memos = append(b.words.memos, memoWord{text, to.Options.MemoKey, plain})
	if plain {
		memo := ledger.PlainMemo(text)
		return &memo, nil
	}
	memo, err := b.encryptMemo(from, to, text)
	return &memo, err
}

// refuseKey refuses a text for others that has a private key in it, whoever wrote it: its reader could spend with that, for ever. What only looks
// like a key, or like a phrase, is refused where people type it, and a program's list of words is sent.
func (b *Builder) refuseKey(what, text string) error {
	if !ledger.HoldsPrivateKey(text) {
		return nil
	}
	return privateKeyIn(b.op, what)
}

func privateKeyIn(op, what string) *fault.Error {
	return &fault.Error{Code: fault.BadValue, Op: op, Message: what + " contains a private key, which nobody else may see",
		Hint: "take it out; nothing was signed"}
}

func (b *Builder) encryptMemo(from, to *ledger.Account, text string) (ledger.Memo, error) {
	if !slices.Contains(b.encryptsFor, from) {
		b.encryptsFor = append(b.encryptsFor, from)
	}
	memo, err := b.vault.EncryptMemo(b.op, from.Options.MemoKey, to.Options.MemoKey, text)
	if fault.CodeOf(err) == fault.KeyNotInWallet {
		return memo, &fault.Error{Code: fault.KeyNotInWallet, Op: b.op, Hint: "import it, or send without encryption",
			Message: "the memo key of " + from.Name + " is not in this wallet, so nothing can be encrypted with it"}
	}
	return memo, err
}

// Require adds a check on the operations as they are read back from the bytes, for
// words that are not an account, asset, amount or memo.
func (b *Builder) Require(check func(ops []ledger.Operation) error) {
	b.words.checks = append(b.words.checks, check)
}

// rest records facts that the operations rest on: each is compared with what was accepted before it is signed.
func (b *Builder) rest(facts ...ledgerview.Fact) { b.words.facts = append(b.words.facts, facts...) }

// accountByName finds an account by its name. It returns nil if there is none.
func (b *Builder) accountByName(ctx context.Context, name string) (*ledger.Account, error) {
	found, err := b.daemon.LookupAccountNames(ctx, []string{name})
	if err != nil {
		return nil, fault.Daemon("looking up "+fault.Quote(name), err)
	}
	if len(found) != 1 {
		return nil, nil
	}
	return found[0], nil
}

// pin pins the parts of the resolved words that never change: ids, names and assets.
// It is called once all words are resolved.
func (b *Builder) pin(ctx context.Context) error {
	for _, w := range b.words.accounts {
		if err := b.view.Pins.PinAccount(ctx, ledgerview.AccountRef{ID: w.means.ID, Name: w.means.Name}); err != nil {
			return err
		}
	}
	for _, w := range b.words.contents {
		if err := b.view.Pins.PinAccount(ctx, ledgerview.AccountRef{ID: w.author.ID, Name: w.author.Name}); err != nil {
			return err
		}
	}
	for _, w := range b.words.assets {
		if err := b.view.Pins.PinAsset(ctx, w.means); err != nil {
			return err
		}
	}
	return b.view.Pins.PinFacts(ctx, b.words.lastingFacts(true)...)
}

// exactly returns body as the single operation of a request, and requires that the
// operation read back from the bytes equals body as it is now, except for its fee and
// memo. It covers words that are not an account, asset, amount or memo.
func (b *Builder) exactly(body ledger.Body) ([]ledger.Operation, error) {
	op := ledger.NewOperation(body)
	want, err := contentOf(op)
	if err != nil {
		return nil, unpackable(b.op, err)
	}
	b.Require(func(ops []ledger.Operation) error {
		if len(ops) != 1 {
			return notAsked("it does more, or nothing")
		}
		got, err := contentOf(ops[0])
		if err != nil {
			return unpackable(b.op, err)
		}
		if !bytes.Equal(got, want) {
			return notAsked("it does something else")
		}
		return nil
	})
	return []ledger.Operation{op}, nil
}
