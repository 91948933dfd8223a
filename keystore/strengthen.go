package keystore

import "time"

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
