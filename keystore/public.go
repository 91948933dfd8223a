package keystore

import (
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"billfold/ledger"
)

// Public holds what can be read while the wallet is locked. It is authenticated together with the keys, but only at
// unlock; until then it is merely what the file claims.
type Public struct {
	ChainID     ledger.ChainID     `json:"chain_id"`     // zero = not known yet
	Accounts    []Account          `json:"accounts"`     // the accounts of this wallet, ascending ids
	AccountKeys []AccountKeys      `json:"account_keys"` // which keys were imported for which account, ascending ids
	Keys        []ledger.PublicKey `json:"keys"`         // all keys, by ledger.ComparePublicKeys; set by the store

	// Journal is the identity of the payment journal that belongs to the keys: a different or missing one is noticed
	// before anything is spent. "" in files of version 1.
	Journal string `json:"journal,omitempty"`

	// Waiting are the accounts that others were asked to register with keys of this wallet, ascending names. Files of
	// versions 1 and 2 have none.
	Waiting []Registration `json:"waiting,omitempty"`
}

// Registration is an account that somebody else registers: its name, which may be left to them, and its public keys.
type Registration struct {
	Name   string           `json:"name"`
	Owner  ledger.PublicKey `json:"owner"`
	Active ledger.PublicKey `json:"active"`
	Memo   ledger.PublicKey `json:"memo"`
}

// Account is an account of this wallet, or one that it only watches.
type Account struct {
	ID   ledger.AccountID `json:"id"`
	Name string           `json:"name"`
}

// AccountKeys lists the keys that were imported for an account (extra_keys of
// the reference, docs/protocol/wallet-file.md 1), sorted by ledger.ComparePublicKeys.
type AccountKeys struct {
	Account ledger.AccountID   `json:"account"`
	Keys    []ledger.PublicKey `json:"keys"`
}

// maxText limits names; the ledger's own limit is 63 characters.
const maxText = 256

// clone returns a deep copy.
func (p Public) clone() Public {
	p.Accounts = slices.Clone(p.Accounts)
	p.Keys = slices.Clone(p.Keys)
	p.Waiting = slices.Clone(p.Waiting)
	p.AccountKeys = slices.Clone(p.AccountKeys)
	for i := range p.AccountKeys {
		p.AccountKeys[i].Keys = slices.Clone(p.AccountKeys[i].Keys)
	}
	return p
}

// equal reports whether both are the same in a file. Both must be in the order in which they are stored.
func (p Public) equal(other Public) bool {
	return p.ChainID == other.ChainID && p.Journal == other.Journal && slices.Equal(p.Waiting, other.Waiting) &&
		slices.Equal(p.Accounts, other.Accounts) && slices.Equal(p.Keys, other.Keys) &&
		slices.EqualFunc(p.AccountKeys, other.AccountKeys, func(a, b AccountKeys) bool {
			return a.Account == b.Account && slices.Equal(a.Keys, b.Keys)
		})
}

// withoutLists returns p with empty lists.
func (p Public) withoutLists() *Public {
	p.Accounts, p.AccountKeys, p.Keys = []Account{}, []AccountKeys{}, []ledger.PublicKey{}
	return &p
}

// normal returns a deep copy in the one order in which it is stored.
func (p Public) normal(held []ledger.PublicKey) (Public, error) {
	p = p.clone()
	slices.SortFunc(p.Accounts, func(a, b Account) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(p.Waiting, func(a, b Registration) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(p.AccountKeys, func(a, b AccountKeys) int { return cmp.Compare(a.Account, b.Account) })
	for i := range p.AccountKeys {
		sortKeys(&p.AccountKeys[i].Keys)
	}
	p.Keys = held
	if p.Accounts == nil {
		p.Accounts = []Account{}
	}
	if p.AccountKeys == nil {
		p.AccountKeys = []AccountKeys{}
	}
	return p, p.check()
}

func sortKeys(keys *[]ledger.PublicKey) {
	slices.SortFunc(*keys, ledger.ComparePublicKeys)
	*keys = slices.Compact(*keys)
	if *keys == nil {
		*keys = []ledger.PublicKey{}
	}
}

// check refuses what would not be read back from the file unchanged.
func (p Public) check() error {
	for i, a := range p.Accounts {
		if i > 0 && a.ID <= p.Accounts[i-1].ID {
			return invalidError(fmt.Sprintf("account %s is listed twice", a.ID))
		}
		if len(a.Name) > maxText || !utf8.ValidString(a.Name) {
			return invalidError(fmt.Sprintf("the name of account %s is too long or not valid text", a.ID))
		}
	}
	for i, r := range p.Waiting {
		if i > 0 && r.Name <= p.Waiting[i-1].Name {
			return invalidError(fmt.Sprintf("the registration of %q is listed twice", r.Name))
		}
		if len(r.Name) > maxText || !utf8.ValidString(r.Name) {
			return invalidError("the name of a waiting account is too long or not valid text")
		}
	}
	for i, k := range p.Keys {
		if i > 0 && ledger.ComparePublicKeys(p.Keys[i-1], k) >= 0 {
			return invalidError("its keys are not in order")
		}
	}
	for i, k := range p.AccountKeys {
		if i > 0 && k.Account <= p.AccountKeys[i-1].Account {
			return invalidError(fmt.Sprintf("the keys of account %s are listed twice", k.Account))
		}
	}
	return nil
}

// KeysOf returns the keys that were imported for an account.
func (p Public) KeysOf(account ledger.AccountID) []ledger.PublicKey {
	for _, k := range p.AccountKeys {
		if k.Account == account {
			return slices.Clone(k.Keys)
		}
	}
	return nil
}

// CheckChain refuses a daemon, or a file, of another chain. A wallet that knows
// no chain yet belongs to any. The error is an ErrChain.
func (p Public) CheckChain(chain ledger.ChainID) error {
	if p.ChainID == (ledger.ChainID{}) || p.ChainID == chain {
		return nil
	}
	return &Error{Kind: ErrChain,
		Message: fmt.Sprintf("The wallet belongs to the chain %s, not to %s", p.ChainID, chain),
		Hint:    "use a daemon of the wallet's chain, or another wallet file"}
}
