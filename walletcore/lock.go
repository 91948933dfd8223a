package walletcore

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"

	"slices"
	"sync"
	"time"

	"billfold/keystore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

func (w *Wallet) openStore() error {
	store, err := keystore.OpenWith(w.path, w.options)
	switch {
	case errors.Is(err, keystore.ErrNotFound):
		return nil
	case err != nil:
		return fault.KeyFile("open", err)
	}
	w.store = store
	return nil
}

// PasswordWait is how long the next password is held back, whoever gives it.
func (w *Wallet) PasswordWait() time.Duration {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return 0
	}
	return store.TriesWait()
}

// Format tells which wallet this is, and nothing that is in it, whatever the verb.
func (w *Wallet) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "wallet "+w.path) }

func (w *Wallet) lockState() LockState {
	w.mu.RLock()
	defer w.mu.RUnlock()
	switch {
	case w.store == nil:
		return LockNew
	case w.store.IsLocked():
		return LockLocked
	}
	return LockUnlocked
}

// IsNew says that no password was ever set: there is no keystore file yet.
func (w *Wallet) IsNew() bool { return w.lockState() == LockNew }

// IsLocked says that no keys are at hand; a new wallet counts as locked.
func (w *Wallet) IsLocked() bool { return w.lockState() != LockUnlocked }

// lockStatus fills in what concerns the lock.
func (w *Wallet) lockStatus(s *Status) {
	s.Lock = w.lockState()
	s.LocksAt, s.LocksFixed = w.opened.idle.ends()
	w.lockHealth(s)
}

// lockHealth fills in what the keystore says of itself.
func (w *Wallet) lockHealth(s *Status) {
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return
	}
	s.RetryIn, s.WrongTries = store.RetryIn(), store.WrongTries()
	health := store.Health()
	if health.Memory != nil {
		s.KeysFault = "keys in memory may reach the system's swap: " + health.Memory.Error() + "; raise its limit of locked memory (ulimit -l)"
	}
	if health.Upgrade != nil {
		s.FileFault = "the wallet file is weaker than it should be and could not be made stronger: " + health.Upgrade.Error()
	}
}

// logFaultsLocked says once in the log what weakens an open wallet. The caller
// holds idle.mu.
func (w *Wallet) logFaultsLocked() {
	var s Status
	w.lockHealth(&s)
	for _, failure := range []string{s.KeysFault, s.FileFault} {
		if failure != "" && !slices.Contains(w.opened.logged, failure) {
			w.opened.logged = append(w.opened.logged, failure)
			w.log.Warn("keys: " + failure)
		}
	}
}

// unlocked gives the keystore, or fault.Locked. A wallet that should have locked
// by itself is locked now, however long its timer was held up.
func (w *Wallet) unlocked(op string) (*keystore.Store, error) {
	if w.opened.idle.due() {
		w.lockWhenDue()
	}
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.store == nil || w.store.IsLocked() {
		return nil, fault.WalletLocked(op)
	}
	return w.store, nil
}

// Create makes the keystore with its first password and leaves it unlocked.
func (w *Wallet) Create(_ context.Context, password string) error {
	return w.create(password, keystore.Public{ChainID: w.daemon.Status().ChainID}, nil)
}

// create makes the keystore; it is unlocked then.
func (w *Wallet) create(password string, public keystore.Public, secrets *keystore.Secrets) error {
	if err := w.createStore(password, public, secrets); err != nil {
		return err
	}
	w.Payments.ClaimJournal(context.Background(), w.store)
	w.bindWhenOpen() // it may have come online meanwhile
	w.opened.idle.mu.Lock()
	defer w.opened.idle.mu.Unlock()
	w.startIdleLocked(0)
	w.logFaultsLocked()
	w.events.Publish(event.Event{Kind: event.Lock})
	return nil
}

func (w *Wallet) createStore(password string, public keystore.Public, secrets *keystore.Secrets) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.store != nil {
		return &fault.Error{Code: fault.File, Op: "create", Message: "there is a wallet already at " + w.path, Hint: "unlock it, or choose another folder"}
	}
	store, err := keystore.Create(w.path, password, public, secrets, w.options)
	if err != nil {
		return fault.KeyFile("create", err)
	}
	w.store = store
	return nil
}

