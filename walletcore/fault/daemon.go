package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"billfold/daemonclient"
)

// Daemon turns an error of the daemon client into an Error.
func Daemon(op string, err error) *Error {
	var own *Error
	var remote *daemonclient.RemoteError
	var unknown *daemonclient.OutcomeUnknownError
	e := &Error{Op: op, Err: err}
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &unknown):
		e.Code, e.Message = OutcomeUnknown, "the transaction was sent, but the connection to the daemon broke before it answered"
		e.Hint = "do not send it again; its id will show whether it happened"
	case errors.As(err, &remote):
		fillRefused(e, remote)
	case errors.Is(err, daemonclient.ErrWrongChain):
		e.Code, e.Message = WrongChain, err.Error()
	case errors.Is(err, daemonclient.ErrDisagree):
		e.Code, e.Message = DaemonsDisagree, op+": "+err.Error()
		e.Hint = "nothing was sent"
	case errors.Is(err, daemonclient.ErrTooFew):
		e.Code, e.Message = DaemonAway, op+": "+err.Error()
		e.Hint = "nothing was sent; an open wallet keeps trying"
	case errors.Is(err, daemonclient.ErrGarbage):
		e.Code, e.Message = DaemonGarbage, op+": "+err.Error()
		e.Hint = "check the daemon's address"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Code, e.Message = Canceled, op+": "+WhyEnded(err)
		e.Hint = "try again"
	case errors.Is(err, daemonclient.ErrStale):
		fillStale(e, err)
	case errors.Is(err, daemonclient.ErrUnavailable):
		e.Code, e.Message = DaemonAway, awayMessage(err)
		e.Hint = "check that the daemon runs, or name another with --daemon-url; an open wallet keeps trying"
	default:
		e.Code, e.Message = DaemonGarbage, op+": the daemon's answer is invalid: "+err.Error()
		e.Hint = "use another daemon"
	}
	return e
}

// WhyEnded returns in words why a context ended, whose error err is or wraps.
func WhyEnded(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "it timed out"
	}
	return "it was cancelled"
}

// fillStale fills e for a daemon whose view of the ledger is old.
func fillStale(e *Error, err error) {
	e.Code, e.Message = DaemonStale, "the daemon is behind"
	if s, ok := errors.AsType[*daemonclient.StaleError](err); ok {
		if s.Age < 0 {
			e.Message = fmt.Sprintf(
				"the daemon at %s says that its newest block #%d is %s in the future; nothing is paid until its time is right",
				s.URL, s.Head.Num(), Roughly(-s.Age))
			e.Hint = "nothing was sent; check this machine's clock, or choose another daemon with --daemon-url"
			return
		}
		e.Message = fmt.Sprintf("the daemon at %s is %s behind: its newest block is #%d; nothing is paid until it has caught up", s.URL,
			Roughly(s.Age), s.Head.Num())
	}
	e.Hint = "nothing was sent; choose another daemon with --daemon-url, or check this machine's clock"
}

// Roughly returns a duration in its largest whole unit of which there are at least two; otherwise in seconds.
func Roughly(d time.Duration) string {
	for _, unit := range []struct {
		name string
		size time.Duration
	}{{"days", 24 * time.Hour}, {"hours", time.Hour}, {"minutes", time.Minute}} {
		if d >= 2*unit.size {
			return fmt.Sprintf("%d %s", d/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d seconds", d/time.Second)
}

// awayMessage returns which daemon is away, and why.
func awayMessage(err error) string {
	var u *daemonclient.UnavailableError
	if !errors.As(err, &u) {
		return "no daemon answers"
	}
	return "the daemon at " + u.URL + " is not available: " + u.Err.Error()
}

// DaemonRefusal begins the message of DaemonRefused.
const DaemonRefusal = "the daemon refused: "

// fillRefused fills e from the daemon's own refusal.
func fillRefused(e *Error, r *daemonclient.RemoteError) {
	e.Code, e.Message = DaemonRefused, DaemonRefusal+r.Said()
	e.Data, _ = json.Marshal(struct {
		Code    int             `json:"code"`
		Name    string          `json:"name"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data,omitempty"`
	}{r.Code, r.Name, r.Message, r.Data})
	switch {
	case r.IsInsufficientBalance():
		e.Code, e.Hint = InsufficientBalance, "nothing was spent; choose a smaller amount"
	case r.IsMissingAuthority():
		e.Code, e.Hint = MissingAuthority, "nothing was spent; import the keys that may act for the account"
	case r.Code == codeSetDenied && !strings.Contains(r.Message, "network_node"): // that one is granted to no program as a rule
		e.Hint = "the daemon grants this only to a user: name one with --daemon-user and --daemon-password-file"
	case r.Code == codeLimitExceeded:
		e.Code, e.Hint = LimitExceeded, "ask for fewer rows at a time"
	}
}

// The node's errors for an API set that the user may not call, and for too many rows (docs/protocol/daemon-api.md 7).
const (
	codeSetDenied     = 204
	codeLimitExceeded = 208
)
