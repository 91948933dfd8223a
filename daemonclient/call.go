package daemonclient

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"billfold/ledger/codec"
)

// request is a call before it is put on a connection.
type request struct {
	set    Set
	method string
	args   []byte // a JSON array in the daemon's dialect
	plain  []byte // the same array as JSON
	// accept decodes the result, which has been held against the question before;
	// nil: nothing is decoded. It may be called again with another daemon's result.
	accept func(json.RawMessage) error
}

// bare is a request without parameters.
func bare(set Set, method string) request {
	return request{set: set, method: method, args: []byte("[]"), plain: []byte("[]")}
}

// newRequest encodes the parameters. A json.RawMessage is passed as it is.
func newRequest(set Set, method string, params []any) (request, error) {
	args := []byte{'['}
	for i, param := range params {
		if i > 0 {
			args = append(args, ',')
		}
		text, err := encodeParam(param)
		if err != nil {
			return request{}, fmt.Errorf("%s: parameter %d cannot be written as JSON: %w", method, i+1, err)
		}
		args = append(args, text...)
	}
	args = append(args, ']')
	return request{set: set, method: method, args: codec.ToFC(args), plain: args}, nil
}

func encodeParam(param any) ([]byte, error) {
	switch p := param.(type) {
	case nil:
		return []byte("null"), nil
	case json.RawMessage:
		if !json.Valid(p) {
			return nil, fmt.Errorf("the text given is not JSON")
		}
		return p, nil
	}
	return codec.Marshal(param)
}

// frame is the call envelope (INTERFACE.md, "Daemon call envelope").
func (r request) frame(id, set uint64) []byte {
	f := make([]byte, 0, len(r.args)+len(r.method)+64)
	f = append(f, `{"id":`...)
	f = strconv.AppendUint(f, id, 10)
	f = append(f, `,"method":"call","params":[`...)
	f = strconv.AppendUint(f, set, 10)
	f = append(f, `,"`...)
	f = append(f, r.method...)
	f = append(f, `",`...)
	f = append(f, r.args...)
	return append(f, `]}`...)
}

// call is a request on its way. Its state goes from queued to either sent or
// withdrawn, so that a broadcast given up early is known not to have left.
type call struct {
	id       uint64
	request  request
	rule     answerRule
	question question
	maxSize  int    // bytes that the result may take
	frame    []byte // nil once it was sent
	state    atomic.Int32
	done     chan outcome // takes exactly one answer
}

const (
	callQueued int32 = iota
	callSent
	callWithdrawn
)

// claim takes the call for sending; false when it was withdrawn.
func (c *call) claim() bool { return c.state.CompareAndSwap(callQueued, callSent) }

// withdraw stops a call that is still queued; it reports whether the call has
// been sent (perhaps in part) before.
func (c *call) withdraw() (sent bool) {
	c.state.CompareAndSwap(callQueued, callWithdrawn)
	return c.state.Load() == callSent
}

func (c *call) deliver(a outcome) { c.done <- a }

// answer is how a call ended: result or failure (JSON), or lost.
type outcome struct {
	result, failure json.RawMessage
	err             error
}

// noAnswerError means that no answer came over this connection. sent tells whether the
// daemon may have read the call.
type noAnswerError struct {
	url   string // of the daemon; empty when no connection was tried
	sent  bool
	cause error
}

func (e *noAnswerError) Error() string { return e.cause.Error() }
func (e *noAnswerError) Unwrap() error { return e.cause }

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
	id, asked := cn.lastID.Add(1), newQuestion(r)
	c := &call{
		id: id, request: r, rule: rule, question: asked, maxSize: rule.size(asked),
		frame: r.frame(id, set), done: make(chan outcome, 1),
	}
	if err := cn.enqueue(id, c); err != nil {
		if errors.Is(err, errSilent) {
			cn.fail(errSilent)
		}
		return nil, err
	}
	return c, nil
}

// await waits for the answer to a call. With a patience it gives up, with
// errSilent, when nothing at all has been answered on the connection for so long.
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
			if now.Sub(cn.lastAnswer(begun)) >= patience {
				return nil, &noAnswerError{sent: cn.abandon(c), cause: errSilent}
			}
		}
	}
}

// silenceSteps is how finely silence is measured, as a part of the patience.
const silenceSteps = 8

