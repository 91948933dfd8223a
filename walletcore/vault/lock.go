package vault

import (
	"context"
	"time"

	"billfold/keystore"
	"billfold/walletcore/event"
	"billfold/walletcore/fault"
)

// Create creates the keystore with its first password and leaves it unlocked.
func (v *Vault) Create(_ context.Context, password string) error {
	return v.create(password, keystore.Public{ChainID: v.DaemonChain()}, nil)
}

// create creates the keystore and leaves it unlocked.
func (v *Vault) create(password string, public keystore.Public, secrets *keystore.Secrets) error {
	if err := checkNewPassword("create", password); err != nil {
		return err
	}
	if err := v.createStore(password, public, secrets); err != nil {
		return err
	}
	v.OnUnlock(context.Background())
	v.BindChain() // the daemon may have come online meanwhile
	v.idle.mu.Lock()
	defer v.idle.mu.Unlock()
	v.idle.startLocked(0)
	v.logFaultsLocked()
	v.Events.Publish(event.Event{Kind: event.Lock})
	return nil
}

func (v *Vault) createStore(password string, public keystore.Public, secrets *keystore.Secrets) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.store != nil {
		return &fault.Error{
			Code:    fault.File,
			Op:      "create",
			Message: "there is a wallet already at " + v.Path,
			Hint:    "unlock it, or choose another folder",
		}
	}
	store, err := keystore.Create(v.Path, password, public, secrets, v.Keystore)
	if err != nil {
		return fault.KeyFile("create", err)
	}
	v.store = store
	return nil
}

// SetPassword sets the first password of a new wallet, or another one for an unlocked wallet. The wallet is locked
// afterwards. The password is on disk when SetPassword returns.
func (v *Vault) SetPassword(password string) error {
	if v.IsNew() {
		if err := v.Create(context.Background(), password); err != nil {
			return err
		}
		v.Lock()
		return nil
	}
	store, err := v.Unlocked("set_password")
	if err != nil {
		return err
	}
	if err := checkNewPassword("set_password", password); err != nil {
		return err
	}
	if err := store.SetPassword(password); err != nil {
		return fault.KeyFile("set_password", err)
	}
	v.Lock()
	return nil
}

// ChangePassword changes the password of an unlocked wallet; old is the current one. The wallet is locked afterwards.
// The password is on disk when ChangePassword returns. Errors: fault.Locked, fault.EmptyPassword, fault.WrongPassword,
// fault.TooManyTries (see fault.RetryIn), fault.BadValue for a character that nobody sees, fault.File.
func (v *Vault) ChangePassword(_ context.Context, old, new string) error {
	store, err := v.Unlocked("set_password")
	if err != nil {
		return err
	}
	if err := checkNewPassword("set_password", new); err != nil {
		return err
	}
	if err := store.ChangePassword(old, new); err != nil {
		return fault.KeyFile("set_password", err)
	}
	v.Lock()
	return nil
}

// Unlock opens the keystore until Lock, or until it has not been touched for the time of SetLockAfter. Unlocking an open
// wallet with the right password is not an error. Errors: fault.NoPassword, fault.EmptyPassword, fault.WrongPassword,
// fault.TooManyTries (see fault.RetryIn), fault.File, and fault.Locked if it was locked again meanwhile.
func (v *Vault) Unlock(ctx context.Context, password string) error {
	return v.unlockUntil(ctx, password, 0)
}

func (v *Vault) unlockUntil(ctx context.Context, password string, open time.Duration) error {
	if password == "" {
		return &fault.Error{Code: fault.EmptyPassword, Op: "unlock", Err: keystore.ErrEmptyPassword, Message: "the password is empty",
			Hint: "unlock with the password of this wallet"}
	}
	store := v.keys()
	if store == nil {
		return &fault.Error{
			Code:    fault.NoPassword,
			Op:      "unlock",
			Message: "this wallet has no password yet",
			Hint:    "call set_password first",
		}
	}
	// After a wrong password nobody gets the quick check: it would tell a right guess from a wrong one, many times a second.
	if store.IsLocked() || store.WrongTries() > 0 || !v.password.matches(password) {
		if err := store.Unlock(password); err != nil {
			return fault.KeyFile("unlock", err)
		}
		v.OnUnlock(ctx)
		v.BindChain()
	}
	return v.startOpen(store, password, open)
}

// startOpen starts the clock of an unlocked wallet.
func (v *Vault) startOpen(store *keystore.Store, password string, open time.Duration) error {
	v.idle.mu.Lock()
	defer v.idle.mu.Unlock()
	if store.IsLocked() {
		return fault.WalletLocked("unlock")
	}
	known := v.password.matches(password)
	v.password.remember(password)
	v.idle.startLocked(open)
	v.logFaultsLocked()
	if !known || open != 0 {
		v.Events.Publish(event.Event{Kind: event.Lock})
	}
	return nil
}

// Lock wipes the keys from memory. It reports false if the wallet was locked already.
func (v *Vault) Lock() bool {
	v.idle.mu.Lock()
	defer v.idle.mu.Unlock()
	return v.lockLocked()
}

// UnlockFor is Unlock for the time d, one second to seven days. When d is over the wallet locks, touched or not; the
// idle time does not apply. The latest right password decides: another Unlock or UnlockFor replaces the end.
func (v *Vault) UnlockFor(ctx context.Context, password string, d time.Duration) error {
	return v.unlockUntil(ctx, password, clampOpen(d))
}

// SetLockAfter sets how long an unlocked wallet may go untouched, at most seven days; 0, the default of a new Vault,
// means for ever. It takes effect at once.
func (v *Vault) SetLockAfter(d time.Duration) {
	if d != 0 {
		d = clampOpen(d)
	}
	v.idle.mu.Lock()
	defer v.idle.mu.Unlock()
	v.idle.after = d
	if !v.idle.fixed && !v.IsLocked() {
		v.idle.startLocked(0)
	}
}

// Touch records that somebody uses the wallet, which restarts the idle time. It is cheap enough for every key press and
// every call. The terminal calls it for each key and click, the catalogue for each operation that needs the wallet open.
// What programs poll (is_locked, histories, deposits) does not count as use.
func (v *Vault) Touch() { v.idle.touch() }

// LocksAt returns when the wallet will lock if nobody touches it; zero if it is locked or stays open.
func (v *Vault) LocksAt() time.Time {
	at, _ := v.idle.ends()
	return at
}
