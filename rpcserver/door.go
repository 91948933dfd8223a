package rpcserver

import (
	"context"
	"encoding/base64"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// Doorkeeper tells programs apart by what they send as Authorization. Enter is
// called with the credential of a request, "" where there is none, and where it
// comes from (the zero address on the unix socket). Its error is told to the
// client and should be a *Denied.
type Doorkeeper interface {
	Enter(credential string, from netip.Addr) (Visitor, error)
}

// Visitor is a program that was let in: for one HTTP request, or for as long as
// its websocket is open.
type Visitor interface {
	// Name is for the log.
	Name() string
	// Check tells whether the visitor is still welcome; its error says why not.
	Check() error
	// Admit decides about one call. The call is made with the parameters it
	// gives; settle is told how it ended, nil for a result.
	Admit(ctx context.Context, method string, params Params) (with Params, settle func(error), err error)
}

// Consent decides about calls that were admitted, whoever makes them. settle is
// told how the call ended. Its error is told to the client.
type Consent interface {
	Decide(ctx context.Context, who, method string, params Params) (settle func(error), err error)
}

func nameOf(v Visitor) string {
	if v == nil {
		return "anybody"
	}
	return v.Name()
}

// Denied is the error of a call that its sender may not make.
type Denied struct {
	Message string // one sentence
	Hint    string // what to do next
}

// Error gives the sentence.
func (d *Denied) Error() string { return d.Message }

// credential gives what the client proves itself with: a bearer token, or the
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

// enter lets the client of r in, or refuses it. Without a doorkeeper everybody
// is let in; so is a client of the unix socket that shows no token, because the
// system has told that it is this user.
func (f *front) enter(r *http.Request) (Visitor, *refusal) {
	shown := credential(r)
	if f.door == nil || f.local && shown == "" && len(r.Header.Values("Authorization")) == 0 {
		return nil, nil
	}
	if shown == "" {
		return nil, unauthorized(&Denied{Message: "This wallet wants to know who calls.",
			Hint: "send a token as Authorization: Bearer …, or as the password of basic authentication; billfold token new makes one"})
	}
	v, err := f.door.Enter(shown, remoteAddr(r))
	if err != nil {
		return nil, unauthorized(err)
	}
	return v, nil
}

func unauthorized(err error) *refusal {
	no := faultOf(err)
	if no.Numbers == forbiddenNumbers() {
		no.Numbers = same(numUnauthorized, "unauthorized")
	}
	return &refusal{http.StatusUnauthorized, no}
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
