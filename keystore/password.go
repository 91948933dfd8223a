package keystore

import (
	"errors"

	"billfold/ledger/usertext"
)

// CheckPassword checks the password, locked or not. Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany.
func (s *Store) CheckPassword(password string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	v, dataKey, _ := s.state()
	clear(dataKey)
	_, err := s.tryPassword(v, password, wipeKey)
	return err
}

func wipeKey(dataKey []byte) error {
	clear(dataKey)
	return nil
}

// tryPassword is the only place where a password is tried on a file: it counts the wrong ones. What was typed once is one try, in however
// many forms the file may know it. use gets the data key, and clears it unless it keeps it; form is the one that opened the file.
func (s *Store) tryPassword(v *fileVersion, password string, use func(dataKey []byte) error) (form string, err error) {
	if password == "" {
		return "", emptyPasswordError()
	}
	if !s.options.freeTries {
		if err := s.tries.countWrong(); err != nil {
			return "", err
		}
	}
	var dataKey []byte
	for _, form = range usertext.Forms(password) {
		releaseMemory(len(v.raw)) // what was read and compared must not still take memory during the try
		if dataKey, err = v.unwrap(form); !errors.Is(err, ErrWrongPassword) {
			break
		}
	}
	switch {
	case s.options.freeTries:
	case err == nil:
		s.tries.reset()
	default:
		s.tries.startWait()
	}
	if err != nil {
		return "", wrongEncoding(password, err)
	}
	return form, use(dataKey)
}
