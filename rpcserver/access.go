package rpcserver

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Authenticator identifies programs by what they send as Authorization. Authenticate is
// called with the credential of a request, "" where there is none, and where it
// comes from (the zero address on the unix socket). Its error is told to the
// client and should be a *Denied.
type Authenticator interface {
	Authenticate(credential string, from netip.Addr) (Principal, error)
}

// Principal is a program that was let in: for one HTTP request, or for as long as
// its websocket is open.
type Principal interface {
	// Name is for the log.
	Name() string
	// Check reports whether the principal is still welcome; its error says why not.
	Check() error
	// Authorize decides about one call.
	Authorize(ctx context.Context, method string, params Params) (Grant, error)
}

// Grant is what a principal may do in one call.
type Grant struct {
	Params        Params      // the call is made with these
	RecordOutcome func(error) // is called when the call has ended, nil for a result
	Asks          Asks        // what the principal's own rules say about asking a person
	Why           string      // the rule
}

// Asks reports whether a person is asked about a spend.
type Asks int

// The ways.
const (
	AsPolicy Asks = iota // as the wallet's policy says
	Always               // unless the policy denies it anyway
	Never                // unless the policy denies it anyway
)

// Decider decides about calls, whoever makes them.
type Decider interface {
	// Decide is asked about a permitted call. The call is made with the
	// parameters it gives, which may name who has to agree to what will be signed;
	// recordOutcome is told how it ended. Its error is sent to the client.
	Decide(ctx context.Context, by Asking, method string, params Params) (with Params, recordOutcome func(error), err error)
	// Refused is told of a call that its principal may not make, and why.
	Refused(ctx context.Context, by Asking, method string, params Params, why error)
}

// Asking is who makes a call, for those who decide and for their log.
type Asking struct {
	Who  string // the principal's name, "anybody" without an authenticator
	Via  string // "HTTP", "websocket" or "unix socket"
	From string // the address of another machine; "" for this one
	Asks Asks   // by the principal's own rules for this call
	Why  string // that rule

	Still func() error // reports why the principal is not welcome any more; nil without an authenticator

	session uint64          // the number of its websocket in the traffic; 0 = none, or nobody looks on
	outside func(do func()) // runs do without a place among the running calls
}

// Await runs what waits for a person; meanwhile the call takes up no place among
// those that run.
func (a Asking) Await(do func()) {
	if a.outside == nil {
		do()
		return
	}
	a.outside(do)
}

func askingOf(r *http.Request, v Principal, via string) Asking {
	by := Asking{Who: nameOf(v), Via: via}
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

// credential returns what the client proves itself with: a bearer token, or the
// password of basic authentication, whose user name does not matter. "" when
// there is none, or more than one.
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
