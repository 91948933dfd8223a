package vault

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// State is whether keys are available.
type State int

// The states.
const (
	New      State = iota // no password was ever set; there is no keystore yet
	Locked                // keys are on disk, encrypted
	Unlocked              // keys are in memory
)

// keyFile is the keystore, and what it says without revealing a key.
type keyFile struct {
	path    string
	options *keystore.Options

	mu    sync.RWMutex
	store *keystore.Store // nil while the wallet is new
	locks atomic.Uint64   // how many times it has been locked
}

func (f *keyFile) openStore() error {
	if f.store != nil {
		return nil
	}
	store, err := keystore.OpenWith(f.path, f.options)
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return nil
	case err != nil:
		return fault.KeyFile("open", err)
	}
	f.store = store
	return nil
}

// keys returns the keystore; nil while the wallet is new.
func (f *keyFile) keys() *keystore.Store {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.store
}

// State returns whether keys are available.
func (f *keyFile) State() State {
	switch store := f.keys(); {
	case store == nil:
		return New
	case store.IsLocked():
		return Locked
	}
	return Unlocked
}

// IsNew reports whether no password was ever set: there is no keystore file yet.
func (f *keyFile) IsNew() bool { return f.State() == New }

// IsLocked reports whether no keys are available; a new wallet counts as locked.
func (f *keyFile) IsLocked() bool { return f.State() != Unlocked }

// Locks returns how many times the wallet has been locked: if it is unchanged, nobody has locked it in between.
func (f *keyFile) Locks() uint64 { return f.locks.Load() }

// PasswordWait returns how long the next password is held back, whoever types it.
func (f *keyFile) PasswordWait() time.Duration {
	store := f.keys()
	if store == nil {
		return 0
	}
	return store.TriesWait()
}

// ChainID returns the chain that the keys belong to; zero while none is known.
func (f *keyFile) ChainID() ledger.ChainID {
	store := f.keys()
	if store == nil {
		return ledger.ChainID{}
	}
	return store.ChainID()
}

// Listed returns the accounts on the wallet's list, from disk: it works while locked.
func (f *keyFile) Listed() []ledgerview.AccountRef {
	listed := f.accounts()
	if listed == nil {
		return nil
	}
	out := make([]ledgerview.AccountRef, 0, len(listed))
	for _, a := range listed {
		out = append(out, ledgerview.AccountRef{ID: a.ID, Name: a.Name})
	}
	return out
}

// accounts returns the accounts on the wallet's list. It is the key file's own slice and must not be modified.
func (f *keyFile) accounts() []keystore.Account {
	store := f.keys()
	if store == nil {
		return nil
	}
	return store.Accounts()
}

// Count returns the number of accounts on the wallet's list.
func (f *keyFile) Count() int { return len(f.accounts()) }

// AccountOf finds an account on the wallet's list by its name or id.
func (f *keyFile) AccountOf(nameOrID string) (account ledgerview.AccountRef, listed bool) {
	store := f.keys()
	if store == nil {
		return account, false
	}
	a, listed := store.Account(nameOrID)
	return ledgerview.AccountRef{ID: a.ID, Name: a.Name}, listed
}

// Holds reports whether the private key of key is in the keystore, even while it is locked.
func (f *keyFile) Holds(key ledger.PublicKey) bool {
	store := f.keys()
	return store != nil && store.Holds(key)
}

// PublicKeys returns the public keys of all private keys in the keystore, in order, even while it is locked.
func (f *keyFile) PublicKeys() []ledger.PublicKey {
	store := f.keys()
	if store == nil {
		return nil
	}
	return store.PublicKeys()
}

// Journal returns the identity of the wallet's payment journal; "" if none is recorded.
func (f *keyFile) Journal() string {
	store := f.keys()
	if store == nil {
		return ""
	}
	return store.Journal()
}

// registrations returns the registrations that others were asked for. It is the key file's own slice and must not be modified.
func (f *keyFile) registrations() []keystore.Registration {
	store := f.keys()
	if store == nil {
		return nil
	}
	return store.Waiting()
}

// NoteJournal records which payment journal is the wallet's. The keystore must be unlocked.
func (f *keyFile) NoteJournal(id string) error {
	store := f.keys()
	if store == nil {
		return fault.WalletLocked("journal")
	}
	return store.Update(func(c *keystore.Contents) error {
		c.Public.Journal = id
		return nil
	})
}
