package screen

import (
	"slices"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/ledgerview"
)

// Way is a flow of several steps, each of which is checked. Steps starts one directly.
type Way int

// The ways that the first page does not offer.
const (
	WayWatch      Way = iota + 1 // put an account of others on the list
	WayRegister                  // register an account
	WayBackUp                    // compare a paper backup with the keys of an account
	WayRegistered                // show again what a registrar needs for the accounts that wait for registration
)

// Steps starts a way on the page of first steps; leaving it leads back to the page Back.
type Steps struct {
	Way     Way
	Account ledgerview.AccountRef // WayBackUp: whose keys; WayRegister: who may pay the fee
	Held    []HeldKey             // WayBackUp: those of its keys that this wallet has
	Back    ID
}

// KeysOf returns the public keys of held.
func KeysOf(held []HeldKey) []ledger.PublicKey {
	out := make([]ledger.PublicKey, len(held))
	for i, one := range held {
		out[i] = one.Key
	}
	return out
}

// SplitRoles splits the roles of held in two: with are those whose keys are all among keys, without are the others.
func SplitRoles(held []HeldKey, keys []ledger.PublicKey) (with, without []string) {
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

// Unrecovered returns what a phrase that yields keys does not recover of held; empty if it recovers everything.
func Unrecovered(held []HeldKey, keys []ledger.PublicKey) string {
	with, without := SplitRoles(held, keys)
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
