package keystore

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"

	"billfold/ledger"
)

// Store is one key file, locked or unlocked. It is safe for use by several
// goroutines: what changes the file runs one after another, what only reads
// never waits for the disk or for a password.
type Store struct {
	path   string
	volume volume
	weak   Params // the weak parameters its creator insisted on, else zero

	changes sync.Mutex // held while a password is tried or the file is written

	mu      sync.RWMutex
	image   *image   // what is on the disk, as far as we know
	dataKey []byte   // nil = locked
	secrets *Secrets // nil = locked
	locks   uint64   // how often Lock was called
}

// Create makes a new key file and gives it unlocked. The folder is made with
// mode 0700 where it is missing, the file with 0600. secrets are copied, nil
// means none; public.Keys is ignored.
//
// Errors: ErrEmptyPassword, ErrWeak, ErrInvalid, ErrExists and those of the disk
// (ErrReadOnly, ErrDiskFull, ErrUnsafe, ErrBusy, ErrFile).
func Create(path, password string, public Public, secrets *Secrets, opts *Options) (*Store, error) {
	if password == "" {
		return nil, emptyPasswordError()
	}
	params, err := opts.params()
	if err != nil {
		return nil, err
	}
	s := &Store{volume: opts.disk()}
	if !params.strong() {
		s.weak = params
	}
	if s.path, err = filepath.Abs(path); err != nil {
		return nil, fileError("saved", path, err)
	}
	// Told now, and not after half a second of key derivation.
	if err := expect(s.volume, s.path, nil); err != nil {
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
		err = save(s.volume, s.path, nil, m, dataKey)
	}
	if err != nil {
		own.Wipe()
		clear(dataKey)
		return err
	}
	s.image, s.dataKey, s.secrets = m, dataKey, own
	return nil
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
// verified; whether it is authentic is known after Unlock.
//
// Errors: ErrNotFound, ErrForeign, ErrVersion, ErrDamaged, ErrUnsafe, ErrReadOnly, ErrFile.
func Open(path string) (*Store, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fileError("read", path, err)
	}
	s := &Store{path: absolute, volume: osVolume{}}
	s.image, err = readImage(s.volume, absolute)
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
// only checks the password. It takes about as long as DefaultParams says.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, those of Open, and ErrLocked when
// Lock was called before it was done.
func (s *Store) Unlock(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	m, dataKey, locks := s.state()
	if password == "" {
		return emptyPasswordError()
	}
	if dataKey != nil {
		clear(dataKey)
		return m.checkPassword(password)
	}
	m, err := readImage(s.volume, s.path)
	if err != nil {
		return err
	}
	dataKey, secrets, err := m.unlock(password)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.locks != locks {
		secrets.Wipe()
		clear(dataKey)
		return lockedError()
	}
	s.image, s.dataKey, s.secrets = m, dataKey, secrets
	return nil
}

// unlock opens everything with the password.
func (m *image) unlock(password string) (dataKey []byte, secrets *Secrets, err error) {
	if dataKey, err = m.unwrap(password); err != nil {
		return nil, nil, err
	}
	plain, err := m.open(dataKey)
	if err == nil {
		secrets, err = decodeSecrets(plain)
		clear(plain)
	}
	if err == nil && !slices.Equal(secrets.PublicKeys(), m.public.Keys) {
		secrets.Wipe()
		err = damagedError("its list of keys does not match its keys")
	}
	if err != nil {
		clear(dataKey)
		return nil, nil, err
	}
	return dataKey, secrets, nil
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
	s.secrets.Wipe()
	clear(s.dataKey)
	s.secrets, s.dataKey = nil, nil
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

// Public gives a copy of the public data, also while locked.
func (s *Store) Public() Public {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.image.public.clone()
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
