package authority

import (
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Required are the authorities that a transaction needs (docs/protocol/serialization.md 5).
type Required struct {
	Active, Owner []ledger.AccountID // ascending, each once
	Other         []ledger.Authority
}

// Accounts returns the accounts whose active or owner authority is needed.
func (r Required) Accounts() []ledger.AccountID { return slices.Concat(r.Active, r.Owner) }

// Missing returns the fault for a required account that does not exist, or nil.
func (r Required) Missing(l Ledger) *nodeerr.Error {
	for _, id := range r.Accounts() {
		if l.Accounts.Get(id) == nil {
			return nodeerr.NotFound(id.Object())
		}
	}
	return nil
}

// Accounts finds accounts by id.
type Accounts interface {
	// Get returns the account, or nil if there is none.
	Get(id ledger.AccountID) *ledger.Account
}

// Ledger is the source of authorities.
type Ledger struct {
	Accounts Accounts
	Depth    int // levels of nested accounts, max_authority_depth
}

// Ascending sorts the list in place and returns it without duplicates.
func Ascending(list []ledger.AccountID) []ledger.AccountID {
	slices.Sort(list)
	return slices.Compact(list)
}
