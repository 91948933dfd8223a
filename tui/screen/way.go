package screen

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Way is something that is done in several steps, each of which is checked: Navigate leads to it at once.
type Way int

// The ways besides those that the first page offers.
const (
	WayWatch      Way = iota + 1 // an account of others is put on the list
	WayRegister                  // an account is made
	WayBackUp                    // what is on paper is compared with the keys of an account
	WayRegistered                // what a registrar needs for the accounts that wait is shown again
)

// Steps opens a way on the page of first steps; leaving it leads back to the page Back.
type Steps struct {
	Way     Way
	Account ledgerview.AccountRef // WayBackUp: whose keys; WayRegister: who may pay the fee
	Held    []HeldKey             // WayBackUp: its keys that this wallet has
	Back    ID
}

// KeysOf are the public keys.
func KeysOf(held []HeldKey) []ledger.PublicKey {
	out := make([]ledger.PublicKey, len(held))
	for i, one := range held {
		out[i] = one.Key
	}
	return out
}

// Without parts what is held into roles whose keys are all among these, and roles where one is not.
func Without(held []HeldKey, keys []ledger.PublicKey) (with, without []string) {
	for _, one := range held {
		for role := range strings.SplitSeq(one.Roles, ", ") {
			if !slices.Contains(keys, one.Key) && !slices.Contains(without, role) {
				without = append(without, role)
			}
		}
	}
	for _, one := range held {
		for role := range strings.SplitSeq(one.Roles, ", ") {
			if !slices.Contains(without, role) && !slices.Contains(with, role) {
				with = append(with, role)
			}
		}
	}
	return with, without
}

// Lacks returns what a phrase that gives these keys does not bring back of what is held; empty where it brings all.
func Lacks(held []HeldKey, keys []ledger.PublicKey) string {
	with, without := Without(held, keys)
	if len(without) == 0 {
		return ""
	}
	gives := ""
	if len(with) > 0 {
		gives = "back as " + strings.Join(with, " and ") + ", and "
	}
	return gives + "NOT the " + strings.Join(without, " and ") + " key: write that one down too"
}

// HeldKey is a key of an account that this wallet has.
type HeldKey struct {
	Roles string // "active, memo"
	Key   ledger.PublicKey
}
