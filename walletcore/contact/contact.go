// Package contact keeps the accounts that a person pays: each with its name, its object id, its keys as they were when
// it was saved, and a note that only this wallet can read.
//
// From the key to the disk: e and n on the page (tui/page/contacts/keys.go) open a form (form.go: openNote, openAdd), whose enter calls (ask.Work) Contacts.SetNote
// or Save here, which tui.CoreOf has connected; seal.CloseShort (the note, for this wallet alone) → store.Contacts → Engine.Write → the table
// contacts (walletcore/store/migration.go) of payments.db, or of the PostgreSQL that servers share (cmd/billfold/store_open.go chooses). The
// bytes of a note are a memo from the first key of the wallet to itself (vault.EncryptForSelf). SetNote is one commit, Save three: pin, contact, accepted keys.
//
// A name is compared with the id that was saved, and keys with those saved: what a daemon says later is never taken for
// the contact.
package contact

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/seal"
	"billfold/walletcore/store"
	"billfold/walletcore/vault"
)

// The limits.
const (
	Most     = 5000 // contacts of a chain
	NoteSize = 500  // characters of a note
)

// Contact is a saved account.
type Contact struct {
	ledgerview.AccountRef
	Keys  store.SeenAccount // as they were when it was saved
	Saved time.Time
	note  string // sealed
}

// HasNote reports whether there is a note, which only the unlocked wallet can read.
func (c Contact) HasNote() bool { return c.note != "" }

// Status is the account of a contact as it is on the ledger now, and what changed since it was saved.
type Status struct {
	Account *ledger.Account     // nil: the ledger has no such account
	Changed []ledgerview.Change // since it was saved
}

// Store keeps contacts.
type Store interface {
	List(ctx context.Context) ([]store.Contact, error)
	Put(ctx context.Context, kept store.Contact) error
	SetNote(ctx context.Context, chain ledger.ChainID, id ledger.AccountID, sealed string) error
	Drop(ctx context.Context, chain ledger.ChainID, id ledger.AccountID) error
}

// Vault opens and seals notes, and knows whether the wallet is unlocked.
type Vault interface {
	CheckOpen(op string) error
	seal.Keys
}

// Accounts reads accounts from the ledger.
type Accounts interface {
	Get(ctx context.Context, nameOrID string) (*ledger.Account, error)
	ByID(ctx context.Context, ids []ledger.AccountID) (map[ledger.AccountID]*ledger.Account, error)
}

// Pins remember for ever which account a name means, and know the chain.
type Pins interface {
	Chain() ledger.ChainID
	PinAccount(ctx context.Context, r ledgerview.AccountRef) error
	AcceptKeys(ctx context.Context, a *ledger.Account) error
}

// Config holds the dependencies of contacts.
type Config struct {
	Vault    Vault
	Store    Store // nil: none can be saved
	Accounts Accounts
	Pins     Pins
	Now      func() time.Time
}

// Contacts are the contacts of a wallet. They are safe for concurrent use.
type Contacts struct {
	Config
	mu   sync.RWMutex
	rows []store.Contact // of all chains, by name
}

// New returns empty contacts; Load reads them.
func New(cfg Config) *Contacts { return &Contacts{Config: cfg} }

// Load reads the contacts from the store. Error: fault.File.
func (c *Contacts) Load(ctx context.Context) error {
	if c.Store == nil {
		return nil
	}
	rows, err := c.Store.List(ctx)
	if err != nil {
		return fileFault(err)
	}
	c.mu.Lock()
	c.rows = rows
	c.mu.Unlock()
	return nil
}

// List returns the contacts of the wallet's chain by name, as last loaded: no file is read.
func (c *Contacts) List() (list []Contact) {
	chain := c.Pins.Chain()
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, row := range c.rows {
		if row.Chain == chain {
			list = append(list, contactOf(row))
		}
	}
	return list
}

func contactOf(row store.Contact) Contact {
	return Contact{AccountRef: ledgerview.AccountRef{ID: row.ID, Name: row.Name}, Keys: row.SeenAccount, Saved: row.Since, note: row.Sealed}
}

// Find returns the contact with this id.
func (c *Contacts) Find(id ledger.AccountID) (Contact, bool) {
	return find(c.List(), func(have Contact) bool { return have.ID == id })
}

func find(list []Contact, match func(Contact) bool) (Contact, bool) {
	if i := slices.IndexFunc(list, match); i >= 0 {
		return list[i], true
	}
	return Contact{}, false
}

// Save makes an account a contact, with its keys as they are now. For an existing contact the keys are updated; its
// note stays if the new one is empty. Errors: fault.Locked, fault.LimitExceeded, fault.KeyNotInWallet for a note in a
// wallet without keys, fault.BadValue, fault.File, those of Accounts.Get.
func (c *Contacts) Save(ctx context.Context, nameOrID, note string) (Contact, error) {
	if err := c.checkWritable(); err != nil {
		return Contact{}, err
	}
	a, err := c.Accounts.Get(ctx, nameOrID)
	if err != nil {
		return Contact{}, err
	}
	ref := ledgerview.AccountRef{ID: a.ID, Name: a.Name}
	if err := Compare(c.List(), ref); err != nil {
		return Contact{}, err
	}
	if err := c.Pins.PinAccount(ctx, ref); err != nil {
		return Contact{}, err
	}
	was, known := c.Find(a.ID)
	if list := c.List(); !known && len(list) >= Most {
		return Contact{}, &fault.Error{Code: fault.LimitExceeded, Op: "contacts", Hint: "remove one that is not needed",
			Message: fmt.Sprintf("%d contacts are saved already", Most)}
	}
	kept := store.Contact{Chain: c.Pins.Chain(), Name: a.Name, Sealed: was.note,
		SeenAccount: store.SeenAccount{ID: a.ID, MemoKey: a.Options.MemoKey, Active: a.Active, Owner: a.Owner, Since: c.Now()}}
	if note != "" {
		if kept.Sealed, err = c.sealNote(note); err != nil {
			return Contact{}, err
		}
	}
	if err := c.Store.Put(ctx, kept); err != nil {
		return Contact{}, fileFault(err)
	}
	if err := c.Load(ctx); err != nil {
		return Contact{}, err
	}
	return contactOf(kept), c.Pins.AcceptKeys(ctx, a)
}

