package daemonclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// call is a request on its way. Its state goes from queued to either sent or withdrawn, so that a broadcast given up
// early is known not to have been sent.
type call struct {
	id       uint64
	request  request
	rule     answerRule
	question question
	maxSize  int       // bytes that the result may have
	maxError int       // bytes that an error may have
	frame    []byte    // nil once sent
	size     int       // of the frame, in bytes
	started  time.Time // zero unless the round trip is measured
	state    atomic.Int32
	done     chan outcome // takes exactly one answer
}

const (
	callQueued int32 = iota
	callSent
	callWithdrawn
)

// claim takes the call for sending. It reports false if it was withdrawn.
func (c *call) claim() bool { return c.state.CompareAndSwap(callQueued, callSent) }

// withdraw stops a call that is still queued. It reports whether the call was sent before, perhaps in part.
func (c *call) withdraw() (sent bool) {
	c.state.CompareAndSwap(callQueued, callWithdrawn)
	return c.state.Load() == callSent
}

func (c *call) deliver(a outcome) { c.done <- a }

// outcome is the end of a call: with a result, with a failure (both JSON), or with err if no answer came.
type outcome struct {
	result, failure json.RawMessage
	err             error
}

// noAnswerError means that no answer came over this connection. sent reports whether the daemon may have read the call.
type noAnswerError struct {
	url   string // of the daemon; empty if no connection was tried
	sent  bool
	cause error
}

func (e *noAnswerError) Error() string { return e.cause.Error() }
func (e *noAnswerError) Unwrap() error { return e.cause }

// notSent returns err for a call that only prepared another one, which was not sent.
func notSent(err error) error {
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &noAnswerError{cause: u.cause}
	}
	return err
}

// timeoutError is the cause when a call ends because Config.CallTimeout ran out.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

// inFlight are the calls of a connection that wait for an answer, and those of them that still wait to be written.
type inFlight struct {
	waiting map[uint64]*call
	outbox  []*call
	bytes   int // of the calls in waiting, in sum
}

// leastBuffer is the number of bytes that a connection takes even if nobody reads at its other end.
const leastBuffer = 16 << 10

// put adds a call to both. little reports whether all calls that wait for an answer fit a buffer of the system.
func (u *inFlight) put(id uint64, c *call) (little bool) {
	u.waiting[id] = c
	u.outbox = append(u.outbox, c)
	c.size = len(c.frame)
	u.bytes += c.size
	return u.bytes <= leastBuffer
}

// forget removes a call from those that wait for an answer.
func (u *inFlight) forget(c *call) {
	if u.waiting[c.id] == c {
		delete(u.waiting, c.id)
		u.bytes -= c.size
	}
}

// do makes one call over this connection. Its errors are *RemoteError, *FalseAnswerError and *noAnswerError; the cause
// of the latter is the context's if that ended.
func (cn *conn) do(ctx context.Context, r request) (json.RawMessage, error) {
	if ctx.Err() != nil && r.set != NetworkBroadcast { // nobody waits for the answer any longer
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
	id, question := cn.lastID.Add(1), newQuestion(r.plain)
	c := &call{
		id: id, request: r, rule: rule, question: question, maxSize: rule.size(question),
		frame: r.frame(id, set), done: make(chan outcome, 1),
	}
	if r.timed {
		c.started = time.Now()
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

// transmit sends what is queued. If little is in flight, the caller writes it itself: that is faster than waking the
// writer, and a daemon that reads nothing cannot hold it up.
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

// await waits for the answer to a call. If patience is not 0, it gives up with errSilent once nothing at all has been
// answered on the connection for that long plus a round trip: a distant daemon is not silent.
func (cn *conn) await(ctx context.Context, c *call, patience time.Duration) (json.RawMessage, error) {
	var quiet <-chan time.Time
	if patience > 0 {
		timer := time.NewTicker(patience / silenceSteps)
		defer timer.Stop()
		quiet = timer.C
	}
	for started := time.Now(); ; {
		select {
		case a := <-c.done:
			return cn.result(c, a)
		case <-ctx.Done():
			return nil, &noAnswerError{sent: cn.abandon(c), cause: context.Cause(ctx)}
		case now := <-quiet:
			if now.Sub(cn.lastAnswer(started)) >= patience+cn.roundTrip() {
				return nil, &noAnswerError{sent: cn.abandon(c), cause: errSilent}
			}
		}
	}
}

// silenceSteps is the number of checks of the silence per patience.
const silenceSteps = 8

// abandon withdraws a call and reports whether it had been sent. A sent call stays in the list, because its answer may
// still come.
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

// judge checks a result against its question and decodes it.
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

// enqueue puts a call into the outbox. little reports whether all calls that wait for an answer fit a buffer of the system.
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

// maxWaiting is the maximum number of calls in flight on a connection, abandoned ones included: a daemon that answers
// none gets no more.
const maxWaiting = 1 << 16

// setID returns the number of an API set on this connection, and enables the set on first use.
func (cn *conn) setID(ctx context.Context, set Set) (uint64, error) {
	cn.mu.Lock()
	number, known := cn.sets[set]
	cn.mu.Unlock()
	if known {
		return number, nil
	}
	if _, err := cn.do(ctx, cn.enableRequest(set)); err != nil {
		return 0, notSent(err)
	}
	cn.mu.Lock()
	defer cn.mu.Unlock()
	return cn.sets[set], nil
}

// enableRequest returns the request that enables an API set; its answer, the set's number, is kept.
func (cn *conn) enableRequest(set Set) request {
	r := newBareRequest(Login, string(set))
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
