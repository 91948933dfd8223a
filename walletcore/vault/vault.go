package vault

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"billfold/keystore"
	"billfold/ledger"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// Config holds what a Vault works with. Keystore may be nil for the defaults; Read may be nil; everything else is required.
type Config struct {
	Path     string            // the keystore file
	Keystore *keystore.Options // how new keystores are created
	Read     *keystore.Store   // the keystore, if it was read already
	Events   *event.Broadcaster
	Logger   *slog.Logger

	DaemonChain func() ledger.ChainID // the chain of the daemon; zero until it is known
	OnUnlock    func(context.Context) // called whenever the keystore was created or unlocked
	OnLock      func()                // called whenever the keys were wiped, before anyone is notified
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
	v := &Vault{Config: c, keyFile: keyFile{path: c.Path, options: c.Keystore, store: c.Read}, secrets: newSharedSecrets(maxSecrets)}
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
	v.OnLock()
	v.Events.Publish(event.Event{Kind: event.Lock})
	return true
}

// Status holds what can be told about the keys without revealing any.
type Status struct {
	Lock       State
	LocksAt    time.Time     // when it locks if nobody touches it; zero if locked or never
	LocksFixed bool          // it was unlocked for a fixed time: touching does not move LocksAt
	RetryIn    time.Duration // how long no password is tried because of wrong ones; usually 0
	WrongTries int           // wrong passwords since the last right one, whoever typed them, including one that is being tried
	KeysFault  string        // why keys in memory may reach the system's swap; one sentence, "" if they cannot
	FileFault  string        // why the wallet file is weaker than it should be; one sentence, "" if it is not
}

// Status returns the state of the lock and of the file.
func (v *Vault) Status() Status {
	s := v.health()
	s.Lock = v.State()
	s.LocksAt, s.LocksFixed = v.idle.ends()
	return s
}

// health returns what the keystore says about itself.
func (v *Vault) health() (s Status) {
	store := v.keys()
	if store == nil {
		return s
	}
	s.RetryIn, s.WrongTries = store.RetryIn(), store.WrongTries()
	health := store.Health()
	if health.Memory != nil {
		s.KeysFault = "keys in memory may reach the system's swap: " + health.Memory.Error() +
			"; raise the limit of locked memory (ulimit -l)"
	}
	if health.Upgrade != nil {
		s.FileFault = "the wallet file is weaker than it should be and could not be made stronger: " + health.Upgrade.Error()
	}
	return s
}

// logFaultsLocked logs, once each, the faults that weaken an open wallet. The caller holds idle.mu.
func (v *Vault) logFaultsLocked() {
	s := v.health()
	for _, failure := range []string{s.KeysFault, s.FileFault} {
		if failure != "" && !slices.Contains(v.logged, failure) {
			v.logged = append(v.logged, failure)
			v.Logger.Warn("keys: the file needs attention", "error", failure)
		}
	}
}

// bindChain records which chain the keys belong to, once one is known.
func (v *Vault) bindChain(c *keystore.Contents) error {
	id := v.DaemonChain()
	if id == (ledger.ChainID{}) {
		return nil
	}
	if err := c.Public.CheckChain(id); err != nil {
		return err
	}
	c.Public.ChainID = id
	return nil
}

// BindChain binds an unlocked wallet to the first chain that was seen, so that no daemon of a later run can name another one.
func (v *Vault) BindChain() {
	if v.DaemonChain() == (ledger.ChainID{}) || v.ChainID() != (ledger.ChainID{}) {
		return
	}
	store, err := v.Unlocked("bind")
	if err != nil {
		return // tried again when it is next unlocked
	}
	if err := store.Update(v.bindChain); err != nil {
		v.Logger.Warn("keys: their chain could not be saved", "error", err)
	}
}
