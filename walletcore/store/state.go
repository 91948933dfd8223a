package store

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"billfold/ledger"
)

// State is how far a payment has come, as stored.
type State string

// The states of a payment.
const (
	Prepared     State = "prepared"     // signed and stored; perhaps sent
	Sent         State = "sent"         // accepted by a daemon
	InBlock      State = "in_block"     // in a block that may still be forked away
	Irreversible State = "irreversible" // final: it happened
	Unknown      State = "unknown"      // sent, but not answered
	Rejected     State = "rejected"     // final: never sent, or refused and proven not to have happened
	Expired      State = "expired"      // final: proven not to have happened
)

// Final reports whether the state is final.
func (s State) Final() bool { return s == Irreversible || s == Rejected || s == Expired }

// CanBecome reports whether a payment in state s may become next. Rejected without a proof is for payments that nobody
// sent, so it follows Prepared only. If a block holds the payment nevertheless, the block is right.
func (s State) CanBecome(next State) bool {
	switch s {
	case Prepared:
		return true
	case Sent, InBlock, Unknown:
		return next != Prepared && next != Rejected
	case Rejected:
		return next == Rejected || next == InBlock || next == Irreversible
	case Irreversible, Expired:
	}
	return next == s
}

// states returns all states.
func states() [7]State {
	return [...]State{Prepared, Sent, InBlock, Irreversible, Unknown, Rejected, Expired}
}

// canFollow reports whether a payment in state before may become e.
func (e *Entry) canFollow(before State) bool {
	return before.CanBecome(e.State) || e.State == Rejected && e.Proven && !before.Final()
}

// Entry is one payment.
type Entry struct {
	ID              ledger.TransactionID
	Chain           ledger.ChainID // chain that it is signed for; zero in entries of version 1
	Key             string         // the caller's request key; "" = none
	Request         string         // mark of the request made under that key, which only the wallet's keys can make; "" in old entries
	State           State
	Bytes           []byte      // the signed transaction, packed
	Expiration      ledger.Time // UTC seconds
	RefBlock        uint32      // block that it refers to: it cannot be in this block or an earlier one
	Block           uint32      // the block it is in; 0 = none known
	TrxInBlock      uint32      // block that it is in; 0 = none known
	Code            string      // fault code, if rejected
	Reason          string      // why rejected, unknown or expired
	Proven          bool        // it is rejected, and proven to be in no block that could hold it
	LastProven      uint32      // last block that was proven irreversible when it was signed; 0 = none, or unknown
	Prepared        time.Time
	Sent            time.Time // zero until a daemon was asked
	InBlock         time.Time // when the block was seen
	FinalAt         time.Time // head block's time when it was seen to be irreversible; zero: not yet, or unknown
	Owner           string    // server that follows it; "" if the journal is one program's alone
	Origin          Origin
	FoundGeneration int64 // of a new payment: generation whose found payments it was compared with; 0 = with none
}

// Origin is how an entry came to be.
type Origin int64

// The origins.
const (
	Made     Origin = iota // the wallet made it
	Found                  // found on the ledger after the store had lost it; its request key is unknown
	Claimed                // found, and since claimed for a request key, or for none
	Answered               // claimed, and returned to a request under its key
)

// ErrKeyTaken means that a request key belongs to another payment already.
var ErrKeyTaken = errors.New("this request key was used for another payment")

// ErrBadKey means that a text cannot be a request key.
var ErrBadKey = fmt.Errorf("a request key is text in UTF-8 of at most %d bytes, without a NUL", LongestKey)

// LongestKey is the maximum length of a request key, in bytes.
const LongestKey = 200

// IsKey reports whether text can be a request key: not every database stores every byte.
func IsKey(text string) bool {
	return len(text) <= LongestKey && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// ErrIDTaken means that this very transaction was written before.
var ErrIDTaken = errors.New("this transaction is in the journal already")

// ErrNotFound means that there is no such payment.
var ErrNotFound = errors.New("there is no such payment in the journal")

// RefusedError names the payments that Update left unchanged, because the journal knows better or
// does not have them. The others were written.
type RefusedError struct {
	IDs []ledger.TransactionID
	Why error // why the first was refused
}

func (e *RefusedError) Error() string { return e.Why.Error() }

// Unwrap returns why the first was refused.
func (e *RefusedError) Unwrap() error { return e.Why }
