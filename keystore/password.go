package keystore

// CheckPassword checks the password, locked or not: nil,
// ErrEmptyPassword, ErrWrongPassword or ErrTooMany.
func (s *Store) CheckPassword(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	v, dataKey, _ := s.state()
	clear(dataKey)
	return s.try(v, password, forget)
}

func forget(dataKey []byte) error {
	clear(dataKey)
	return nil
}

// try is the only way in which a password meets a file: it counts the wrong
// ones. use gets the data key, and clears it when it does not keep it.
func (s *Store) try(v *fileVersion, password string, use func(dataKey []byte) error) error {
	if password == "" {
		return emptyPasswordError()
	}
	if !s.options.freeTries {
		if err := s.tries.countWrong(); err != nil {
			return err
		}
	}
	giveBack(len(v.raw)) // what was read and compared before must not lie beside what the try takes
	dataKey, err := v.unwrap(password)
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
