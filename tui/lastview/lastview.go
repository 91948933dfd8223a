// Package lastview remembers between two runs of the UI where a person was: the account in focus, and the newest row of each
// account that was on screen.
//
// This is kept in a small file beside the wallet, not in the store: it belongs to this terminal, and servers that share a store
// have none. It holds ids of accounts and rows, which are public on the ledger. If the file is lost or cannot be read, a new one is
// started, and nothing else is lost.
package lastview

import (
	"encoding/json"
	"os"
	"sync"
	"time"

	"billfold/ledger"
	"billfold/osfile"
)

// Name is the name of the file.
const Name = "visits.json"

// View is the last view of an account: its time, and the newest row that the account had then.
type View struct {
	Row ledger.HistoryID `json:"row"`
	At  time.Time        `json:"at"`
}

// chain holds what is remembered about one ledger.
type chain struct {
	Focus    ledger.AccountID          `json:"focus"`
	Accounts map[ledger.AccountID]View `json:"accounts"`
}

// Views are the last views of one wallet. They are safe for concurrent use.
type Views struct {
	path string
	mu   sync.Mutex
	by   map[string]chain // by chain id
}

// Open reads the file at path; if path is empty, they are forgotten when the program ends.
func Open(path string) *Views {
	v := &Views{path: path, by: map[string]chain{}}
	if path == "" {
		return v
	}
	if text, err := os.ReadFile(path); err == nil && json.Unmarshal(text, &v.by) != nil {
		v.by = map[string]chain{}
	}
	return v
}

// Focus returns the account that was last in focus; 0 if none was.
func (v *Views) Focus(id ledger.ChainID) ledger.AccountID {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.by[id.String()].Focus
}

// SetFocus remembers the account in focus.
func (v *Views) SetFocus(id ledger.ChainID, account ledger.AccountID) error {
	return v.change(id, func(c *chain) { c.Focus = account })
}

// Last returns the last view of an account; false if there was none.
func (v *Views) Last(id ledger.ChainID, account ledger.AccountID) (View, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	last, ok := v.by[id.String()].Accounts[account]
	return last, ok
}

// Note remembers a view.
func (v *Views) Note(id ledger.ChainID, account ledger.AccountID, now View) error {
	return v.change(id, func(c *chain) { c.Accounts[account] = now })
}

func (v *Views) change(id ledger.ChainID, with func(*chain)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	c := v.by[id.String()]
	if c.Accounts == nil {
		c.Accounts = map[ledger.AccountID]View{}
	}
	with(&c)
	v.by[id.String()] = c
	if v.path == "" {
		return nil
	}
	text, err := json.Marshal(v.by)
	if err != nil {
		return err
	}
	return osfile.Replace(v.path, text)
}
