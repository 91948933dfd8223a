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
	volume  volume
	tries   *tries

	changes sync.Mutex // held while a password is tried or the file is written
	seen    time.Time  // when the file was written that Reread saw last; guarded by changes

	mu      sync.RWMutex
	image   *image   // what is on the disk, as far as we know
	dataKey []byte   // nil = locked
	secrets *Secrets // nil = locked
	locks   uint64   // how often Lock was called
	health  Health
}

// Health is what a wallet should tell its user although everything works.
type Health struct {
	Memory  error // why keys in memory may reach the system's swap; nil when they cannot, or none are there
	Upgrade error // why a file that is weaker than it should be could not be made stronger; nil when it is as it should be
}

// Create makes a new key file and gives it unlocked. The folder is made with
// mode 0700 where it is missing, the file with 0600. secrets are copied, nil
// means none; public.Keys is ignored.
//
// Errors: ErrEmptyPassword, ErrWeak, ErrInvalid, ErrExists, ErrMissing when only
// earlier versions of a file of this name are there, and those of the disk
// (ErrReadOnly, ErrDiskFull, ErrUnsafe, ErrBusy, ErrFile).
func Create(path, password string, public Public, secrets *Secrets, opts *Options) (*Store, error) {
	if password == "" {
		return nil, emptyPasswordError()
	}
	s, err := newStore(path, opts)
	if err != nil {
		return nil, fileError("saved", path, err)
	}
	// Told now, and not after half a second of key derivation.
	if err := expectNothing(s.volume, s.path); err != nil {
		return nil, err
	}
	params, err := s.options.params()
	if err != nil {
		return nil, err
	}
	if secrets == nil {
		secrets = &Secrets{}
	}
	if err := s.create(password, params, public, secrets); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) create(password string, params Params, public Public, secrets *Secrets) error {
	plain, err := secrets.encode()
	if err != nil {
		return err
	}
	defer clear(plain)
	if public, err = public.normal(secrets.PublicKeys()); err != nil {
		return err
	}
	own, err := decodeSecrets(plain)
	if err != nil {
		return err
	}
	m, dataKey, err := sealNew(password, params, public, plain)
	if err == nil {
		err = save(s.volume, s.path, change{nil, m, dataKey, false, s.options.now()})
	}
	if err != nil {
		own.Wipe()
		clear(dataKey)
		return err
	}
	s.tries.right() // of an earlier wallet of this name
	s.mu.Lock()
	defer s.mu.Unlock()
	s.image = m
	s.holdLocked(dataKey, own)
	return nil
}

func newStore(path string, opts *Options) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: absolute, options: opts.given()}
	s.volume = s.options.volume
	s.tries = newTries(s.volume, absolute)
	return s, nil
}

// sealNew seals contents under a fresh salt and a fresh data key.
func sealNew(password string, params Params, public Public, plain []byte) (*image, []byte, error) {
	d, dataKey := newDerivation(params), newDataKey()
	wrapped, err := wrap(d, password, dataKey)
	if err != nil {
		return nil, dataKey, err
	}
	m, err := sealImage(d, wrapped, public, plain, dataKey)
	return m, dataKey, err
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
	s.image, err = readImage(s.volume, s.path)
	if errors.Is(err, ErrNotFound) {
		s.image, err = recoverImage(s.volume, s.path, err)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func readImage(v volume, path string) (*image, error) {
	raw, err := readAll(v, path)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	if len(raw) > maxFileSize {
		return nil, damagedError("it is larger than any key file")
	}
	return parseImage(raw)
}

// Unlock makes the private keys available. It reads the file again, so that
// what another program added meanwhile is there. On a store that is unlocked it
// only checks the password. It takes about as long as Calibrate says; once
// longer, when the file is made stronger: see Health for whether that worked.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany when wrong passwords
// came before, those of Open, and ErrLocked when Lock was called before it was done.
func (s *Store) Unlock(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	m, dataKey, locks := s.state()
	if dataKey != nil {
		clear(dataKey)
		return s.try(m, password, forget)
	}
	if password == "" {
		return emptyPasswordError()
	}
	m, err := readImage(s.volume, s.path)
	if err != nil {
		return err
	}
	began := time.Now()
	err = s.try(m, password, func(key []byte) error { return s.take(m, key, locks) })
	if err != nil {
		return err
	}
	s.strengthen(m, password, time.Since(began))
	_ = s.settle() // keys that are shown should last; a change does not rely on it
	return nil
}

// take opens the payload and keeps what is in it.
func (s *Store) take(m *image, dataKey []byte, locks uint64) error {
	secrets, err := m.unlock(dataKey)
	if err != nil {
		clear(dataKey)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.locks != locks {
		secrets.Wipe()
		clear(dataKey)
		return lockedError()
	}
	s.image = m
	s.holdLocked(dataKey, secrets)
	return nil
}

// holdLocked keeps secrets in memory. The caller holds mu.
func (s *Store) holdLocked(dataKey []byte, secrets *Secrets) {
	s.dataKey, s.secrets = dataKey, secrets
	s.health.Memory = pinned(s.options.pin, dataKey, secrets)
}

// unlock opens the payload with the data key.
func (m *image) unlock(dataKey []byte) (*Secrets, error) {
	plain, err := m.open(dataKey)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	secrets, err := decodeSecrets(plain)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(secrets.PublicKeys(), m.public.Keys) {
		secrets.Wipe()
		return nil, damagedError("its list of keys does not match its keys")
	}
	return secrets, nil
}

// Lock wipes the private keys from memory, also in the copies that Key handed
// out: they become null keys. An Unlock that is under way fails; a change that
// is being saved is still saved. It answers false if the store was locked.
func (s *Store) Lock() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locks++
	if s.dataKey == nil {
		return false
	}
	where := s.secrets.memory(s.dataKey)
	s.secrets.Wipe()
	clear(s.dataKey)
	for _, part := range where {
		unpin(part)
	}
	s.secrets, s.dataKey, s.health.Memory = nil, nil, nil
	return true
}

// IsLocked tells whether the private keys are unavailable.
func (s *Store) IsLocked() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.dataKey == nil
}

// state gives the file, a copy of the data key (nil if locked; the caller
// clears it) and the count of Lock calls.
func (s *Store) state() (*image, []byte, uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.image, bytes.Clone(s.dataKey), s.locks
}

// Path is where the file is, absolute.
func (s *Store) Path() string { return s.path }

// Params is the cost of trying one password on the file.
func (s *Store) Params() Params {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.image.kdf.Params
}

// Health tells what is not as well as it could be.
func (s *Store) Health() Health {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.health
}

// RetryIn is how long no password is tried because of wrong ones before, 0 mostly.
func (s *Store) RetryIn() time.Duration {
	if s.options.freeTries {
		return 0
	}
	return s.tries.left()
}

// TriesWait is how long the next password is held back.
func (s *Store) TriesWait() time.Duration { return s.tries.left() }

// WrongTries counts the wrong passwords since the last right one, and a try that is under way.
func (s *Store) WrongTries() int { return s.tries.count() }

// Public gives a copy of the public data, also while locked.
func (s *Store) Public() Public {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.image.public.clone()
}

// ChainID is the chain the keys belong to, also while locked; zero when it is not
// known yet.
func (s *Store) ChainID() ledger.ChainID {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.image.public.ChainID
}

// PublicKeys lists the keys held, sorted by ledger.ComparePublicKeys, also while locked.
func (s *Store) PublicKeys() []ledger.PublicKey {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.image.public.Keys)
}

// Key gives a private key; false when locked or not held. It is the store's
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
