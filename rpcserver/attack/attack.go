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
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sync/errgroup"
)

// errNotLoopback is the refusal of targets on other machines.
var errNotLoopback = errors.New("only this machine's own listeners are attacked; name a loopback address")

// atOnce is how many attacks run at the same time; the slow ones, two on each
// port, leave room for the others.
const atOnce = 8

// Run tries every attack on every port of t, several at the same time. It fails
// when t is not on this machine or does not answer.
func Run(ctx context.Context, t Target) ([]Finding, error) {
	t.Patience = cmp.Or(t.Patience, 45*time.Second)
	t.Connections = cmp.Or(t.Connections, 2200)
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
			return nil, fmt.Errorf("%s is not an address such as 127.0.0.1:8093: %w", c.addr, err)
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

// probes are the attacks on this port.
func (c *client) probes() []probe {
	list := append(pageProbes(), sizeProbes()...)
	list = append(list, tokenProbes()...)
	list = append(list, policyProbes()...)
	if c.port == "websocket" {
		list = append(list, socketProbes()...)
	}
	return list
}
