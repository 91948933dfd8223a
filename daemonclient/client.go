package daemonclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Client is the one way to the ledger: it asks the daemon that its pool has in use. It is safe for concurrent use, and
// works only while Run runs.
type Client struct {
	Queries

	cfg  Config
	pool *pool
}

// New returns a client that does nothing until Run is called.
func New(cfg Config) *Client {
	c := &Client{cfg: cfg.withDefaults(), pool: newPool(cfg.withDefaults())}
	c.Queries = newQueries(c.askPool)
	return c
}

// askPool asks the daemon in use, and if that fails, those that take over.
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

// ask sends the request over the connection, and over the next one if that breaks.
func (c *Client) ask(ctx context.Context, r request) (json.RawMessage, error) {
	cn, err := c.pool.current(r.set)
	for attempt := 0; err == nil; attempt++ {
		var result json.RawMessage
		if result, err = cn.do(ctx, r); err == nil {
			return result, nil
		}
		if _, lied := errors.AsType[*FalseAnswerError](err); lied {
			cn, err = c.failOver(cn, r, attempt, err)
			continue
		}
		silent, lost := errors.AsType[*noAnswerError](err)
		if !lost {
			break
		}
		silent.url = cn.url
		c.pool.blame(cn, silent)
		if ctx.Err() != nil || attempt == len(c.pool.nodes) || r.set == NetworkBroadcast && silent.sent {
			break
		}
		if cn, err = c.next(ctx, cn, r.set); cn == nil && err == nil {
			err = silent
		}
	}
	return nil, err
}

// failOver distrusts the daemon that gave a false answer. For a query it returns the connection of the one that takes
// over; otherwise it returns the error.
func (c *Client) failOver(cn *conn, r request, attempt int, lie error) (*conn, error) {
	c.pool.distrust(cn, lie)
	if r.set == NetworkBroadcast {
		return nil, &noAnswerError{url: cn.url, sent: true, cause: lie}
	}
	if next, err := c.pool.current(r.set); err == nil && next != cn && attempt < len(c.pool.nodes) {
		return next, nil
	}
	return nil, lie
}

// next returns the connection after one that broke. Queries wait for it; a broadcast that was not sent uses whichever
// is there, or gets nil.
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

// explain turns the error of a connection into those that Call promises.
func (c *Client) explain(ctx context.Context, r request, err error) error {
	silent, lost := errors.AsType[*noAnswerError](err)
	switch {
	case !lost:
		return err
	case r.set == NetworkBroadcast && silent.sent:
		return &OutcomeUnknownError{Method: r.method, Err: silent.cause}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", r.method, context.Cause(ctx))
	}
	return &UnavailableError{URL: cmp.Or(silent.url, c.pool.shownAddress()), Method: r.method, Err: silent.cause}
}
