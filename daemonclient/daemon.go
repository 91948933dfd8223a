package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

// Daemon is one daemon of the pool over one connection. Its queries go to that
// daemon over that connection only: when the connection ends they fail with
// ErrUnavailable, also when the daemon has come back. What one Daemon answered was
// therefore said by one process in one life of it, as far as a client can see.
type Daemon struct {
	Queries
	URL string // without secrets

	client *Client
	line   *line
}

// Current returns the daemon in use; ErrUnavailable, or ErrWrongChain, when there is none.
func (c *Client) Current() (Daemon, error) {
	l, err := c.current(Database)
	if err != nil {
		return Daemon{}, c.explain(context.Background(), request{}, err)
	}
	return c.daemonOn(l), nil
}

func (c *Client) daemonOn(l *line) Daemon {
	return Daemon{
		URL: l.url, client: c, line: l,
		Queries: Queries{call: func(ctx context.Context, r request) (json.RawMessage, error) { return c.askLine(ctx, l, r) }},
	}
}

// BroadcastTransaction is Client.BroadcastTransaction over this connection only.
// It is ErrUnavailable, and nothing was sent, once another daemon or connection
// is in use.
func (d Daemon) BroadcastTransaction(ctx context.Context, tx *ledger.SignedTransaction) error {
	return d.Call(ctx, NetworkBroadcast, "broadcast_transaction", nil, tx)
}

// askLine asks over one connection.
func (c *Client) askLine(ctx context.Context, l *line, r request) (json.RawMessage, error) {
	limited, cancel := c.limit(ctx)
	defer cancel()
	if r.set == NetworkBroadcast {
		if now, err := c.current(r.set); err != nil {
			return nil, c.explain(limited, r, err)
		} else if now != l {
			return nil, &UnavailableError{URL: l.url, Method: r.method, Err: errLeft}
		}
	}
	result, err := l.do(limited, r)
	if lost, ok := errors.AsType[*unansweredError](err); ok {
		lost.url = l.url
		c.blame(l, lost)
	} else if lied, ok := errors.AsType[*FalseAnswerError](err); ok {
		_, err = c.askAnother(l, r, len(c.members), lied)
	}
	if err != nil {
		return nil, c.explain(limited, r, err)
	}
	return result, nil
}

// healthy returns the daemons that can be relied on now, the one in use first,
// then those of the list in their order.
func (c *Client) healthy() []Daemon {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Daemon
	for i, h := range c.healthLocked(time.Now()) {
		m := c.members[i]
		switch {
		case c.chooser.grade(h) >= stale:
		case m == c.active:
			all = append([]Daemon{c.daemonOn(m.line)}, all...)
		default:
			all = append(all, c.daemonOn(m.line))
		}
	}
	return all
}
