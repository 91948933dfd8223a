package store

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"billfold/ledger"
)

// State is where a payment stands, as it is written in the file.
type State string

// The states of a payment.
const (
	Prepared     State = "prepared"     // signed and written here; perhaps sent
	Sent         State = "sent"         // taken by a daemon
	InBlock      State = "in_block"     // in a block that may still be forked away
	Irreversible State = "irreversible" // final: it happened
	Unknown      State = "unknown"      // sent, no answer
	Rejected     State = "rejected"     // final: never sent, or refused and proven not to have happened
	Expired      State = "expired"      // final: proven not to have happened
)

// Final reports whether the state of the payment is final.
func (s State) Final() bool { return s == Irreversible || s == Rejected || s == Expired }

// CanBecome reports whether a payment in state s may become next. Rejected without a proof is for those
// that nobody sent, so it follows Prepared alone; if a block holds the payment nevertheless, the
// block is right.
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

// states are all of them.
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
	Chain           ledger.ChainID // the chain it is signed for; zero in entries of version 1
	Key             string         // the caller's request key; "" = none
	Request         string         // what was asked under that key, as a mark that only the wallet's keys can make; "" in old entries
	State           State
	Bytes           []byte      // the signed transaction, packed
	Expiration      ledger.Time // UTC seconds
	RefBlock        uint32      // the head block when it was signed: it cannot be in this one or earlier
	Block           uint32      // the block it is in; 0 = none known
	TrxInBlock      uint32
	Code            string // kind of the fault, when rejected
	Reason          string // why rejected, unknown or expired
	Proven          bool   // it is rejected, and no block that could hold it does
	LastProven      uint32 // the last block that was proven irreversible when it was signed; 0 = none was, or not known
	Prepared        time.Time
	Sent            time.Time // zero when no daemon was asked yet
	InBlock         time.Time // when the block was seen
	FinalAt         time.Time // of the head block when it was seen to be irreversible; zero: not yet, or not known
	Owner           string    // the server that follows it; "" where one program has the journal for itself
	Origin          Origin
	FoundGeneration int64 // of a new one: the generation whose found payments it was compared with; 0 = with none
}

// Origin is where an entry comes from.
type Origin int64

// The origins.
const (
	Made     Origin = iota // the wallet made it
	Found                  // it was found on the ledger after the store had lost it: its request key is not known
	Claimed                // it was found, and somebody said whose it is
	Answered               // and who asked under its key has been told of it
)

// ErrKeyTaken means that a request key belongs to another payment already.
var ErrKeyTaken = errors.New("this request key was used for another payment")

// ErrBadKey means that a text cannot be a request key.
var ErrBadKey = fmt.Errorf("a request key is text in UTF-8 of at most %d bytes, without a NUL", LongestKey)

// LongestKey is how long a request key may be, in bytes.
const LongestKey = 200

// IsKey reports whether a text can be a request key: not every database keeps every byte.
func IsKey(text string) bool {
	return len(text) <= LongestKey && utf8.ValidString(text) && !strings.ContainsRune(text, 0)
}

// ErrIDTaken means that this same transaction was written before.
var ErrIDTaken = errors.New("this transaction is in the journal already")

// ErrNotFound means that there is no such payment.
var ErrNotFound = errors.New("there is no such payment in the journal")

// RefusedError names the payments that Update left as they are, because the
// journal knows better or does not know them. The others were written.
type RefusedError struct {
	IDs []ledger.TransactionID
	Why error // of the first
}

func (e *RefusedError) Error() string { return e.Why.Error() }

// Unwrap returns why the first was refused.
func (e *RefusedError) Unwrap() error { return e.Why }
