package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"billfold/ledger"
)

// Daemon is one daemon of the pool over one connection. Its queries go to that daemon over that connection only: once
// the connection ends they fail with ErrUnavailable, even if the daemon has come back. All answers of one Daemon
// therefore come from one process in one run of it, as far as a client can tell.
type Daemon struct {
	Queries
	URL string // without secrets

	client *Client
	conn   *conn
}

// Current returns the daemon in use; ErrUnavailable or ErrWrongChain if there is none.
func (c *Client) Current() (Daemon, error) {
	cn, err := c.pool.current(Database)
	if err != nil {
		return Daemon{}, c.explain(context.Background(), request{}, err)
	}
	return c.daemonOn(cn), nil
}

func (c *Client) daemonOn(cn *conn) Daemon {
	return Daemon{
		URL: cn.url, client: c, conn: cn,
		Queries: newQueries(func(ctx context.Context, r request) (json.RawMessage, error) { return c.askOn(ctx, cn, r) }),
	}
}

// BroadcastTransaction is Client.BroadcastTransaction over this connection only. Once another daemon or connection is
// in use, it fails with ErrUnavailable and sends nothing.
func (d Daemon) BroadcastTransaction(ctx context.Context, tx *ledger.SignedTransaction) error {
	return d.Call(ctx, NetworkBroadcast, "broadcast_transaction", nil, tx)
}

// askOn asks over one connection.
func (c *Client) askOn(ctx context.Context, cn *conn, r request) (json.RawMessage, error) {
	limited, cancel := c.limit(ctx)
	defer cancel()
	if r.set == NetworkBroadcast {
		if now, err := c.pool.current(r.set); err != nil {
			return nil, c.explain(limited, r, err)
		} else if now != cn {
			return nil, &UnavailableError{URL: cn.url, Method: r.method, Err: errReplaced}
		}
	}
	result, err := cn.do(limited, r)
	if lost, ok := errors.AsType[*noAnswerError](err); ok {
		lost.url = cn.url
		c.pool.blame(cn, lost)
	} else if lied, ok := errors.AsType[*FalseAnswerError](err); ok {
		_, err = c.failOver(cn, r, len(c.pool.nodes), lied)
	}
	if err != nil {
		return nil, c.explain(limited, r, err)
	}
	return result, nil
}

// healthy returns the daemons that can be relied on now: the one in use first, then the others in the order of the list.
func (c *Client) healthy() []Daemon {
	c.pool.mu.Lock()
	defer c.pool.mu.Unlock()
	var all []Daemon
	for i, h := range c.pool.healthLocked(time.Now()) {
		n := c.pool.nodes[i]
		switch {
		case c.pool.chooser.grade(h) >= stale:
		case n == c.pool.active:
			all = append([]Daemon{c.daemonOn(n.conn)}, all...)
		default:
			all = append(all, c.daemonOn(n.conn))
		}
	}
	return all
}

// Same reports whether both are one daemon over one connection.
func (d Daemon) Same(o Daemon) bool { return d.conn != nil && d.conn == o.conn }