// abandon gives a call up; it reports whether the call has been sent. One that was
// stays in the list, for its answer may still come.
func (cn *conn) abandon(c *call) (sent bool) {
	if sent = c.withdraw(); sent {
		return true
	}
	cn.mu.Lock()
	delete(cn.waiting, c.id)
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

// judge holds a result against its question and decodes it.
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

func (cn *conn) enqueue(id uint64, c *call) error {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	if cn.failure != nil {
		return &noAnswerError{cause: cn.failure}
	}
	if len(cn.waiting) >= maxWaiting {
		return &noAnswerError{cause: errSilent}
	}
	cn.waiting[id] = c
	cn.outbox = append(cn.outbox, c)
	select {
	case cn.wake <- struct{}{}:
	default:
	}
	return nil
}

// maxWaiting is how many calls may be under way on a connection, those that were given
// up among them: a daemon that answers none is not given more.
const maxWaiting = 1 << 16

// setID gives the number of an API set on this connection, and enables the set when
// it was not used before.
func (cn *conn) setID(ctx context.Context, set Set) (uint64, error) {
	cn.mu.Lock()
	number, known := cn.sets[set]
	cn.mu.Unlock()
	if known {
		return number, nil
	}
	result, err := cn.do(ctx, bare(Login, string(set)))
	if err != nil {
		return 0, notSent(err)
	}
	number, ok := parseNumber(result)
	if !ok {
		return 0, garbage("the number of the set %q is not a number", set)
	}
	cn.mu.Lock()
	cn.sets[set] = number
	cn.mu.Unlock()
	return number, nil
}

// notSent says that the call that failed only prepared another, which has not left.
func notSent(err error) error {
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &noAnswerError{cause: u.cause}
	}
	return err
}

// timeoutError is the cause of a call's end when Config.CallTimeout ran out.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

// Call makes one call of an API set and waits for its answer.
//
// Parameters are positional and encoded by the ledger's JSON rules; a
// json.RawMessage is passed as it is. out receives the result: nil drops it, a
// *json.RawMessage gets it as valid JSON with all the daemon's members, anything
// else must be a pointer that codec.Unmarshal fills; a null result leaves it as
// it was.
//
// A call does not wait for a connection that is down (WaitOnline does): it fails at once.
//
// The result is held against the parameters before out gets it; one that does not fit
// is a *FalseAnswerError, and a query is asked of another daemon of the pool first. A
// method without a rule (answer_rule.go) is refused.
//
// Errors: *RemoteError, ErrWrongChain, ErrGarbage, ErrUnavailable, the
// context's error when ctx ended, and for the broadcast set *OutcomeUnknownError
// instead of the latter two once the call was sent. A query whose connection broke is
// asked again on the next connection, of the same or another daemon, once per daemon
// and once more; a call of the broadcast set only if it had not been sent. To a
// stale daemon no broadcast is sent: ErrStale.
func (q Queries) Call(ctx context.Context, set Set, method string, out any, params ...any) error {
	r, err := newRequest(set, method, params)
	if err != nil {
		return err
	}
	if out != nil {
		r.accept = func(result json.RawMessage) error { return decode(result, out) }
	}
	_, err = q.call(ctx, r)
	return err
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
	cn, err := c.current(r.set)
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
		c.blame(cn, u)
		if ctx.Err() != nil || again == len(c.nodes) || r.set == NetworkBroadcast && u.sent {
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
	c.distrust(cn, lie)
	if r.set == NetworkBroadcast {
		return nil, &noAnswerError{url: cn.url, sent: true, cause: lie}
	}
	if next, err := c.current(r.set); err == nil && next != cn && again < len(c.nodes) {
		return next, nil
	}
	return nil, lie
}

// next gives the connection after one that broke. Queries wait for it; a broadcast
// that was not sent takes what there is (nil: nothing).
func (c *Client) next(ctx context.Context, old *conn, set Set) (*conn, error) {
	if set != NetworkBroadcast {
		return c.connAfter(ctx, old)
	}
	cn, err := c.current(set)
	if errors.Is(err, ErrStale) {
		return nil, err
	}
	if err != nil || cn == old {
		return nil, nil
	}
	return cn, nil
}

// blame draws the conclusions from a call that got no answer: a connection that broke
// is out of use before anybody is sent to the next, and a daemon that let a
// call run out of time is trusted less.
func (c *Client) blame(cn *conn, u *noAnswerError) {
	c.retire(cn)
	var late *timeoutError
	if n := c.nodeOf(cn); n != nil && u.sent && errors.As(u.cause, &late) {
		c.change(func() { n.faults.add(time.Now()) })
	}
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
	return &UnavailableError{URL: cmp.Or(u.url, c.shownAddress()), Method: r.method, Err: u.cause}
}

// decode fills out from a result.
func decode(result json.RawMessage, out any) error {
	if target, raw := out.(*json.RawMessage); raw {
		*target = result
		return nil
	}
	if isNull(result) {
		return nil
	}
	return codec.Unmarshal(result, out)
}
