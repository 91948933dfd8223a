package vault

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// Config is what a Vault works with. Keystore may be nil for the defaults; Read may be nil; everything else is required.
type Config struct {
	Path     string            // the keystore file
	Keystore *keystore.Options // how new keystores are created
	Read     *keystore.Store   // the keystore, if it was read already
	Events   *event.Broadcaster
	Logger   *slog.Logger

	DaemonChain func() ledger.ChainID // the chain of the daemon; zero until it is known
	Opened      func(context.Context) // called whenever the keystore was created or unlocked
	Locked      func()                // called whenever the keys were wiped, before anyone is notified
}

// Vault keeps the keys of the wallet. It is safe for concurrent use.
type Vault struct {
	Config
	keyFile

	idle     idleLock // how long it stays open; its mutex also serializes locking and unlocking
	password passwordHash
	logged   []string // faults that were logged; guarded by idle.mu
	secrets  *sharedSecrets
}

// Open reads the keystore, if there is one, and leaves it locked. A damaged or newer keystore is a fault.File error.
func Open(c Config) (*Vault, error) {
	v := &Vault{Config: c, keyFile: keyFile{path: c.Path, options: c.Keystore, store: c.Read}, secrets: newSharedSecrets(mostSecrets)}
	v.idle.lock = func() { v.lockLocked() }
	return v, v.openStore()
}

// Format writes only the path of the wallet, whatever the verb, and none of its contents.
func (v *Vault) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "wallet "+v.Path) }

// Unlocked returns the keystore, or fault.Locked. A wallet whose time is up is locked now, however late its timer is.
func (v *Vault) Unlocked(op string) (*keystore.Store, error) {
	if v.idle.isDue() {
		v.idle.lockWhenDue()
	}
	v.mu.RLock()
	defer v.mu.RUnlock()
	switch {
	case v.store == nil:
		return nil, fault.NoWallet(op)
	case v.store.IsLocked():
		return nil, fault.WalletLocked(op)
	}
	return v.store, nil
}

// CheckOpen returns fault.Locked if no keys are available for the operation op.
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
	v.locks.Add(1)
	v.secrets.wipe()
	v.password.forget()
	v.Locked()
	v.Events.Publish(event.Event{Kind: event.Lock})
	return true
}
