package daemonclient

import "context"

// current returns the connection in use, for broadcasts only if its daemon can be trusted with payments. Otherwise the
// error is ErrWrongChain, ErrUnavailable or ErrStale, and nothing was sent.
func (p *pool) current(set Set) (*conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	cn := p.connLocked()
	if cn == nil {
		return nil, p.refusalLocked()
	}
	if set == NetworkBroadcast {
		if stale := p.staleLocked(); stale != nil {
			return nil, &noAnswerError{url: cn.url, cause: stale}
		}
	}
	return cn, nil
}

func (p *pool) connLocked() *conn {
	if p.active == nil {
		return nil
	}
	return p.active.conn
}

func (p *pool) refusalLocked() error {
	switch {
	case p.status.State == WrongChain:
		return p.reason
	case p.reason == nil:
		return &noAnswerError{cause: errNotYet}
	}
	return &noAnswerError{cause: p.reason}
}

// connAfter waits for a connection other than old. It gives up when the context ends, when Run ends, or when every
// daemon turns out to be of another chain.
func (p *pool) connAfter(ctx context.Context, old *conn) (*conn, error) {
	for {
		p.mu.Lock()
		cn, changed, refusal := p.connLocked(), p.changed, p.refusalLocked()
		over := old != nil && !p.running || p.status.State == WrongChain
		p.mu.Unlock()
		switch {
		case cn != nil && cn != old && cn.reason() == nil:
			return cn, nil
		case over:
			return nil, refusal
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, &noAnswerError{cause: p.reasonAway(ctx)}
		}
	}
}

// reasonAway returns why no daemon can be reached, which says more than "no answer within …".
func (p *pool) reasonAway(ctx context.Context) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reason != nil {
		return p.reason
	}
	return context.Cause(ctx)
}
