package store

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"billfold/ledger"
)

// State is the progress of a payment, as stored.
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
	Bytes           []byte      // the signed transaction, packed; none if GivenUp names the archive that had them
	Expiration      ledger.Time // UTC seconds
	RefBlock        uint32      // block that it refers to: it cannot be in this block or an earlier one
	Block           uint32      // the block it is in; 0 = none known
	TrxInBlock      uint32      // block that it is in; 0 = none known
	Code            string      // fault code, if rejected, with the number and name of the daemon's own error behind it
	Reason          string      // why rejected, unknown or expired
	Proven          bool        // it is rejected, and proven to be in no block that could hold it
	LastProven      uint32      // last block that was proven irreversible when it was signed; 0 = none, or unknown
	Prepared        time.Time
	Sent            time.Time // zero until a daemon was asked
	InBlock         time.Time // when the block was seen
	FinalAt         time.Time // head block's time when it was seen to be irreversible; zero: not yet, or unknown
	Owner           string    // server that follows it; "" if the journal is one program's alone
	Origin          Origin
	GivenUp         string // the archive that had its bytes and is lost; "" = they are known
	archive         int64  // number of the archive that has its bytes; 0 = they are here
	FoundGeneration int64  // of a new payment: generation whose found payments it was compared with; 0 = with none
}

// Origin is the source of an entry.
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

// Columns are the columns of a payment, in the order of Values.
const Columns = `id, request_key, state, bytes, expiration, ref_block, block, trx_in_block, code, reason,
	prepared_at, sent_at, in_block_at, chain, request, proven, sure_block, final_at`

// scan reads one row of the journal, as selected with Journal.columns.
func scan(row interface{ Scan(...any) error }) (e Entry, err error) {
	var id, data, chain string
	var key sql.NullString
	var expiration, ref, block, trx, prepared, sent, seen, proven, sure, final, origin int64
	if err = row.Scan(&id, &key, &e.State, &data, &expiration, &ref, &block, &trx, &e.Code, &e.Reason,
		&prepared, &sent, &seen, &chain, &e.Request, &proven, &sure, &final, &e.Owner, &origin); err != nil {
		return e, err
	}
	if e.ID, err = ledger.ParseTransactionID(id); err != nil {
		return e, err
	}
	if chain != "" {
		if e.Chain, err = ledger.ParseChainID(chain); err != nil {
			return e, err
		}
	}
	if e.archive, err = parseArchive(data); err == nil && e.archive == 0 {
		err = e.setBytes(data)
	}
	if err != nil {
		return e, err
	}
	e.Key, e.Expiration, e.RefBlock = key.String, ledger.Time(expiration), uint32(ref)
	e.Block, e.TrxInBlock, e.Proven, e.LastProven = uint32(block), uint32(trx), proven != 0, uint32(sure)
	e.Origin = Origin(origin)
	e.Prepared, e.Sent, e.InBlock, e.FinalAt = fromMillis(prepared), fromMillis(sent), fromMillis(seen), fromMillis(final)
	return e, nil
}

func (e *Entry) setBytes(packed string) (err error) {
	e.Bytes, err = hex.DecodeString(packed)
	return err
}

// Values returns the values of Columns.
func (e Entry) Values() []any {
	return []any{e.ID.String(), e.key(), string(e.State), hex.EncodeToString(e.Bytes), int64(e.Expiration), int64(e.RefBlock),
		int64(e.Block), int64(e.TrxInBlock), e.Code, e.Reason, millis(e.Prepared), millis(e.Sent), millis(e.InBlock),
		e.chain(), e.Request, e.proven(), int64(e.LastProven), millis(e.FinalAt)}
}

func (e Entry) proven() int64 {
	if e.Proven {
		return 1
	}
	return 0
}

func (e Entry) key() sql.NullString { return sql.NullString{String: e.Key, Valid: e.Key != ""} }

func (e Entry) chain() string {
	if e.Chain == (ledger.ChainID{}) {
		return ""
	}
	return e.Chain.String()
}

// millis returns t in UTC milliseconds since 1970; 0 for the zero time.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
