package keystore

// Reread takes over what another program wrote into the file since it was last read: public data and, while the store
// is unlocked, keys. It reports whether anything changed. It is cheap if nothing did.
//
// Errors, all of which leave memory as it is: ErrChanged if the file does not open with the current key, because its
// password was changed by another program; ErrChain if it is of another chain; those of reading the file.
func (s *Store) Reread() (changed bool, err error) {
	s.changes.Lock()
	defer s.changes.Unlock()
	at, err := s.disk.Modified(s.path)
	if err != nil {
		return false, fileError("read", s.path, err)
	}
	if at.Equal(s.seen) {
		return false, nil
	}
	old, dataKey, locks := s.state()
	defer clear(dataKey)
	v, err := rereadFile(s.disk, s.path, old)
	if err != nil {
		return false, err
	}
	if s.seen = at; v == old {
		return false, nil
	}
	if err := old.public.CheckChain(v.public.ChainID); err != nil {
		return false, err
	}
	if dataKey == nil {
		s.replace(v)
		return true, nil
	}
	secrets, err := v.unlock(dataKey)
	if err != nil {
		return false, &Error{Kind: ErrChanged, Message: "The password of " + s.path + " was changed by another program",
			Hint: "lock this wallet and unlock it with the new one", Err: err}
	}
	s.adopt(v, secrets, locks)
	return true, nil
}

// replace replaces the file in memory. The store is still locked: unlocking takes changes as well.
func (s *Store) replace(v *fileVersion) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = v
}
