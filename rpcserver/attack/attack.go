// Package attack tries known attacks on a running RPC server: web pages that post
// forms, rebound names, cross-site websockets, slow, huge and deeply nested requests,
// tokens that are wrong, revoked or too narrow, tokens that try to take keys, and
// floods of connections, waiting calls and refused calls. It owns the list of attacks
// (Run). It promises to end, and to call only is_locked, wait_payment and calls that
// could do no harm if they were executed. It refuses targets beyond loopback.
//
// The server has refused an attack if it neither executes the call nor keeps the
// attacker's connection. Anything else means that the attack succeeded.
package attack

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// Target is the server to attack.
type Target struct {
	HTTP, WS    string        // "host:port"; "" = no such listener
	TLS         *tls.Config   // nil = no encryption
	Token       string        // a token that may call is_locked; "" = the server requires none
	Revoked     string        // a token that was revoked
	Narrow      string        // a token that may not call is_locked
	Keys        string        // a token whose scope lets it export and import keys and set the password
	KeysOpen    string        // why nothing guards those, if there is no such token
	Reader      string        // a token for the group Accounts
	Waits       string        // request key of a payment that stays pending; "" = none
	Connections int           // connections that a flood opens; default 2200, more than a listener holds
	Patience    time.Duration // how long the server may put up with a slow client; default 45 s
}

// Outcome is the result of an attack.
type Outcome int

// The outcomes.
const (
	Refused   Outcome = iota
	Succeeded         // the server did what it should not
	Skipped           // it cannot be tried on this server
)

// Finding is the outcome of one attack on one port.
type Finding struct {
	Attack  string // the attack in words
	Port    string // "HTTP" or "websocket"
	Outcome Outcome
	Detail  string // what the server did, or why it was skipped
}

// errNotLoopback is the error for targets on other machines.
var errNotLoopback = errors.New("only this machine's own listeners are attacked; name a loopback address")

// maxParallel is the maximum number of attacks that run at the same time. The slow
// ones, two on each port, leave room for the others.
const maxParallel = 8

// Run tries every attack on every port of t, several at the same time. It fails if
// t is not on this machine or does not answer.
func Run(ctx context.Context, t Target) ([]Finding, error) {
	t.Patience = cmp.Or(t.Patience, 45*time.Second)
	t.Connections = cmp.Or(t.Connections, 2200)
	clients, err := t.clients()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, t.Patience+40*time.Second)
	defer cancel()
	for _, c := range clients {
		if err := c.checkAnswers(ctx); err != nil {
			return nil, fmt.Errorf("the wallet on %s does not answer as it should before any attack: %w", c.addr, err)
		}
	}
	var findings []*Finding
	var group errgroup.Group
	group.SetLimit(maxParallel)
	for _, c := range clients {
		for _, p := range c.probes() {
			f := &Finding{Attack: p.name, Port: c.port}
			findings = append(findings, f)
			group.Go(func() error {
				f.Outcome, f.Detail = p.try(ctx, c)
				return nil
			})
		}
	}
	_ = group.Wait() // never an error: every attack has an outcome
	for _, c := range clients {
		for _, p := range c.floodProbes() {
			f := &Finding{Attack: p.name, Port: c.port}
			findings = append(findings, f)
			f.Outcome, f.Detail = p.try(ctx, c)
		}
	}
	return values(findings), nil
}

func values(list []*Finding) []Finding {
	out := make([]Finding, len(list))
	for i, f := range list {
		out[i] = *f
	}
	return out
}

// clients returns a client for each port of t. It fails if one of them is not on this machine.
func (t Target) clients() ([]*client, error) {
	var clients []*client
	for _, c := range []*client{{port: "HTTP", addr: t.HTTP, target: t}, {port: "websocket", addr: t.WS, target: t}} {
		if c.addr == "" {
			continue
		}
		tcp, err := net.ResolveTCPAddr("tcp", c.addr)
		if err != nil {
			return nil, fmt.Errorf("%s is not an address such as 127.0.0.1:8093: %w", c.addr, err)
		}
		if !tcp.IP.IsLoopback() {
			return nil, fmt.Errorf("%s: %w", c.addr, errNotLoopback)
		}
		c.addr = tcp.String()
		clients = append(clients, c)
	}
	if len(clients) == 0 {
		return nil, errors.New("there is no listener to attack; name one")
	}
	return clients, nil
}

// probes returns the attacks on this port, except for the floods.
func (c *client) probes() []probe {
	list := append(pageProbes(), sizeProbes()...)
	list = append(list, tokenProbes()...)
	list = append(list, policyProbes()...)
	if c.port == "websocket" {
		list = append(list, socketProbes()...)
	}
	return list
}

// probe is one attack. run reports whether the server refused it, and returns what the
// server did. An error means that the attack could not be made.
type probe struct {
	name string
	skip func(Target) string // returns why the attack is skipped, "" = it is not; nil = never skipped
	run  func(context.Context, *client) (bool, string, error)
}

func (p probe) try(ctx context.Context, c *client) (Outcome, string) {
	if p.skip != nil {
		if why := p.skip(c.target); why != "" {
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

// refusedPost returns an attack by one HTTP request, which must not be executed.
func refusedPost(name, host, body string, header map[string]string) probe {
	return probe{name: name, run: func(ctx context.Context, c *client) (bool, string, error) {
		q := post(body, header)
		q.host, q.token = strings.ReplaceAll(host, "PORT", c.addr[strings.LastIndex(c.addr, ":")+1:]), c.target.Token
		r, err := c.send(ctx, q)
		return err == nil && r.status >= 400 && !r.executed(), r.summary(), err
	}}
}
