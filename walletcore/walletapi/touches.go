package walletapi

import (
	"fmt"
	"strings"
)

// Touches is the set of what an operation does, declared once in its entry.
// Policy, tokens, approval and the audit log decide by it and by Reach alone.
// An operation that declares nothing touches everything.
type Touches uint8

// What an operation may touch.
const (
	Reads      Touches = 1 << iota // returns what the ledger or the wallet knows; changes nothing
	Writes                         // changes what the wallet keeps besides keys and payments, such as a deposit cursor
	Signs                          // signs with a private key, whether it is sent or not
	Spends                         // may move money or change who controls it
	Keys                           // shows or stores private keys
	Password                       // sets or changes the password
	Lock                           // locks or unlocks
	everything = 1<<iota - 1
)

// words returns the names of the kinds, in their order.
func words() []string {
	return []string{"reads", "writes", "signs", "spends", "keys", "password", "lock"}
}

// Has reports whether t holds one of kinds.
func (t Touches) Has(kinds Touches) bool { return t&kinds != 0 }

// Within reports whether t holds nothing but kinds.
func (t Touches) Within(kinds Touches) bool { return t&^kinds == 0 }

// String lists the kinds, separated by commas.
func (t Touches) String() string {
	var out []string
	for i, word := range words() {
		if t.Has(1 << i) {
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}

// ParseTouches returns the kind of a word; the s at the end may be missing.
func ParseTouches(word string) (Touches, error) {
	for i, known := range words() {
		if strings.EqualFold(word, known) || strings.EqualFold(word, strings.TrimSuffix(known, "s")) {
			return 1 << i, nil
		}
	}
	return 0, fmt.Errorf("operations cannot touch %q; write %s", word, strings.Join(words(), ", "))
}
