package vault

import "billfold/walletcore/ledgerview"

// Ownership is what the keys of this wallet may do for an account, according to the account's authorities on the ledger.
// Under which account a key was filed does not matter.
type Ownership int

// What the wallet's keys may do for an account.
const (
	OwnershipUnknown Ownership = iota // the authorities have not been read yet
	OwnershipWatch                    // no key of the wallet counts
	OwnershipPartial                  // some count, but others have to sign as well
	OwnershipFull                     // they satisfy the active authority, nested accounts included
	OwnershipMissing                  // the ledger has no such account: it was reset, or the wallet is of another one
)

// String returns the ownership in words.
func (o Ownership) String() string {
	switch o {
	case OwnershipWatch:
		return "watch only"
	case OwnershipPartial:
		return "signs together with others"
	case OwnershipFull:
		return "can sign"
	case OwnershipMissing:
		return "not on this ledger"
	case OwnershipUnknown:
	}
	return "not checked yet"
}

// OwnAccount is an account on this wallet's list.
type OwnAccount struct {
	ledgerview.AccountRef
	Ownership Ownership // as of the latest block checked in this run
}

// CanSign reports whether the wallet's keys alone may act for the account.
func (a OwnAccount) CanSign() bool { return a.Ownership == OwnershipFull }