// SetNote replaces the note of a contact. Errors: fault.NoSuchAccount if it is no longer one, those of Save.
func (c *Contacts) SetNote(ctx context.Context, id ledger.AccountID, note string) (err error) {
	if err := c.checkWritable(); err != nil {
		return err
	}
	sealed := ""
	if note != "" {
		if sealed, err = c.sealNote(note); err != nil {
			return err
		}
	}
	err = c.Store.SetNote(ctx, c.Pins.Chain(), id, sealed)
	if errors.Is(err, store.ErrNoContact) {
		err = &fault.Error{Code: fault.NoSuchAccount, Op: "contacts", Message: "the note was not saved: the account " + id.String() +
			" is no longer a contact", Hint: "save it as a contact again", Err: err}
	} else if err != nil {
		return fileFault(err)
	}
	return cmp.Or(c.Load(ctx), err)
}

// Remove deletes a contact; removing one that does not exist is not an error. Errors: fault.Locked, fault.File.
func (c *Contacts) Remove(ctx context.Context, id ledger.AccountID) error {
	if err := c.checkWritable(); err != nil {
		return err
	}
	if err := c.Store.Drop(ctx, c.Pins.Chain(), id); err != nil {
		return fileFault(err)
	}
	return c.Load(ctx)
}

// checkWritable returns why nothing can be changed now.
func (c *Contacts) checkWritable() error {
	if err := c.Vault.CheckOpen("contacts"); err != nil {
		return err
	}
	if c.Store == nil {
		return fileFault(seal.ErrNoStore)
	}
	return nil
}

func (c *Contacts) sealNote(note string) (string, error) {
	return seal.CloseShort(c.Vault, "contacts", "note", note, NoteSize)
}

// Note decrypts the note of a contact; the state says why there is no text.
func (c *Contacts) Note(of Contact) (string, vault.MemoState) {
	if !of.HasNote() {
		return "", vault.MemoNone
	}
	return seal.Open(c.Vault, of.note)
}

// Check compares contacts with the ledger as it is now. Errors: the daemon's, fault.DaemonContradicts if it gives an id
// another name.
func (c *Contacts) Check(ctx context.Context, list []Contact) (map[ledger.AccountID]Status, error) {
	out := make(map[ledger.AccountID]Status, len(list))
	for part := range slices.Chunk(list, maxPerCall) {
		ids := make([]ledger.AccountID, len(part))
		for i, one := range part {
			ids[i] = one.ID
		}
		found, err := c.Accounts.ByID(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, one := range part {
			out[one.ID] = one.Compare(found[one.ID])
		}
	}
	return out, nil
}

// maxPerCall is the maximum number of accounts that a daemon is asked for at once.
const maxPerCall = 100

// Compare compares a contact with its account as the ledger has it now.
func (c Contact) Compare(now *ledger.Account) Status {
	if now == nil {
		return Status{}
	}
	return Status{Account: now, Changed: ledgerview.ChangesSince(&c.Keys, now)}
}

// Compare refuses an account if a contact has its name with another id, or its id with another name. Error:
// fault.DaemonContradicts.
func Compare(list []Contact, account ledgerview.AccountRef) error {
	was, differs := find(list, func(have Contact) bool { return (have.Name == account.Name) != (have.ID == account.ID) })
	if !differs {
		return nil
	}
	return &fault.Error{Code: fault.DaemonContradicts, Op: "contacts",
		Message: fmt.Sprintf("the node says that %s is %s, but your contact %s, saved on %s, is %s", fault.Quote(account.Name), account.ID,
			fault.Quote(was.Name), was.Saved.UTC().Format(time.DateOnly), was.ID),
		Hint: "an account's id and name never change: do not pay; ask another node"}
}

// Known returns the contacts by id, for comparing names.
func Known(list []Contact) map[ledger.AccountID]ledgerview.AccountRef {
	out := make(map[ledger.AccountID]ledgerview.AccountRef, len(list))
	for _, c := range list {
		out[c.ID] = c.AccountRef
	}
	return out
}

// Matching returns the contacts whose name or id contains the text, in the order of the list.
func Matching(list []Contact, text string) []Contact {
	text = strings.ToLower(strings.TrimSpace(text))
	return slices.DeleteFunc(slices.Clone(list), func(c Contact) bool {
		return !strings.Contains(c.Name, text) && !strings.Contains(c.ID.String(), text)
	})
}

func fileFault(err error) *fault.Error { return seal.FileFault("contacts", "nothing was changed", err) }
