package daemonclient

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
)

// State says whether the daemon can be asked.
type State int

// The states. All but Online mean that the client goes on trying.
const (
	Connecting State = iota // no attempt has ended yet
	Online
	Offline    // not reached, or lost
	WrongChain // reached, but of another chain
	Garbage    // something answers there that is not understood
)

// String gives the state in lower case.
func (s State) String() string {
	switch s {
	case Connecting:
		return "connecting"
	case Online:
		return "online"
	case Offline:
		return "offline"
	case WrongChain:
		return "wrong chain"
	case Garbage:
		return "garbage"
	}
	return "unknown"
}

// Status is one consistent reading of the client.
type Status struct {
	State     State
	URL       string         // without secrets
	ChainID   ledger.ChainID // expected, or remembered from the first daemon; zero when neither
	Since     time.Time      // since when State holds
	LastError string         // why the line is not up; empty while Online
	Latency   time.Duration  // the latest round trip; zero when not measured yet
	Head      ledger.BlockID // the latest block this line told of; zero before the first
	HeadSeen  time.Time      // when it told
}

// Status reads the client's state.
func (c *Client) Status() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.statusLocked()
}

func (c *Client) statusLocked() Status {
	s := c.status
	if c.line != nil {
		s.Latency = time.Duration(c.line.latency.Load())
	}
	return s
}

// setStateLocked moves to a state and tells subscribers and waiters.
func (c *Client) setStateLocked(state State, reason error) {
	text := ""
	if reason != nil {
		text = reason.Error()
	}
	if c.status.State != state {
		c.status.Since = time.Now()
	} else if c.status.LastError == text {
		return
	}
	c.status.State, c.status.LastError, c.reason = state, text, reason
	close(c.changed)
	c.changed = make(chan struct{})
	c.publishLocked(StateChanged{Status: c.statusLocked()})
}

// stateFor says which state a failure to connect, or the end of a line, means.
func stateFor(reason error) State {
	switch {
	case errors.Is(reason, ErrWrongChain):
		return WrongChain
	case errors.Is(reason, ErrGarbage):
		return Garbage
	}
	return Offline
}

// current gives the line when it is up; otherwise ErrWrongChain or
// ErrUnavailable, and nothing was sent.
func (c *Client) current() (*line, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line != nil {
		return c.line, nil
	}
	return nil, c.refusalLocked()
}

func (c *Client) refusalLocked() error {
	switch {
	case c.status.State == WrongChain:
		return c.reason
	case c.reason == nil:
		return &unansweredError{cause: errNotYet}
	}
	return &unansweredError{cause: c.reason}
}

var (
	errNotYet  = errors.New("it has not been reached yet")
	errStopped = errors.New("the client was stopped")
)

// lineAfter waits for a line other than old. It gives up when the context ends,
// when Run ends, and when the daemon turns out to be of another chain.
func (c *Client) lineAfter(ctx context.Context, old *line) (*line, error) {
	for {
		c.mu.Lock()
		l, changed, refusal := c.line, c.changed, c.refusalLocked()
		over := old != nil && !c.running || c.status.State == WrongChain
		c.mu.Unlock()
		switch {
		case l != nil && l != old && l.reason() == nil:
			return l, nil
		case over:
			return nil, refusal
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &unansweredError{cause: c.whyNot(ctx)}
		}
	}
}

// whyNot prefers the reason for being away to "no answer within …".
func (c *Client) whyNot(ctx context.Context) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.reason != nil {
		return c.reason
	}
	return context.Cause(ctx)
}

// WaitOnline waits until calls can be made. It returns early with ErrWrongChain,
// because waiting does not help there; when ctx ends first, the error is
// ErrUnavailable and tells why the daemon is away.
func (c *Client) WaitOnline(ctx context.Context) error {
	_, err := c.lineAfter(ctx, nil)
	if u, ok := err.(*unansweredError); ok {
		return &UnavailableError{URL: c.shownURL, Err: u.cause}
	}
	return err
}
