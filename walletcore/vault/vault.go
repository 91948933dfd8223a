package vault

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// State says whether keys are at hand.
type State int

// The states.
const (
	New      State = iota // no password was ever set: there is no keystore yet
	Locked                // keys are on disk, encrypted
	Unlocked              // keys are in memory
)

// Config says what a vault works with. Keystore may be nil for the defaults;
// everything else is needed.
type Config struct {
	Path     string            // the keystore file
	Keystore *keystore.Options // how new keystores are made
	Events   *event.Broadcaster
	Logger   *slog.Logger

	DaemonChain func() ledger.ChainID // the chain of the daemon; zero until it is known
	Opened      func(context.Context) // called whenever the keystore was made or unlocked
}

// Vault keeps the keys of the wallet. Its methods may be used by many goroutines at once.
type Vault struct {
	Config

	mu    sync.RWMutex
	store *keystore.Store // nil while the wallet is new

	idle     idleLock // how long it stays open; its mutex also orders locking and unlocking
	password openedWith
	logged   []string // what was said of keys and file; guarded by idle.mu
	secrets  *sharedSecrets
}

// Open reads the keystore, if there is one, and leaves it locked. A damaged or newer
// keystore is an error of fault.File.
func Open(c Config) (*Vault, error) {
	v := &Vault{Config: c, secrets: newSharedSecrets(mostSecrets)}
	v.idle.lock = func() { v.lockLocked() }
	return v, v.openStore()
}

func (v *Vault) openStore() error {
	store, err := keystore.OpenWith(v.Path, v.Keystore)
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return nil
	case err != nil:
		return fault.KeyFile("open", err)
	}
	v.store = store
	return nil
}

// keys returns the keystore, nil while the wallet is new.
func (v *Vault) keys() *keystore.Store {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.store
}

// Format writes only where the wallet is, whatever the verb, and nothing of what is in it.
func (v *Vault) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "wallet "+v.Path) }

// State returns whether keys are at hand.
func (v *Vault) State() State {
	switch store := v.keys(); {
	case store == nil:
		return New
	case store.IsLocked():
		return Locked
	}
	return Unlocked
}

// IsNew reports whether no password was ever set: there is no keystore file yet.
func (v *Vault) IsNew() bool { return v.State() == New }

// IsLocked reports whether no keys are at hand; a new wallet counts as locked.
func (v *Vault) IsLocked() bool { return v.State() != Unlocked }

// PasswordWait returns how long the next password is held back, whoever gives it.
func (v *Vault) PasswordWait() time.Duration {
	store := v.keys()
	if store == nil {
		return 0
	}
	return store.TriesWait()
}

// ChainID returns the chain that the keys belong to; zero while none is known.
func (v *Vault) ChainID() ledger.ChainID {
	store := v.keys()
	if store == nil {
		return ledger.ChainID{}
	}
	return store.ChainID()
}

// Listed returns the accounts on the wallet's list, from disk: it works locked.
func (v *Vault) Listed() []ledgerview.AccountRef {
	store := v.keys()
	if store == nil {
		return nil
	}
	listed := store.Public().Accounts
	out := make([]ledgerview.AccountRef, 0, len(listed))
	for _, a := range listed {
		out = append(out, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
	}
	return out
}

// PublicKeys returns the public keys of the keystore, known also while it is locked.
func (v *Vault) PublicKeys() []ledger.PublicKey {
	store := v.keys()
	if store == nil {
		return nil
	}
	return store.PublicKeys()
}

// Unlocked returns the keystore, or fault.Locked. A wallet that should have locked
// by itself is locked now, however long its timer was held up.
func (v *Vault) Unlocked(op string) (*keystore.Store, error) {
	if v.idle.isDue() {
		v.idle.lockWhenDue()
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	if v.store == nil || v.store.IsLocked() {
		return nil, fault.WalletLocked(op)
	}
	return v.store, nil
}

// CheckOpen returns fault.Locked while no keys are at hand for the operation op.
func (v *Vault) CheckOpen(op string) error {
	_, err := v.Unlocked(op)
	return err
}

// lockLocked wipes the keys; the caller holds idle.mu.
func (v *Vault) lockLocked() bool {
	v.idle.stopLocked()
	store := v.keys()
	if store == nil || !store.Lock() {
		return false
	}
	v.secrets.wipe()
	v.password.forget()
	v.Events.Publish(event.Event{Kind: event.Lock})
	return true
}

// Holds reports whether the private key of key is in the keystore, also while it is locked.
func (v *Vault) Holds(key ledger.PublicKey) bool { return slices.Contains(v.PublicKeys(), key) }

// Journal returns the identity of the wallet's payment journal; "" when none is noted.
func (v *Vault) Journal() string {
	store := v.keys()
	if store == nil {
		return ""
	}
	return store.Public().Journal
}

// NoteJournal writes down which payment journal is the wallet's. The keystore must be unlocked.
func (v *Vault) NoteJournal(id string) error {
	store := v.keys()
	if store == nil {
		return fault.WalletLocked("journal")
	}
	return store.Update(func(c *keystore.Contents) error {
		c.Public.Journal = id
		return nil
	})
}
