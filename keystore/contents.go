package keystore

import (
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
