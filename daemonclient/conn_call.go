package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// do makes one call over this connection. Its errors are *RemoteError and
// *unansweredError; the cause of the latter is the context's when that ended.
func (cn *conn) do(ctx context.Context, r request) (json.RawMessage, error) {
	if ctx.Err() != nil && r.set != NetworkBroadcast { // nobody waits for the answer any more
		return nil, &noAnswerError{cause: context.Cause(ctx)}
	}
	c, err := cn.send(ctx, r)
	if err != nil {
		return nil, err
	}
	return cn.await(ctx, c, 0)
}

// send queues a call; await or abandon must follow.
func (cn *conn) send(ctx context.Context, r request) (*call, error) {
	rule, err := ruleOf(r)
	if err != nil {
		return nil, err
	}
	set, err := cn.setID(ctx, r.set)
	if err != nil {
		return nil, err
	}
	id, asked := cn.lastID.Add(1), newQuestion(r.plain)
	c := &call{
		id: id, request: r, rule: rule, question: asked, maxSize: rule.size(asked),
		frame: r.frame(id, set), done: make(chan outcome, 1),
	}
	if r.timed {
		c.begun = time.Now()
	}
	c.maxError = errorSize + errorRepeats*len(c.frame)
	little, err := cn.enqueue(id, c)
	if err != nil {
		if errors.Is(err, errSilent) {
			cn.fail(errSilent)
		}
		return nil, err
	}
	cn.transmit(little && ctx.Err() == nil)
	return c, nil
}

// sendAll queues calls that do not depend on each other's answers.
func (cn *conn) sendAll(ctx context.Context, requests ...request) ([]*call, error) {
	calls := make([]*call, len(requests))
	for i, r := range requests {
		var err error
		if calls[i], err = cn.send(ctx, r); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// transmit has sent what is queued. Where little is under way a caller writes himself, and cannot be held
// up by a daemon that reads nothing: waking the writer takes longer.
func (cn *conn) transmit(little bool) {
	if little && cn.sending.TryLock() {
		err := cn.flush()
		cn.sending.Unlock()
		if err != nil {
			cn.fail(connectionError(err))
		}
		return
	}
	select {
	case cn.wake <- struct{}{}:
	default:
	}
}

// await waits for the answer to a call. With a patience it gives up, with
// errSilent, when nothing at all has been answered on the connection for so long and
// what a round trip takes: a daemon that is far away is not silent.
func (cn *conn) await(ctx context.Context, c *call, patience time.Duration) (json.RawMessage, error) {
	var quiet <-chan time.Time
	if patience > 0 {
		timer := time.NewTicker(patience / silenceSteps)
		defer timer.Stop()
		quiet = timer.C
	}
	for begun := time.Now(); ; {
		select {
		case a := <-c.done:
			return cn.result(c, a)
		case <-ctx.Done():
			return nil, &noAnswerError{sent: cn.abandon(c), cause: context.Cause(ctx)}
		case now := <-quiet:
			if now.Sub(cn.lastAnswer(begun)) >= patience+cn.roundTrip() {
				return nil, &noAnswerError{sent: cn.abandon(c), cause: errSilent}
			}
		}
	}
}

// silenceSteps is how finely silence is measured, as a part of the patience.
const silenceSteps = 8

// abandon withdraws a call; it reports whether the call has been sent. One that was
// stays in the list, for its answer may still come.
func (cn *conn) abandon(c *call) (sent bool) {
	if sent = c.withdraw(); sent {
		return true
	}
	cn.mu.Lock()
	cn.forget(c)
	cn.mu.Unlock()
	return false
}

func (cn *conn) result(c *call, a outcome) (json.RawMessage, error) {
	switch {
	case a.err != nil:
		return nil, &noAnswerError{sent: c.withdraw(), cause: a.err}
	case a.failure != nil:
		if err := inspect(a.failure); err != nil {
			return nil, cn.falseAnswer(c, err)
		}
		return nil, newRemoteError(c.request.method, a.failure)
	}
	if err := c.judge(a.result); err != nil {
		return nil, cn.falseAnswer(c, err)
	}
	return a.result, nil
}

// judge compares a result with its question and decodes it.
func (c *call) judge(result json.RawMessage) error {
	err := inspect(result)
	if err == nil {
		err = c.rule.check(c.question, result)
	}
	if err == nil && c.request.accept != nil {
		err = c.request.accept(result)
	}
	return err
}

func (cn *conn) falseAnswer(c *call, why error) *FalseAnswerError {
	return &FalseAnswerError{URL: cn.url, Method: c.request.method, Why: cleanText(why.Error())}
}

// enqueue puts a call into the outbox; little reports that all calls that wait for an answer fit a
// buffer of the system.
func (cn *conn) enqueue(id uint64, c *call) (little bool, err error) {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	if cn.failure != nil {
		return false, &noAnswerError{cause: cn.failure}
	}
	if len(cn.waiting) >= maxWaiting {
		return false, &noAnswerError{cause: errSilent}
	}
	return cn.put(id, c), nil
}

// maxWaiting is how many calls may be under way on a connection, those that were given
// up among them: a daemon that answers none is not given more.
const maxWaiting = 1 << 16

// setID returns the number of an API set on this connection, and enables the set when
// it was not used before.
func (cn *conn) setID(ctx context.Context, set Set) (uint64, error) {
	cn.mu.Lock()
	number, known := cn.sets[set]
	cn.mu.Unlock()
	if known {
		return number, nil
	}
	if _, err := cn.do(ctx, cn.enabling(set)); err != nil {
		return 0, notSent(err)
	}
	cn.mu.Lock()
	defer cn.mu.Unlock()
	return cn.sets[set], nil
}

// enabling asks for the number of an API set, and keeps it.
func (cn *conn) enabling(set Set) request {
	r := bare(Login, string(set))
	r.accept = func(result json.RawMessage) error {
		number, ok := parseNumber(result)
		if !ok {
			return garbage("the number of the set %q is not a number", set)
		}
		cn.mu.Lock()
		defer cn.mu.Unlock()
		cn.sets[set] = number
		return nil
	}
	return r
}
