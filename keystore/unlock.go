package keystore

import "time"

// Unlock makes the private keys available. It reads the file again, so that what another program added meanwhile is
// there. On an unlocked store it only checks the password. It takes about as long as Calibrate aims for, and once
// longer, when the file is strengthened: Health reports whether that worked.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany after wrong passwords, those of Open, and ErrLocked if Lock
// was called before it was done.
func (s *Store) Unlock(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	v, dataKey, locks := s.state()
	if dataKey != nil {
		clear(dataKey)
		_, err := s.tryPassword(v, password, wipeKey)
		return err
	}
	if password == "" {
		return emptyPasswordError()
	}
	v, err := rereadFile(s.disk, s.path, v)
	if err != nil {
		return err
	}
	defer limitGarbage(len(v.raw))()
	started := time.Now()
	form, err := s.tryPassword(v, password, func(key []byte) error { return s.adoptPayload(v, key, locks) })
	if err != nil {
		return err
	}
	s.strengthen(v, form, time.Since(started))
	_ = s.syncFolder() // keys that are shown should be durable; a change does not rely on it
	return nil
}

// adoptPayload opens the payload and keeps its keys in memory.
func (s *Store) adoptPayload(v *fileVersion, dataKey []byte, locks uint64) error {
	secrets, err := v.unlock(dataKey)
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
	s.file = v
	s.holdLocked(dataKey, secrets)
	return nil
}

// Lock wipes the private keys from memory, including the copies that Key returned: they become null keys. An Unlock in
// progress fails; a change that is being saved is still saved. It reports false if the store was locked already.
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
		unlockMemory(part)
	}
	s.secrets, s.dataKey, s.health.Memory = nil, nil, nil
	return true
}

// unlock opens the payload with the data key.
func (v *fileVersion) unlock(dataKey []byte) (*Secrets, error) {
	plain, err := v.open(dataKey)
	if err != nil {
		return nil, err
	}
	defer clear(plain)
	secrets, err := decodeSecrets(plain, v.public.Keys)
	if err != nil {
		return nil, err
	}
	if len(secrets.keys) != len(v.public.Keys) {
		secrets.Wipe()
		return nil, damagedError("its list of keys does not match its keys")
	}
	return secrets, nil
}

// strengthen raises the cost of a file that was just unlocked to what it should be on this machine. The data key stays
// the same: the contents do not change, so an old copy would reveal nothing new. The keys are available already; if it
// fails, that is reported in Health and it is tried again at the next unlock.
func (s *Store) strengthen(v *fileVersion, password string, took time.Duration) {
	err := s.raise(v, password, took)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.health.Upgrade = err
}

func (s *Store) raise(v *fileVersion, password string, took time.Duration) error {
	params := s.options.raised(v.kdf.Params, took, len(v.raw))
	_, dataKey, locks := s.state()
	if params == v.kdf.Params || dataKey == nil {
		clear(dataKey)
		return nil
	}
	plain, err := v.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(plain)
	d := newDerivation(params)
	wrapped, err := wrap(d, password, dataKey)
	if err != nil {
		return err
	}
	next, err := sealFile(d, wrapped, v.public, plain, dataKey)
	if err == nil {
		err = save(s.disk, s.path, change{v, next, dataKey, false, s.options.now()})
	}
	if err != nil {
		clear(dataKey)
		return err
	}
	s.adoptKey(next, dataKey, locks)
	return nil
}