// SetPassword gives a new wallet its first password, or an unlocked one
// another; the wallet is locked afterwards. On disk at once.
func (w *Wallet) SetPassword(password string) error {
	if w.IsNew() {
		if err := w.Create(context.Background(), password); err != nil {
			return err
		}
		w.Lock()
		return nil
	}
	store, err := w.unlocked("set_password")
	if err != nil {
		return err
	}
	if err := store.SetPassword(password); err != nil {
		return fault.KeyFile("set_password", err)
	}
	w.Lock()
	return nil
}

// ChangePassword gives an unlocked wallet another password; old is the present
// one. The wallet is locked afterwards. On disk at once. Errors: fault.Locked,
// fault.EmptyPassword, fault.WrongPassword, fault.TooManyTries (see RetryIn), fault.File.
func (w *Wallet) ChangePassword(_ context.Context, old, new string) error {
	store, err := w.unlocked("set_password")
	if err != nil {
		return err
	}
	if err := store.ChangePassword(old, new); err != nil {
		return fault.KeyFile("set_password", err)
	}
	w.Lock()
	return nil
}

// CheckOpen is fault.Locked while no keys are at hand for the operation op.
func (w *Wallet) CheckOpen(op string) error {
	_, err := w.unlocked(op)
	return err
}

// Unlock opens the keystore until Lock, or until nobody touched it for the time
// of SetLockAfter. It is no error when it is open already and the password fits.
// Errors: fault.NoPassword, fault.EmptyPassword, fault.WrongPassword, fault.TooManyTries (see
// RetryIn), fault.File, and fault.Locked when it was locked again meanwhile.
func (w *Wallet) Unlock(ctx context.Context, password string) error {
	return w.unlockUntil(ctx, password, 0)
}

func (w *Wallet) unlockUntil(ctx context.Context, password string, open time.Duration) error {
	if password == "" {
		return fault.KeyFile("unlock", keystore.ErrEmptyPassword)
	}
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil {
		return &fault.Error{Code: fault.NoPassword, Op: "unlock", Message: "this wallet has no password yet", Hint: "call set_password first"}
	}
	// After a wrong password the quick look is not for anybody: it would tell a
	// right guess from a wrong one, and many in a second.
	if store.IsLocked() || store.WrongTries() > 0 || !w.opened.matches(password) {
		if err := store.Unlock(password); err != nil {
			return fault.KeyFile("unlock", err)
		}
		w.Payments.ClaimJournal(ctx, store)
		w.bindWhenOpen()
	}
	return w.nowOpen(store, password, open)
}

// nowOpen starts the clock of an unlocked wallet.
func (w *Wallet) nowOpen(store *keystore.Store, password string, open time.Duration) error {
	w.opened.idle.mu.Lock()
	defer w.opened.idle.mu.Unlock()
	if store.IsLocked() {
		return fault.WalletLocked("unlock")
	}
	known := w.opened.matches(password)
	w.opened.remember(password)
	w.startIdleLocked(open)
	w.logFaultsLocked()
	if !known || open != 0 {
		w.events.Publish(event.Event{Kind: event.Lock})
	}
	return nil
}

// Lock wipes the keys from memory; false when there were none.
func (w *Wallet) Lock() bool {
	w.opened.idle.mu.Lock()
	defer w.opened.idle.mu.Unlock()
	return w.lockLocked()
}

func (w *Wallet) lockLocked() bool {
	w.opened.idle.stopLocked()
	w.mu.RLock()
	store := w.store
	w.mu.RUnlock()
	if store == nil || !store.Lock() {
		return false
	}
	w.secrets.wipe()
	w.opened.forget()
	w.events.Publish(event.Event{Kind: event.Lock})
	return true
}

// openedWith recognises the password the wallet was opened with while it stays
// open, without the half second that checking one costs: scripts call unlock
// before everything they do. It keeps a keyed hash, not the password.
type openedWith struct {
	mu   sync.Mutex
	salt [32]byte
	sum  [32]byte
	set  bool

	idle   idleLock // how long it stays open
	logged []string // what was said of keys and file
}

func (o *openedWith) hash(password string) [32]byte {
	return sha256.Sum256(append(o.salt[:], password...))
}

func (o *openedWith) remember(password string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, err := rand.Read(o.salt[:]); err != nil {
		return
	}
	o.sum, o.set = o.hash(password), true
}

func (o *openedWith) matches(password string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	sum := o.hash(password)
	return o.set && subtle.ConstantTimeCompare(sum[:], o.sum[:]) == 1
}

func (o *openedWith) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	clear(o.salt[:])
	clear(o.sum[:])
	o.set = false
}
