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

// CheckNewPassword refuses a new password that usertext.PasswordProblem objects to. Error: ErrUnseen.
func CheckNewPassword(password string) error {
	if why := usertext.PasswordProblem(password); why != "" {
		return &Error{Kind: ErrUnseen, Message: why, Hint: "choose another one, or take it out; nothing was changed"}
	}
	return nil
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

// ChangePassword replaces the password; the new one is stored in its usertext.Normal form. The store stays locked or unlocked as it was. Salt and data key are new as
// well: somebody who knows the old password and has an old copy of the file cannot read what is added from now on. The
// earlier versions beside the file still open with the old password.
//
// Errors: ErrEmptyPassword, ErrWrongPassword, ErrTooMany, those of Open and of the disk.
func (s *Store) ChangePassword(old, new string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if new = usertext.Normal(new); old == "" || new == "" {
		return emptyPasswordError()
	}
	v, dataKey, locks := s.state()
	locked := dataKey == nil
	clear(dataKey)
	var err error
	if locked {
		if v, err = readFile(s.disk, s.path); err != nil {
			return err
		}
	}
	_, err = s.tryPassword(v, old, func(dataKey []byte) error {
		defer clear(dataKey)
		return s.rekey(v, dataKey, new, locks)
	})
	return err
}

// SetPassword replaces the password of an unlocked store without asking for
// the old one, as the reference's set_password does; otherwise it is
// ChangePassword.
//
// Errors: ErrLocked, ErrEmptyPassword, and those of the disk.
func (s *Store) SetPassword(new string) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	if new = usertext.Normal(new); new == "" {
		return emptyPasswordError()
	}
	v, dataKey, locks := s.state()
	if dataKey == nil {
		return lockedError()
	}
	defer clear(dataKey)
	return s.rekey(v, dataKey, new, locks)
}

// rekey seals the contents of v again, under a new data key and password.
func (s *Store) rekey(v *fileVersion, dataKey []byte, password string, locks uint64) error {
	defer limitGarbage(len(v.raw))()
	plain, err := v.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(plain)
	next, fresh, err := sealNew(password, s.options.raised(v.kdf.Params, aimedTime, len(v.raw)), v.public, plain)
	if err == nil {
		err = save(s.disk, s.path, change{v, next, fresh, true, s.options.now()})
	}
	if err != nil {
		clear(fresh)
		return err
	}
	s.adoptKey(next, fresh, locks)
	return nil
}

// adoptKey keeps a saved file in memory, and its data key if the store is still unlocked.
func (s *Store) adoptKey(next *fileVersion, fresh []byte, locks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = next
	if s.dataKey == nil || s.locks != locks {
		clear(fresh)
		return
	}
	clear(s.dataKey)
	unlockMemory(s.dataKey)
	s.holdLocked(fresh, s.secrets)
}
