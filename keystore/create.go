package keystore

import (
	"encoding/base64"

	"billfold/ledger/usertext"
)

// Create makes a new key file and returns it unlocked. The folder is created with mode 0700 if it is missing, the file
// with 0600. The password is stored in its usertext.Normal form. secrets are copied, nil means none; public.Keys is ignored.
//
// Errors: ErrEmptyPassword, ErrWeak, ErrInvalid, ErrExists, ErrMissing if there are only earlier versions of a file of
// this name, and those of the disk (ErrReadOnly, ErrDiskFull, ErrUnsafe, ErrBusy, ErrFile).
func Create(path, password string, public Public, secrets *Secrets, opts *Options) (*Store, error) {
	if password = usertext.Normal(password); password == "" {
		return nil, emptyPasswordError()
	}
	s, err := newStore(path, opts)
	if err != nil {
		return nil, fileError("saved", path, err)
	}
	// Refused now rather than after half a second of key derivation.
	if err := expectNothing(s.disk, s.path); err != nil {
		return nil, err
	}
	if secrets == nil {
		secrets = &Secrets{}
	}
	params, err := s.options.params(listsBound(&public) + base64.StdEncoding.EncodedLen(secrets.encodedBound()))
	if err != nil {
		return nil, err
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
	held := secrets.PublicKeys()
	if public, err = public.normal(held); err != nil {
		return err
	}
	own, err := decodeSecrets(plain, held)
	if err != nil {
		return err
	}
	v, dataKey, err := sealNew(password, params, public, plain)
	if err == nil {
		err = save(s.disk, s.path, change{nil, v, dataKey, false, s.options.now()})
	}
	if err != nil {
		own.Wipe()
		clear(dataKey)
		return err
	}
	s.tries.reset() // of an earlier wallet of this name
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = v
	s.holdLocked(dataKey, own)
	return nil
}
