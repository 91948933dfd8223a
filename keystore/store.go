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

// Store is one key file, locked or unlocked. It is safe for concurrent use: changes of the file run one after another,
// and reads never wait for the disk or for a password.
type Store struct {
	path    string
	options Options
	disk    disk
	tries   *tries

	changes sync.Mutex // held while a password is tried or the file is written
	seen    time.Time  // modification time of the file that Reread read last; guarded by changes

	mu      sync.RWMutex
	file    *fileVersion // what is on the disk, as far as known
	dataKey []byte       // nil = locked
	secrets *Secrets     // nil = locked
	locks   uint64       // how often Lock was called
	health  Health
}

// Health holds what a wallet should report to its user even though everything works.
type Health struct {
	Memory  error // why keys in memory may reach the system's swap; nil if they cannot, or there are none
	Upgrade error // why a file that is too weak could not be strengthened; nil if it is strong enough
}

func newStore(path string, opts *Options) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: absolute, options: opts.withDefaults()}
	s.disk = s.options.disk
	s.tries = newTries(s.disk, absolute)
	return s, nil
}

// Open reads a key file and leaves it locked. Form, version and checksum are verified; whether it is authentic is known
// only after Unlock. A save that a crash of the system interrupted is completed first, see recoverFile.
//
// Errors: ErrNotFound, ErrMissing, ErrForeign, ErrVersion, ErrDamaged, ErrUnsafe, ErrReadOnly, ErrFile.
func Open(path string) (*Store, error) { return OpenWith(path, nil) }

// OpenWith is Open with options.
func OpenWith(path string, opts *Options) (*Store, error) {
	s, err := newStore(path, opts)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	s.seen, _ = s.disk.Modified(s.path) // before it is read: a later write makes Reread read it again
	s.file, err = readFile(s.disk, s.path)
	if errors.Is(err, ErrNotFound) {
		s.file, err = recoverFile(s.disk, s.path, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// holdLocked keeps the secrets in memory. The caller holds mu.
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

// state returns the file, a copy of the data key (nil if locked; the caller clears it) and the count of Lock calls.
func (s *Store) state() (*fileVersion, []byte, uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file, bytes.Clone(s.dataKey), s.locks
}

// Path returns the absolute path of the file.
func (s *Store) Path() string { return s.path }

// Params returns the cost of trying one password on the file.
func (s *Store) Params() Params {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.kdf.Params
}

// Health returns what is not as good as it could be.
func (s *Store) Health() Health {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.health
}

// RetryIn returns how long passwords are refused because of wrong ones, usually 0.
func (s *Store) RetryIn() time.Duration {
	if s.options.freeTries {
		return 0
	}
	return s.tries.waitTime()
}

// TriesWait returns how long the next password is held back, even in a store that does not count tries.
func (s *Store) TriesWait() time.Duration { return s.tries.waitTime() }

// WrongTries returns the number of wrong passwords since the last right one, including a try in progress.
func (s *Store) WrongTries() int { return s.tries.count() }

// Public returns a copy of the public data, even while locked.
func (s *Store) Public() Public {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.clone()
}

// Account finds an account of the wallet by its name or id, even while locked.
func (s *Store) Account(nameOrID string) (account Account, found bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.account(nameOrID)
}

// Accounts returns the accounts of the wallet, ascending ids, even while locked. It is the store's own list and must
// not be changed.
func (s *Store) Accounts() []Account {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Accounts
}

// Holds reports whether the file has the private key of a public one, even while locked.
func (s *Store) Holds(key ledger.PublicKey) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, found := slices.BinarySearchFunc(s.file.public.Keys, key, ledger.ComparePublicKeys)
	return found
}

// Journal returns the identity of the payment journal that belongs to the keys, even while locked.
func (s *Store) Journal() string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Journal
}

// Waiting returns the registrations that others were asked for, even while locked. It is the store's own list and must
// not be changed.
func (s *Store) Waiting() []Registration {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.Waiting
}

// ChainID returns the chain the keys belong to, even while locked; zero if it is not known yet.
func (s *Store) ChainID() ledger.ChainID {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.file.public.ChainID
}

// PublicKeys lists the held keys, sorted by ledger.ComparePublicKeys, even while locked.
func (s *Store) PublicKeys() []ledger.PublicKey {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.file.public.Keys)
}

// Key returns a private key; false if the store is locked or does not hold it. It is the store's own and becomes a null
// key when the store is locked: do not wipe it, and check what was made with it if the store may have been locked
// meanwhile.
func (s *Store) Key(public ledger.PublicKey) (ledger.PrivateKey, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.secrets == nil {
		return ledger.PrivateKey{}, false
	}
	return s.secrets.Key(public)
}

// View shows the secrets to fn while they cannot be locked away; fn must not change them, keep them, or call the store.
// The error is that of fn, or ErrLocked.
func (s *Store) View(fn func(*Secrets) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.secrets == nil {
		return lockedError()
	}
	return fn(s.secrets)
}

// Format shows where the store is, never what is in it.
func (s *Store) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "key file "+s.path)
}

// syncFolder makes what was read from the file durable. The program that wrote it may have been killed before it could,
// and nobody may rely on the file before that.
func (s *Store) syncFolder() error {
	if err := s.disk.SyncFolder(filepath.Dir(s.path)); err != nil {
		return fileError("saved", s.path, err)
	}
	return nil
}
