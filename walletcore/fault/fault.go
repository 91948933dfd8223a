package fault

import (
	"encoding/json"
	"errors"
	"strings"

	"billfold/ledger"
	"billfold/walletcore/database"
)

// Error is the one form in which the wallet reports a fault.
type Error struct {
	Code    Code
	Op      string          // the wallet operation, such as "transfer"
	Message string          // one sentence: what happened, to what
	Hint    string          // what to do next; may be empty
	Meant   string          // what this wallet knows under a similar name, for its own people: no program is sent it; mostly empty
	Data    json.RawMessage // the daemon's own error, if there was one
	Err     error           // the cause, for errors.Is and errors.As

	Journal   bool // the payment journal is at fault; billfold journal status shows how to go on
	Unsettled bool // of a payment: its bytes may be out, so it may still happen, and must not be made again

	RequestKey KeyUse // of a payment under a request key: which key may be used from now on
}

// KeyUse says what a program that failed to pay under a request key may do with that key.
type KeyUse string

// A program that follows them pays exactly once.
const (
	KeySame  KeyUse = "same"  // repeat the same request under the same key, and under no other: it is paid once
	KeyNew   KeyUse = "new"   // the payment did not happen and never will; this key gets this answer for ever, a new one pays
	KeyTaken KeyUse = "taken" // the key belongs to a request with other content, about which this error says nothing
)

// ForKey returns err as the error of a payment under a request key. Unless err says otherwise, the same key may be used again.
func ForKey(err error) error {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.RequestKey != "" {
		return err
	}
	said := *e
	said.RequestKey, said.Err = KeySame, err
	switch {
	case e.Code == OutcomeUnknown:
		said.Hint = "make the same request again under the same request key, and under no other: it is paid once, " +
			"and the answer says what came of it"
	case e.Unsettled:
	case e.Code == DaemonAway:
		said.Hint = "nothing was sent; make the same request again under the same request key when the daemon is back"
	case e.Code == DaemonStale:
		said.Hint += "; then make the same request again under the same request key"
	}
	return &said
}

// Error returns the message with its hint.
func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + " (" + e.Hint + ")"
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// DiskFull reports whether the cause is a full disk.
func (e *Error) DiskFull() bool {
	_, full := errors.AsType[*database.FullError](e.Err)
	return full
}

// CodeOf returns the code of err; Internal if it is not an Error.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// MeantBy returns which name that this wallet knows was perhaps meant where err names none; empty if none is near.
func MeantBy(err error) string {
	var e *Error
	for errors.As(err, &e) {
		if e.Meant != "" {
			return e.Meant
		}
		err = e.Err
	}
	return ""
}

// NothingSpent reports whether err proves that the payment was not made and that nobody holds its signed bytes. An
// unsettled error proves nothing, whatever its code: a daemon that says it refused a payment had its bytes.
func NothingSpent(err error) bool {
	if e, ok := errors.AsType[*Error](err); ok && e.Unsettled {
		return false
	}
	row, known := RowOf(CodeOf(err))
	return known && row.NothingSpent
}

// Quote returns somebody else's text between quotes, shortened, and without anything that could act on a terminal or a
// log. Quotes in it become single ones, so that it ends where it seems to. A secret, which stands in the wrong place then, is not shown.
func Quote(text string) string {
	const most = 80
	if secret := ledger.SecretIn(text[:min(len(text), 16*most)]); secret != "" {
		return "(" + secret + ", not shown)"
	}
	out := strings.Map(func(r rune) rune {
		switch {
		case r < ' ', r == 0x7f:
			return '?'
		case strings.ContainsRune("\"“”„‟«»", r):
			return '\''
		}
		return r
	}, text)
	if runes := []rune(out); len(runes) > most {
		out = string(runes[:most]) + "…"
	}
	return `"` + out + `"`
}

// Address returns a daemon's address without anything that could act on a terminal.
func Address(url string) string {
	text := Quote(url)
	return text[1 : len(text)-1]
}
