package daemonclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Client is the one way to the ledger: it asks the daemon that its pool has in use.
// Its methods may be used by many goroutines concurrently; it is of use only while Run runs.
type Client struct {
	Queries

	cfg  Config
	pool *pool
}

// New makes a client that does nothing until Run is called.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg.filled(), pool: newPool(cfg.filled())}
	c.Queries = newQueries(c.askPool)
	return c
}

// askPool asks the daemon in use, and those that take over from it.
func (c *Client) askPool(ctx context.Context, r request) (json.RawMessage, error) {
	limited, cancel := c.limit(ctx)
	defer cancel()
	result, err := c.ask(limited, r)
	if err != nil {
		return nil, c.explain(ctx, r, err)
	}
	return result, nil
}

func (c *Client) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, c.cfg.CallTimeout, &timeoutError{after: c.cfg.CallTimeout})
}

// ask puts the request on the connection, and on the next one when that breaks.
func (c *Client) ask(ctx context.Context, r request) (json.RawMessage, error) {
	cn, err := c.pool.current(r.set)
	for again := 0; err == nil; again++ {
		var result json.RawMessage
		if result, err = cn.do(ctx, r); err == nil {
			return result, nil
		}
		if _, lied := errors.AsType[*FalseAnswerError](err); lied {
			cn, err = c.failOver(cn, r, again, err)
			continue
		}
		u, lost := errors.AsType[*noAnswerError](err)
		if !lost {
			break
		}
		u.url = cn.url
		c.pool.blame(cn, u)
		if ctx.Err() != nil || again == len(c.pool.nodes) || r.set == NetworkBroadcast && u.sent {
			break
		}
		if cn, err = c.next(ctx, cn, r.set); cn == nil && err == nil {
			err = u
		}
	}
	return nil, err
}

// failOver distrusts the daemon of a false answer and gives the connection of the one
// that takes over for a query; otherwise it returns the error.
func (c *Client) failOver(cn *conn, r request, again int, lie error) (*conn, error) {
	c.pool.distrust(cn, lie)
	if r.set == NetworkBroadcast {
		return nil, &noAnswerError{url: cn.url, sent: true, cause: lie}
	}
	if next, err := c.pool.current(r.set); err == nil && next != cn && again < len(c.pool.nodes) {
		return next, nil
	}
	return nil, lie
}

// next returns the connection after one that broke. Queries wait for it; a broadcast
// that was not sent takes what there is (nil: nothing).
func (c *Client) next(ctx context.Context, old *conn, set Set) (*conn, error) {
	if set != NetworkBroadcast {
		return c.pool.connAfter(ctx, old)
	}
	cn, err := c.pool.current(set)
	if errors.Is(err, ErrStale) {
		return nil, err
	}
	if err != nil || cn == old {
		return nil, nil
	}
	return cn, nil
}

// explain turns what a connection reports into the errors that Call promises.
func (c *Client) explain(ctx context.Context, r request, err error) error {
	u, lost := errors.AsType[*noAnswerError](err)
	switch {
	case !lost:
		return err
	case r.set == NetworkBroadcast && u.sent:
		return &OutcomeUnknownError{Method: r.method, Err: u.cause}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", r.method, context.Cause(ctx))
	}
	return &UnavailableError{URL: cmp.Or(u.url, c.pool.shownAddress()), Method: r.method, Err: u.cause}
}
