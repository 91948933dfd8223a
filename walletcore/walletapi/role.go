package walletapi

import (
	"fmt"
	"slices"
)

// Reach is the part of the wallet that a method can see or change. An undeclared reach
// counts as ReachWallet.
type Reach int

// The reaches.
const (
	ReachUndeclared Reach = iota
	ReachWallet           // all accounts and payments of the wallet, its lock, keys or password
	ReachChain            // only what the ledger shows to everybody, or nothing at all
	ReachAccount          // the account named by the parameter of RoleAccount
)

// Role is the meaning of a parameter to permissions. A method has at most one parameter of each role.
type Role int

// The roles, each with the word of its tag.
const (
	RoleNone        Role = iota
	RoleAccount          // "account": name or id of the account that is acted for
	RoleDestination      // "destination": account name or id, or content id, that is paid
	RoleAsset            // "asset": symbol or id
	RoleAmount           // "amount": decimal text in the asset's precision
	RoleRequestKey       // "request_key": makes a repeated call act once
	RoleBroadcast        // "broadcast": "true" or "false": false only signs
	RolePayment          // "payment": transaction id or request key of a payment of this wallet
	RoleDryRun           // "dry_run": "true" only reports what the call would do
	RoleExport           // "export": other than "0" returns what would be signed as a file, for others to sign
	RoleApproved         // "approved": what a dry run answered and somebody approved; nothing else is signed
)

// roleWords returns the words of the roles' tags, in their order.
func roleWords() []string {
	return []string{"", "account", "destination", "asset", "amount", "request_key", "broadcast", "payment", "dry_run", "export", "approved"}
}

// roleNamed returns the role of a tag. It panics on a misspelt one, when the table is made.
func roleNamed(word string) Role {
	i := slices.Index(roleWords(), word)
	if i < 0 {
		panic(fmt.Sprintf("walletapi: %q is not a role", word))
	}
	return Role(i)
}
