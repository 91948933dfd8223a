package keystore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"billfold/ledger"
)

// Store is one key file, locked or unlocked. It is safe for use by several
// goroutines: what changes the file runs one after another, what only reads
// never waits for the disk or for a password.
type Store struct {
	path    string
	options Options
	disk    disk
	tries   *tries

	changes sync.Mutex // held while a password is tried or the file is written
	seen    time.Time  // when the file was written that Reread saw last; guarded by changes

	mu      sync.RWMutex
	file    *fileVersion // what is on the disk, as far as we know
	dataKey []byte       // nil = locked
	secrets *Secrets     // nil = locked
	locks   uint64       // how often Lock was called
	health  Health
}

// Health is what a wallet should tell its user although everything works.
type Health struct {
	Memory  error // why keys in memory may reach the system's swap; nil when they cannot, or none are there
	Upgrade error // why a file that is weaker than it should be could not be made stronger; nil when it is as it should be
}

func newStore(path string, opts *Options) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: absolute, options: opts.given()}
	s.disk = s.options.disk
	s.tries = newTries(s.disk, absolute)
	return s, nil
}

// Open reads a key file and leaves it locked. Form, version and checksum are
// verified; whether it is authentic is known after Unlock. A save that the
// system's end tore apart is completed first, see recover.
//
// Errors: ErrNotFound, ErrMissing, ErrForeign, ErrVersion, ErrDamaged, ErrUnsafe, ErrReadOnly, ErrFile.
func Open(path string) (*Store, error) { return OpenWith(path, nil) }

// OpenWith is Open with options.
func OpenWith(path string, opts *Options) (*Store, error) {
	s, err := newStore(path, opts)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	s.seen, _ = s.disk.Modified(s.path) // before it is read: what is written meanwhile is read again
	s.file, err = readFile(s.disk, s.path)
	if errors.Is(err, ErrNotFound) {
		s.file, err = recoverFile(s.disk, s.path, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// holdLocked keeps secrets in memory. The caller holds mu.
func (s *Store) holdLocked(dataKey []byte, secrets *Secrets) {
	s.dataKey, s.secrets = dataKey, secrets
	s.health.Memory = lockSecrets(s.options.lockMemory, dataKey, secrets)
}

// IsLocked reports whether the private keys are unavailable.
func (s *Store) IsLocked() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.dataKey == nil
}

// state returns the file, a copy of the data key (nil if locked; the caller
// clears it) and the count of Lock calls.
func (s *Store) state() (*fileVersion, []byte, uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file, bytes.Clone(s.dataKey), s.locks
}

// Path returns where the file is, absolute.
func (s *Store) Path() string { return s.path }

// Params returns the cost of trying one password on the file.
func (s *Store) Params() Params {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.kdf.Params
}

// Health returns what is not as well as it could be.
func (s *Store) Health() Health {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.health
}

// RetryIn returns how long passwords are refused because of wrong ones; mostly 0.
func (s *Store) RetryIn() time.Duration {
	if s.options.freeTries {
		return 0
	}
	return s.tries.left()
}

// TriesWait returns how long the next password is held back, also in a store that does not count tries.
func (s *Store) TriesWait() time.Duration { return s.tries.left() }

// WrongTries counts the wrong passwords since the last right one, and a try that is under way.
func (s *Store) WrongTries() int { return s.tries.count() }

// Public returns a copy of the public data, also while locked.
func (s *Store) Public() Public {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.clone()
}

// Account finds an account of the wallet by its name or id, also while locked.
func (s *Store) Account(nameOrID string) (account Account, found bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.account(nameOrID)
}

// Accounts returns the accounts of the wallet, ascending ids, also while locked. It
// is the store's own list, not to be changed.
func (s *Store) Accounts() []Account {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Accounts
}

// Holds reports whether the file has the private key of a public one, also while locked.
func (s *Store) Holds(key ledger.PublicKey) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, found := slices.BinarySearchFunc(s.file.public.Keys, key, ledger.ComparePublicKeys)
	return found
}

// Journal returns the identity of the payment journal that belongs to the keys, also while locked.
func (s *Store) Journal() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Journal
}

// Waiting returns the registrations that others were asked for, also while locked. It is the store's own list, not to be
// changed.
func (s *Store) Waiting() []Registration {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Waiting
}

// ChainID returns the chain the keys belong to, also while locked; zero when it is not
// known yet.
func (s *Store) ChainID() ledger.ChainID {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.ChainID
}

// PublicKeys lists the keys held, sorted by ledger.ComparePublicKeys, also while locked.
func (s *Store) PublicKeys() []ledger.PublicKey {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.file.public.Keys)
}

// Key returns a private key; false when locked or not held. It is the store's
// own: it becomes a null key when the store is locked, so check what was made
// with it when that may have happened meanwhile, and do not wipe it.
func (s *Store) Key(public ledger.PublicKey) (ledger.PrivateKey, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.secrets == nil {
		return ledger.PrivateKey{}, false
	}
	return s.secrets.Key(public)
}

// View shows the secrets to fn while they cannot be locked away; fn must not
// change them, keep them, or call the store. The error is that of fn, or ErrLocked.
func (s *Store) View(fn func(*Secrets) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.secrets == nil {
		return lockedError()
	}
	return fn(s.secrets)
}

// Format shows where the store is and never what is in it.
func (s *Store) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "key file "+s.path)
}

// syncFolder makes what is read from the file last. The program that wrote it may
// have been killed before it could; nobody must rely on that file before.
func (s *Store) syncFolder() error {
	if err := s.disk.SyncFolder(filepath.Dir(s.path)); err != nil {
		return fileError("saved", s.path, err)
	}
	return nil
}
