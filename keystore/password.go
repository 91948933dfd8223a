package keystore

// CheckPassword checks the password, locked or not. Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany.
func (s *Store) CheckPassword(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	v, dataKey, _ := s.state()
	clear(dataKey)
	return s.tryPassword(v, password, wipeKey)
}

func wipeKey(dataKey []byte) error {
	clear(dataKey)
	return nil
}

// tryPassword is the only place where a password is tried on a file: it counts the wrong ones. use gets the data key,
// and clears it unless it keeps it.
func (s *Store) tryPassword(v *fileVersion, password string, use func(dataKey []byte) error) error {
	if password == "" {
		return emptyPasswordError()
	}
	if !s.options.freeTries {
		if err := s.tries.countWrong(); err != nil {
			return err
		}
	}
	releaseMemory(len(v.raw)) // what was read and compared must not still take memory during the try
	dataKey, err := v.unwrap(password)
	switch {
	case s.options.freeTries:
	case err == nil:
		s.tries.reset()
	default:
		s.tries.startWait()
	}
	if err != nil {
		return err
	}
	return use(dataKey)
}
