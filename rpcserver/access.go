package rpcserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"billfold/walletcore/walletapi"
)

// Params are the parameters of one call. Exact is set for a request that says
// "jsonrpc":"2.0": surplus parameters are an error there. In other requests they are
// ignored, as the reference does.
type Params = walletapi.Params

// Caller executes wallet operations. Call must be safe for concurrent use and return
// soon after ctx has ended. The result is one JSON value; nil means null. Errors are
// *fault.Error; any other error is answered as an internal fault without its text,
// which might hold a secret. Call must not modify the raw parameters, which share
// memory with the request.
type Caller interface {
	Call(ctx context.Context, method string, params Params) (json.RawMessage, error)
}

// CallerFunc is a function used as a Caller.
type CallerFunc func(ctx context.Context, method string, params Params) (json.RawMessage, error)

// Call calls f.
func (f CallerFunc) Call(ctx context.Context, method string, params Params) (json.RawMessage, error) {
	return f(ctx, method, params)
}

// Authenticator identifies programs by their Authorization header. Authenticate receives
// the credential of a request, "" if there is none, and the client's address, which is
// the zero address on the unix socket. Its error is sent to the client and should be a
// *Denied.
type Authenticator interface {
	Authenticate(credential string, from netip.Addr) (Principal, error)
}

// Principal is an authenticated program, for one HTTP request or for as long as its
// websocket is open.
type Principal interface {
	// Name returns the name to log.
	Name() string
	// Check returns an error once the principal has lost its access.
	Check() error
	// Authorize decides whether the principal may make a call, and with which parameters.
	Authorize(ctx context.Context, method string, params Params) (Grant, error)
}

// Grant describes what a principal may do in one call.
type Grant struct {
	Params        Params      // the parameters to make the call with
	RecordOutcome func(error) // called when the call has ended, with nil if it succeeded
	Approval      Approval    // whether the principal's own rules require a person's approval
	Why           string      // the rule that decided Approval
}

// Approval is a principal's own rule on whether a person must approve a spend.
type Approval int

// The rules. The wallet's policy can deny a spend under each of them.
const (
	ApprovalByPolicy Approval = iota // the wallet's policy decides
	AlwaysAsk                        // a person is always asked
	NeverAsk                         // nobody is asked
)

// Decider applies the wallet's policy to the calls of all principals.
type Decider interface {
	// Decide is called for each call that its principal may make. The call is made with
	// the parameters Decide returns, which may name who has to approve what will be
	// signed, and recordOutcome receives its error. An error of Decide is sent to the client.
	Decide(ctx context.Context, by Requester, method string, params Params) (with Params, recordOutcome func(error), err error)
	// Refused is called for each call that its principal may not make.
	Refused(ctx context.Context, by Requester, method string, params Params, why error)
}

// Requester describes who makes a call, for the Decider and the logs.
type Requester struct {
	Who      string   // the principal's name, "anybody" without a principal
	Via      string   // "HTTP", "websocket" or "unix socket"
	From     string   // the address of another machine; "" for this one
	Approval Approval // by the principal's own rules for this call
	Why      string   // the rule that decided Approval

	Still func() error // returns an error once the principal has lost its access; nil without a principal

	session      uint64 // the number of its websocket in Traffic; 0 without one, or if there is no Traffic
	whileThere   func(context.Context) (context.Context, context.CancelFunc)
	releaseWhile func(do func()) // runs do while the call gives up its place among the running calls
}

// Await runs do, which waits for a person, with a context that ends with ctx or when the client leaves: a spend has one that does not.
// Meanwhile the call takes up no place among the running calls.
func (a Requester) Await(ctx context.Context, do func(ctx context.Context)) {
	if a.whileThere != nil {
		var stop context.CancelFunc
		ctx, stop = a.whileThere(ctx)
		defer stop()
	}
	if a.releaseWhile == nil {
		do(ctx)
		return
	}
	a.releaseWhile(func() { do(ctx) })
}

func requesterOf(r *http.Request, v Principal, via string) Requester {
	by := Requester{Who: nameOf(v), Via: via}
	if v != nil {
		by.Still = v.Check
	}
	switch from := remoteAddr(r); {
	case !from.IsValid():
		by.Via = "unix socket"
	case !from.IsLoopback():
		by.From = from.String()
	}
	return by
}

func nameOf(v Principal) string {
	if v == nil {
		return "anybody"
	}
	return v.Name()
}

// credential returns the bearer token, or the password of basic authentication,
// whose user name is ignored. It returns "" if there is no Authorization header, more
// than one, or one it cannot read.
func credential(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, rest, _ := strings.Cut(values[0], " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(scheme) {
	case "bearer":
		return rest
	case "basic":
		text, err := base64.StdEncoding.DecodeString(rest)
		if _, password, found := strings.Cut(string(text), ":"); err == nil && found {
			return password
		}
	}
	return ""
}

// showsNothing reports whether r has no credential: no Authorization header, an empty one, or one for basic authentication
// with neither a user nor a password, as clients send that were given none. Bearer without a token is a token that is missing.
func showsNothing(r *http.Request) bool {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return len(values) == 0
	}
	scheme, rest, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	rest = strings.TrimSpace(rest)
	return scheme == "" || strings.EqualFold(scheme, "basic") && (rest == "" || rest == emptyBasic)
}

// emptyBasic is ":", a user and a password that are both empty.
const emptyBasic = "Og=="

func remoteAddr(r *http.Request) netip.Addr {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Addr{}
	}
	return addr.Unmap()
}

// Denied is the error of a call that its sender may not make.
type Denied struct {
	Message string // one sentence
	Hint    string // what to do next
}

// Error returns the sentence.
func (d *Denied) Error() string { return d.Message }

// Busy is the error of a call that a limit turned away for now.
type Busy struct {
	What  string // which limit was reached: a sentence without its full stop
	After time.Duration
}

// Error returns the sentence.
func (b *Busy) Error() string { return busyText(b.What, b.After) }

func busyText(what string, after time.Duration) string {
	return what + "; try again in " + after.String() + "."
}
