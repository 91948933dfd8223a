// Package attack tries on a running RPC server what has been done to others:
// web pages that post forms, rebound names, cross-site websockets, slow, huge
// and deeply nested requests, tokens that are wrong, revoked or too narrow,
// tokens that take keys along, floods of connections, calls that wait and refusals.
// It owns the list of attacks (Run), promises to end and to call nothing but
// is_locked, wait_payment and what could do no harm if it passed, and refuses
// targets beyond loopback.
//
// An attack is refused when the server neither executes the call nor keeps the
// attacker's connection; whatever else happens counts as a finding.
package attack

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"
)

// Target is the server that is attacked.
type Target struct {
	HTTP, WS string        // "host:port"; "" = not listened on
	TLS      *tls.Config   // nil = no encryption
	Token    string        // one that may call is_locked; "" = the server asks for none
	Revoked  string        // one that was good once
	Narrow   string        // one that may not call is_locked
	Keys     string        // one whose scope lets it export and import keys and set the password
	KeysOpen string        // why nothing guards those, when there is no such token
	Reader   string        // one for the group Accounts
	Waits    string        // request key of a payment that stays on its way; "" = there is none
	Crowd    int           // connections that a flood opens; default 2200, more than a listener holds
	Patience time.Duration // the longest the server may put up with a slow client; default 45 s
}

// Outcome is how an attack ended.
type Outcome int

// The outcomes.
const (
	Refused   Outcome = iota
	Succeeded         // the server did what it should not
	Skipped           // it cannot be tried on this server
)

// Finding is the outcome of one attack on one port.
type Finding struct {
	Attack  string // what is tried, in words
	Port    string // "HTTP" or "websocket"
	Outcome Outcome
	Detail  string // what the server did, or why it was skipped
}

// errNotLoopback is the refusal of targets on other machines.
var errNotLoopback = errors.New("only this machine's own listeners are attacked; name a loopback address")

// probe is one attack. It says what the server did and whether that refuses it;
// an error means that the server could not be attacked.
type probe struct {
	name  string
	needs func(Target) string // why it is skipped; nil = never
	run   func(context.Context, *client) (bool, string, error)
}

// atOnce is how many attacks run at the same time; the slow ones, two on each
// port, leave room for the others.
const atOnce = 8

// Run tries every attack on every port of t, several at the same time. It fails
// when t is not on this machine or does not answer.
func Run(ctx context.Context, t Target) ([]Finding, error) {
	t.Patience = cmp.Or(t.Patience, 45*time.Second)
	t.Crowd = cmp.Or(t.Crowd, 2200)
	lines, err := t.lines()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.Patience+40*time.Second)
	defer cancel()
	for _, c := range lines {
		if err := c.answers(ctx); err != nil {
			return nil, fmt.Errorf("the wallet on %s does not answer as it should before any attack: %w", c.addr, err)
		}
	}
	var findings []*Finding
	var group errgroup.Group
	group.SetLimit(atOnce)
	for _, c := range lines {
		for _, p := range c.probes() {
			f := &Finding{Attack: p.name, Port: c.port}
			findings = append(findings, f)
			group.Go(func() error {
				f.Outcome, f.Detail = p.try(ctx, c)
				return nil
			})
		}
	}
	_ = group.Wait() // no attack fails, each is found something of
	for _, c := range lines {
		for _, p := range c.floodProbes() {
			f := &Finding{Attack: p.name, Port: c.port}
			findings = append(findings, f)
			f.Outcome, f.Detail = p.try(ctx, c)
		}
	}
	return found(findings), nil
}

func found(list []*Finding) []Finding {
	out := make([]Finding, len(list))
	for i, f := range list {
		out[i] = *f
	}
	return out
}

// lines are the ports of t, once they are known to be on this machine.
func (t Target) lines() ([]*client, error) {
	var lines []*client
	for _, c := range []*client{{port: "HTTP", addr: t.HTTP, target: t}, {port: "websocket", addr: t.WS, target: t}} {
		if c.addr == "" {
			continue
		}
		tcp, err := net.ResolveTCPAddr("tcp", c.addr)
		if err != nil {
			return nil, fmt.Errorf("%s is no address such as 127.0.0.1:8093: %w", c.addr, err)
		}
		if !tcp.IP.IsLoopback() {
			return nil, fmt.Errorf("%s: %w", c.addr, errNotLoopback)
		}
		c.addr = tcp.String()
		lines = append(lines, c)
	}
	if len(lines) == 0 {
		return nil, errors.New("there is no listener to attack; name one")
	}
	return lines, nil
}

func (p probe) try(ctx context.Context, c *client) (Outcome, string) {
	if p.needs != nil {
		if why := p.needs(c.target); why != "" {
			return Skipped, why
		}
	}
	refused, detail, err := p.run(ctx, c)
	switch {
	case err != nil:
		return Succeeded, "it could not be tried to its end: " + err.Error()
	case refused:
		return Refused, detail
	default:
		return Succeeded, detail
	}
}
