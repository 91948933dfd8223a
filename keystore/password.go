package keystore

import "time"

// CheckPassword tells whether the password is right, locked or not: nil,
// ErrEmptyPassword, ErrWrongPassword or ErrTooMany.
func (s *Store) CheckPassword(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	m, dataKey, _ := s.state()
	clear(dataKey)
	return s.try(m, password, forget)
}

func forget(dataKey []byte) error {
	clear(dataKey)
	return nil
}

// try is the only way in which a password meets a file: it counts the wrong
// ones. use gets the data key, and clears it when it does not keep it.
func (s *Store) try(m *image, password string, use func(dataKey []byte) error) error {
	if password == "" {
		return emptyPasswordError()
	}
	if !s.options.freeTries {
		if err := s.tries.begin(); err != nil {
			return err
		}
	}
	dataKey, err := m.unwrap(password)
	switch {
	case s.options.freeTries:
	case err == nil:
		s.tries.right()
	default:
		s.tries.failed()
	}
	if err != nil {
		return err
	}
	return use(dataKey)
}

// ChangePassword replaces the password. The store stays locked or unlocked as
// it was. Salt and data key are new as well: who knows the old password and has
// an old copy of the file learns nothing that is added from now on. The earlier
// versions beside the file still open with the old password.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany, those of Open and of the disk.
func (s *Store) ChangePassword(old, new string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if old == "" || new == "" {
		return emptyPasswordError()
	}
	m, dataKey, locks := s.state()
	locked := dataKey == nil
	clear(dataKey)
	var err error
	if locked {
		if m, err = readImage(s.volume, s.path); err != nil {
			return err
		}
	}
	return s.try(m, old, func(dataKey []byte) error {
		defer clear(dataKey)
		return s.rekey(m, dataKey, new, locks)
	})
}

// SetPassword replaces the password of an unlocked store without asking for
// the old one, as the reference's set_password does; otherwise it is
// ChangePassword.
//
// Errors: ErrLocked, ErrEmptyPassword, and those of the disk.
func (s *Store) SetPassword(new string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if new == "" {
		return emptyPasswordError()
	}
	m, dataKey, locks := s.state()
	if dataKey == nil {
		return lockedError()
	}
	defer clear(dataKey)
	return s.rekey(m, dataKey, new, locks)
}

// rekey seals the contents of m anew.
func (s *Store) rekey(m *image, dataKey []byte, password string, locks uint64) error {
	plain, err := m.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(plain)
	next, fresh, err := sealNew(password, s.options.raised(m.kdf.Params, aimedTime), m.public, plain)
	if err == nil {
		err = save(s.volume, s.path, change{m, next, fresh, true, s.options.now()})
	}
	if err != nil {
		clear(fresh)
		return err
	}
	s.adoptKey(next, fresh, locks)
	return nil
}

// adoptKey takes a saved file into memory, and its data key if the store is still unlocked.
func (s *Store) adoptKey(next *image, fresh []byte, locks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.image = next
	if s.dataKey == nil || s.locks != locks {
		clear(fresh)
		return
	}
	clear(s.dataKey)
	unpin(s.dataKey)
	s.holdLocked(fresh, s.secrets)
}

// strengthen gives a file that was just unlocked what it should cost on this
// machine, with the same data key: the contents stay as they are, so there is
// nothing an old copy could tell of the new one. The keys are at hand already;
// if it fails, that is told in Health and tried again at the next unlock.
func (s *Store) strengthen(m *image, password string, took time.Duration) {
	err := s.raise(m, password, took)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.health.Upgrade = err
}

func (s *Store) raise(m *image, password string, took time.Duration) error {
	params := s.options.raised(m.kdf.Params, took)
	_, dataKey, locks := s.state()
	if params == m.kdf.Params || dataKey == nil {
		clear(dataKey)
		return nil
	}
	plain, err := m.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(plain)
	d := newDerivation(params)
	wrapped, err := wrap(d, password, dataKey)
	if err != nil {
		return err
	}
	next, err := sealImage(d, wrapped, m.public, plain, dataKey)
	if err == nil {
		err = save(s.volume, s.path, change{m, next, dataKey, false, s.options.now()})
	}
	if err != nil {
		clear(dataKey)
		return err
	}
	s.adoptKey(next, dataKey, locks)
	return nil
}
