package keystore

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"billfold/ledger"
)

// Contents is everything in a key file, to be changed in Update.
type Contents struct {
	Public  Public
	Secrets *Secrets
}

// AddAccount adds an account to the list of this wallet's accounts, or renames it there.
func (c *Contents) AddAccount(id ledger.AccountID, name string) {
	for i := range c.Public.Accounts {
		if c.Public.Accounts[i].ID == id {
			c.Public.Accounts[i].Name = name
			return
		}
	}
	c.Public.Accounts = append(c.Public.Accounts, Account{id, name})
}

// RemoveAccount removes an account from the list; its keys stay.
func (c *Contents) RemoveAccount(id ledger.AccountID) {
	c.Public.Accounts = slices.DeleteFunc(c.Public.Accounts, func(a Account) bool { return a.ID == id })
}

// AddKey keeps a copy of key and records that it was imported for an account.
func (c *Contents) AddKey(account ledger.AccountID, key ledger.PrivateKey) error {
	public, err := c.Secrets.AddKey(key)
	if err != nil {
		return err
	}
	c.Public.addAccountKey(account, public)
	return nil
}

// RemoveWaiting removes the registrations that done reports to be done.
func (c *Contents) RemoveWaiting(done func(Registration) bool) {
	c.Public.Waiting = slices.DeleteFunc(c.Public.Waiting, done)
}

func (p *Public) addAccountKey(account ledger.AccountID, key ledger.PublicKey) {
	i := slices.IndexFunc(p.AccountKeys, func(k AccountKeys) bool { return k.Account == account })
	if i < 0 {
		p.AccountKeys = append(p.AccountKeys, AccountKeys{account, []ledger.PublicKey{key}})
		return
	}
	if !slices.Contains(p.AccountKeys[i].Keys, key) {
		p.AccountKeys[i].Keys = append(p.AccountKeys[i].Keys, key)
	}
}

// Format writes a placeholder instead of the secrets.
func (c Contents) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(contents hidden)") }

// Update lets fn change a copy of the contents and saves it before it returns; if nothing was changed, only the folder
// is synced. fn should be quick, and must not keep the contents or call anything that changes the store. If fn or the
// save fails, file and memory are as before.
//
// Errors: ErrLocked, that of fn as it is, ErrInvalid, ErrChain if a known chain id was changed, ErrChanged if another
// program wrote the file, and those of the disk.
func (s *Store) Update(fn func(*Contents) error) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	v, dataKey, locks := s.state()
	if dataKey == nil {
		return lockedError()
	}
	defer clear(dataKey)
	defer limitGarbage(len(v.raw))()
	before, err := v.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(before)
	c := Contents{Public: v.public.clone()}
	if c.Secrets, err = decodeSecrets(before, v.public.Keys); err != nil {
		return err
	}
	work := c.Secrets // fn may put another one in its place
	defer func() { work.Wipe() }()
	if err := fn(&c); err != nil {
		return err
	}
	after, err := c.Secrets.encode()
	if err != nil {
		return err
	}
	defer clear(after)
	held := c.Secrets.PublicKeys()
	work.Wipe()
	c.Secrets, work = nil, nil // those of 100,000 keys take 20 MB
	return s.store(v, c.Public, held, before, after, dataKey, locks)
}

// store saves changed contents and then keeps them in memory.
func (s *Store) store(
	v *fileVersion, changed Public, held []ledger.PublicKey, before, after, dataKey []byte, locks uint64,
) error {
	if err := v.public.CheckChain(changed.ChainID); err != nil {
		return err
	}
	secrets, err := decodeSecrets(after, held)
	if err != nil {
		return err
	}
	public, err := changed.normal(held)
	if err != nil {
		secrets.Wipe()
		return err
	}
	next := v
	if bytes.Equal(before, after) && v.public.equal(public) {
		err = s.syncFolder()
	} else if next, err = sealFile(v.kdf, v.wrapped, public, after, dataKey); err == nil {
		releaseMemory(len(next.raw))
		err = save(s.disk, s.path, change{v, next, dataKey, false, s.options.now()})
	}
	if err != nil {
		secrets.Wipe()
		return err
	}
	s.adopt(next, secrets, locks)
	return nil
}

// adopt keeps saved contents in memory. Keys that were there before stay the same objects, so that a returned key is
// not wiped while in use.
func (s *Store) adopt(v *fileVersion, next *Secrets, locks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file = v
	if s.locks != locks {
		next.Wipe()
		return
	}
	for public, key := range next.keys {
		if old, held := s.secrets.keys[public]; held {
			key.Wipe()
			next.keys[public] = old
			delete(s.secrets.keys, public)
		}
	}
	s.secrets.Wipe()
	s.holdLocked(s.dataKey, next)
}

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
