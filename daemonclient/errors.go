package daemonclient

import (
	"errors"
	"fmt"
	"time"

	"billfold/ledger"
)

// The errors a caller can branch on with errors.Is, to be checked in this order: one error may be ErrGarbage and
// ErrUnavailable at the same time.
var (
	// ErrWrongChain: the daemon belongs to another chain; nothing was sent to it but the handshake of every connection.
	ErrWrongChain = errors.New("the daemon belongs to another chain")
	// ErrGarbage: what the daemon (or whatever listens at its address) sends cannot be understood.
	ErrGarbage = errors.New("the daemon's answer is invalid")
	// ErrUnavailable: no answer, and no effect. For a broadcast it means the
	// transaction was never sent.
	ErrUnavailable = errors.New("the daemon is not available")
	// ErrStale: the daemon's head block is too old, or too far in the future, for it to be trusted with payments, and
	// no better daemon can be reached; the broadcast was not sent. It is always ErrUnavailable as well.
	ErrStale = errors.New("the daemon's view of the ledger is stale")
	// ErrLoginRefused: there is no login, or the daemon refuses it.
	ErrLoginRefused = errors.New("login refused")
	// ErrRunning: Run was called while another Run of the same client was still running.
	ErrRunning = errors.New("the daemon client is already running")
)

// UnavailableError reports which call got no answer, and why. To errors.Is it is ErrUnavailable, and also whatever
// broke the connection.
type UnavailableError struct {
	URL    string // the daemon's address
	Method string // the call; empty when waiting for the connection
	Err    error  // why
}

func (e *UnavailableError) Error() string {
	what := "the daemon at " + e.URL + " is not available"
	if e.Method != "" {
		what = e.Method + ": " + what
	}
	return fmt.Sprintf("%s: %v; check that it runs and that its address is right", what, e.Err)
}

// Is reports that every UnavailableError is ErrUnavailable.
func (e *UnavailableError) Is(target error) bool { return target == ErrUnavailable }

// Unwrap returns the reason.
func (e *UnavailableError) Unwrap() error { return e.Err }

// LoginError reports why there is no login. To errors.Is it is ErrLoginRefused.
type LoginError struct {
	Why string // without addresses and paths, for everybody
	Err error  // the details; may be nil
}

func (e *LoginError) Error() string {
	text := ErrLoginRefused.Error() + ": " + e.Why
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is reports that every LoginError is ErrLoginRefused.
func (e *LoginError) Is(target error) bool { return target == ErrLoginRefused }

// codeSetDenied is the daemon's error for an API set that the user may not call (protocol/daemon-api.md 7).
const codeSetDenied = 204

// StaleError reports how old the head is, or how far in the future. To errors.Is it is ErrStale.
type StaleError struct {
	URL  string
	Head ledger.BlockID
	Age  time.Duration // of the head, by this machine's clock; negative if it is in the future
}

func (e *StaleError) Error() string {
	if e.Age < 0 {
		return fmt.Sprintf(
			"its newest block is %v ahead of this machine's clock, so no payment is trusted to it (or this clock is wrong)",
			-e.Age.Round(time.Second))
	}
	return fmt.Sprintf("its newest block is %v old, so no payment is trusted to it (or this machine's clock is wrong)",
		e.Age.Round(time.Second))
}

// Is reports that every StaleError is ErrStale.
func (e *StaleError) Is(target error) bool { return target == ErrStale }

// OutcomeUnknownError means that a broadcast was sent and no answer came. The transaction may or may not get into a
// block; only its id on the chain, or its expiration, decides. The same bytes may be sent again; a new transaction must
// not be made.
type OutcomeUnknownError struct {
	Method string
	Err    error // why no answer came
}

func (e *OutcomeUnknownError) Error() string {
	return fmt.Sprintf("%s: the transaction was sent, but no answer came (%v); look its id up on the chain before paying again",
		e.Method, e.Err)
}

// Unwrap returns the reason.
func (e *OutcomeUnknownError) Unwrap() error { return e.Err }

// WrongChainError names both chains. To errors.Is it is ErrWrongChain.
type WrongChainError struct {
	URL       string
	Want, Got ledger.ChainID
}

func (e *WrongChainError) Error() string {
	return fmt.Sprintf("the daemon at %s belongs to chain %s, not to this wallet's chain %s; use a daemon of the right network",
		e.URL, e.Got, e.Want)
}

// Is reports that every WrongChainError is ErrWrongChain.
func (e *WrongChainError) Is(target error) bool { return target == ErrWrongChain }

// garbage returns an ErrGarbage that describes what was wrong.
func garbage(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrGarbage, fmt.Sprintf(format, args...))
}

var errNoSuchDaemon = errors.New("the daemon to be pinned is not in the list; use one of the addresses as configured")

var (
	errNotYet   = errors.New("it has not been reached yet")
	errStopped  = errors.New("the client was stopped")
	errReplaced = errors.New("another connection is in use now")
)

// errSilent means that calls are waiting and nothing at all is answered.
var errSilent = errors.New("the daemon stopped answering")

// FalseAnswerError means that a daemon's answer does not fit the question, or holds what no ledger can hold. To
// errors.Is it is ErrGarbage.
type FalseAnswerError struct {
	URL    string // of the daemon, without secrets
	Method string
	Why    string // what was asked and what came, printable
}

func (e *FalseAnswerError) Error() string {
	return fmt.Sprintf("the daemon at %s gave a false answer to %s: %s; use another daemon", e.URL, e.Method, e.Why)
}

// Is reports that every FalseAnswerError is ErrGarbage.
func (e *FalseAnswerError) Is(target error) bool { return target == ErrGarbage }

// ErrTooFew means that fewer daemons can be relied on than Config.Quorum requires. It is always ErrUnavailable as well.
var ErrTooFew = errors.New("too few daemons can be asked")

// ErrDisagree means that daemons gave different answers to one question (DisagreeError).
var ErrDisagree = errors.New("the daemons disagree")
