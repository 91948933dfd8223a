package keystore

// CheckPassword tells whether the password is right, locked or not: nil,
// ErrEmptyPassword or ErrWrongPassword.
func (s *Store) CheckPassword(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	m, dataKey, _ := s.state()
	clear(dataKey)
	return m.checkPassword(password)
}

func (m *image) checkPassword(password string) error {
	if password == "" {
		return emptyPasswordError()
	}
	dataKey, err := m.unwrap(password)
	clear(dataKey)
	return err
}

// ChangePassword replaces the password. The store stays locked or unlocked as
// it was. Salt and data key are new as well: who knows the old password and has
// an old copy of the file learns nothing that is added from now on. The earlier
// versions beside the file still open with the old password.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, those of Open and of the disk.
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
	if dataKey, err = m.unwrap(old); err != nil {
		return err
	}
	defer clear(dataKey)
	return s.rekey(m, dataKey, new, locks)
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
	next, fresh, err := sealNew(password, s.nextParams(m), m.public, plain)
	if err == nil {
		err = save(s.volume, s.path, m, next, fresh)
	}
	if err != nil {
		clear(fresh)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.image = next
	if s.dataKey == nil || s.locks != locks {
		clear(fresh)
		return nil
	}
	clear(s.dataKey)
	s.dataKey = fresh
	return nil
}

// nextParams keeps the cost of the file where it is high enough.
func (s *Store) nextParams(m *image) Params {
	if m.kdf.strong() || m.kdf.Params == s.weak {
		return m.kdf.Params
	}
	return DefaultParams()
}
