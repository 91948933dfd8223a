package keystore

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"billfold/ledger"
)

// Contents is everything in a key file, for changing it in Update.
type Contents struct {
	Public  Public
	Secrets *Secrets
}

// AddAccount puts an account in the list of this wallet's accounts, or renames it there.
func (c *Contents) AddAccount(id ledger.AccountID, name string) {
	for i := range c.Public.Accounts {
		if c.Public.Accounts[i].ID == id {
			c.Public.Accounts[i].Name = name
			return
		}
	}
	c.Public.Accounts = append(c.Public.Accounts, Account{id, name})
}

// RemoveAccount takes an account off the list; its keys stay.
func (c *Contents) RemoveAccount(id ledger.AccountID) {
	c.Public.Accounts = slices.DeleteFunc(c.Public.Accounts, func(a Account) bool { return a.ID == id })
}

// AddKey keeps a copy of key and notes that it was imported for an account.
func (c *Contents) AddKey(account ledger.AccountID, key ledger.PrivateKey) error {
	public, err := c.Secrets.AddKey(key)
	if err != nil {
		return err
	}
	c.Public.addAccountKey(account, public)
	return nil
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

// Format never shows the secrets, whatever the verb.
func (c Contents) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "(contents hidden)") }

// Update lets fn change a copy of the contents and saves it before it returns;
// if nothing was changed only the folder is synced. fn should be quick, and must not
// keep the contents or call what changes the store. If fn or the save fails,
// file and memory are as before.
//
// Errors: ErrLocked, that of fn as it is, ErrInvalid, ErrChain when a known
// chain id was changed, ErrChanged when another program wrote the file, and
// those of the disk.
func (s *Store) Update(fn func(*Contents) error) error {
	s.changes.Lock()
	defer s.changes.Unlock()
	m, dataKey, locks := s.state()
	if dataKey == nil {
		return lockedError()
	}
	defer clear(dataKey)
	before, err := m.open(dataKey)
	if err != nil {
		return err
	}
	defer clear(before)
	c := Contents{Public: m.public.clone()}
	if c.Secrets, err = decodeSecrets(before); err != nil {
		return err
	}
	work := c.Secrets // fn may put another one in its place
	defer work.Wipe()
	if err := fn(&c); err != nil {
		return err
	}
	after, err := c.Secrets.encode()
	if err != nil {
		return err
	}
	defer clear(after)
	return s.store(m, c.Public, before, after, dataKey, locks)
}

// store saves changed contents and takes them into memory.
func (s *Store) store(m *image, public Public, before, after, dataKey []byte, locks uint64) error {
	if err := m.public.CheckChain(public.ChainID); err != nil {
		return err
	}
	secrets, err := decodeSecrets(after)
	if err != nil {
		return err
	}
	if public, err = public.normal(secrets.PublicKeys()); err != nil {
		secrets.Wipe()
		return err
	}
	next := m
	if bytes.Equal(before, after) && samePublic(m, public) {
		err = s.settle()
	} else if next, err = sealImage(m.kdf, m.wrapped, public, after, dataKey); err == nil {
		err = save(s.volume, s.path, change{m, next, dataKey, false, s.options.now()})
	}
	if err != nil {
		secrets.Wipe()
		return err
	}
	s.adopt(next, secrets, locks)
	return nil
}

// settle makes what is read from the file last. The program that wrote it may
// have been killed before it could; nobody must rely on that file before.
func (s *Store) settle() error {
	if err := s.volume.SyncFolder(filepath.Dir(s.path)); err != nil {
		return fileError("saved", s.path, err)
	}
	return nil
}

func samePublic(m *image, public Public) bool {
	head, err := encodeHeader(m.kdf, m.wrapped, &public)
	return err == nil && bytes.Equal(head, m.head)
}

// adopt takes saved contents into memory. Keys that were there before stay the
// same objects, so that one that was handed out is not wiped under its user.
func (s *Store) adopt(m *image, next *Secrets, locks uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.image = m
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
