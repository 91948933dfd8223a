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

	"billfold/ledger"
)

// request is a call before it is put on a line.
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
	return request{set: set, method: method, args: ledger.ToFC(args), plain: args}, nil
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
	return ledger.Marshal(param)
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
	id      uint64
	request request
	rule    answerRule
	asked   question
	most    int    // bytes that the result may take
	frame   []byte // nil once it was sent
	state   atomic.Int32
	done    chan answer // takes exactly one answer
}

const (
	callQueued int32 = iota
	callSent
	callWithdrawn
)

// take claims the call for sending; false when it was withdrawn.
func (c *call) take() bool { return c.state.CompareAndSwap(callQueued, callSent) }

// withdraw stops a call that is still queued; it reports whether the call has
// been sent (perhaps in part) before.
func (c *call) withdraw() (sent bool) {
	c.state.CompareAndSwap(callQueued, callWithdrawn)
	return c.state.Load() == callSent
}

func (c *call) finish(a answer) { c.done <- a }

// answer is how a call ended: result or failure (JSON), or lost.
type answer struct {
	result, failure json.RawMessage
	lost            error
}

// unansweredError: no answer came over this line. sent tells whether the
// daemon may have read the call.
type unansweredError struct {
	url   string // of the daemon; empty when no line was tried
	sent  bool
	cause error
}

func (e *unansweredError) Error() string { return e.cause.Error() }
func (e *unansweredError) Unwrap() error { return e.cause }

// do makes one call over this line. Its errors are *RemoteError and
// *unansweredError; the cause of the latter is the context's when that ended.
func (l *line) do(ctx context.Context, r request) (json.RawMessage, error) {
	if ctx.Err() != nil && r.set != NetworkBroadcast { // nobody waits for the answer any more
		return nil, &unansweredError{cause: context.Cause(ctx)}
	}
	c, err := l.post(ctx, r)
	if err != nil {
		return nil, err
	}
	return l.await(ctx, c, 0)
}

// post queues a call; await or abandon must follow.
func (l *line) post(ctx context.Context, r request) (*call, error) {
	rule, err := ruleOf(r)
	if err != nil {
		return nil, err
	}
	set, err := l.setID(ctx, r.set)
	if err != nil {
		return nil, err
	}
	id, asked := l.lastID.Add(1), newQuestion(r)
	c := &call{
		id: id, request: r, rule: rule, asked: asked, most: rule.size(asked),
		frame: r.frame(id, set), done: make(chan answer, 1),
	}
	if err := l.enqueue(id, c); err != nil {
		if errors.Is(err, errSilent) {
			l.breakOff(errSilent)
		}
		return nil, err
	}
	return c, nil
}

// await waits for the answer to a call. With a patience it gives up, with
// errSilent, when nothing at all has been answered on the line for so long.
func (l *line) await(ctx context.Context, c *call, patience time.Duration) (json.RawMessage, error) {
	var quiet <-chan time.Time
	if patience > 0 {
		timer := time.NewTicker(patience / silenceSteps)
		defer timer.Stop()
		quiet = timer.C
	}
	for begun := time.Now(); ; {
		select {
		case a := <-c.done:
			return l.outcome(c, a)
		case <-ctx.Done():
			return nil, &unansweredError{sent: l.abandon(c), cause: context.Cause(ctx)}
		case now := <-quiet:
			if now.Sub(l.lastHeard(begun)) >= patience {
				return nil, &unansweredError{sent: l.abandon(c), cause: errSilent}
			}
		}
	}
}

// silenceSteps is how finely silence is measured, as a part of the patience.
const silenceSteps = 8

// abandon gives a call up; it reports whether the call has been sent. One that was
// stays in the list, for its answer may still come.
func (l *line) abandon(c *call) (sent bool) {
	if sent = c.withdraw(); sent {
		return true
	}
	l.mu.Lock()
	delete(l.waiting, c.id)
	l.mu.Unlock()
	return false
}

func (l *line) outcome(c *call, a answer) (json.RawMessage, error) {
	switch {
	case a.lost != nil:
		return nil, &unansweredError{sent: c.withdraw(), cause: a.lost}
	case a.failure != nil:
		if err := inspect(a.failure); err != nil {
			return nil, l.falseAnswer(c, err)
		}
		return nil, newRemoteError(c.request.method, a.failure)
	}
	if err := c.judge(a.result); err != nil {
		return nil, l.falseAnswer(c, err)
	}
	return a.result, nil
}

// judge holds a result against its question and decodes it.
func (c *call) judge(result json.RawMessage) error {
	err := inspect(result)
	if err == nil {
		err = c.rule.check(c.asked, result)
	}
	if err == nil && c.request.accept != nil {
		err = c.request.accept(result)
	}
	return err
}

func (l *line) falseAnswer(c *call, why error) *FalseAnswerError {
	return &FalseAnswerError{URL: l.url, Method: c.request.method, Why: cleanText(why.Error())}
}

func (l *line) enqueue(id uint64, c *call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return &unansweredError{cause: l.broken}
	}
	if len(l.waiting) >= mostWaiting {
		return &unansweredError{cause: errSilent}
	}
	l.waiting[id] = c
	l.outbox = append(l.outbox, c)
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return nil
}

// mostWaiting is how many calls may be under way on a line, those that were given
// up among them: a daemon that answers none is not given more.
const mostWaiting = 1 << 16

// setID gives the number of an API set on this line, and enables the set when
// it was not used before.
func (l *line) setID(ctx context.Context, set Set) (uint64, error) {
	l.mu.Lock()
	number, known := l.sets[set]
	l.mu.Unlock()
	if known {
		return number, nil
	}
	result, err := l.do(ctx, bare(Login, string(set)))
	if err != nil {
		return 0, notSent(err)
	}
	number, ok := parseNumber(result)
	if !ok {
		return 0, garbage("the number of the set %q is not a number", set)
	}
	l.mu.Lock()
	l.sets[set] = number
	l.mu.Unlock()
	return number, nil
}

// notSent: the call that failed only prepared another, which has not left.
func notSent(err error) error {
	if u, ok := errors.AsType[*unansweredError](err); ok {
		return &unansweredError{cause: u.cause}
	}
	return err
}

// noAnswerError is the cause of a call's end when Config.CallTimeout ran out.
type noAnswerError struct{ after time.Duration }

func (e *noAnswerError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }

// Call makes one call of an API set and waits for its answer.
//
// Parameters are positional and encoded by the ledger's JSON rules; a
// json.RawMessage is passed as it is. out receives the result: nil drops it, a
// *json.RawMessage gets it as valid JSON with all the daemon's members, anything
// else must be a pointer that ledger.Unmarshal fills; a null result leaves it as
// it was.
//
// A call does not wait for a line that is down (WaitOnline does): it fails at once.
//
// The result is held against the parameters before out gets it; one that does not fit
// is a *FalseAnswerError, and a query is asked of another daemon of the pool first. A
// method without a rule (answer_rule.go) is refused.
//
// Errors: *RemoteError, ErrWrongChain, ErrGarbage, ErrUnavailable, the
// context's error when ctx ended, and for the broadcast set *OutcomeUnknownError
// instead of the latter two once the call was sent. A query whose line broke is
// asked again on the next line, of the same or another daemon, once per daemon
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
	return context.WithTimeoutCause(ctx, c.cfg.CallTimeout, &noAnswerError{after: c.cfg.CallTimeout})
}

// ask puts the request on the line, and on the next one when that breaks.
func (c *Client) ask(ctx context.Context, r request) (json.RawMessage, error) {
	l, err := c.current(r.set)
	for again := 0; err == nil; again++ {
		var result json.RawMessage
		if result, err = l.do(ctx, r); err == nil {
			return result, nil
		}
		if _, lied := errors.AsType[*FalseAnswerError](err); lied {
			l, err = c.askAnother(l, r, again, err)
			continue
		}
		u, lost := errors.AsType[*unansweredError](err)
		if !lost {
			break
		}
		u.url = l.url
		c.blame(l, u)
		if ctx.Err() != nil || again == len(c.members) || r.set == NetworkBroadcast && u.sent {
			break
		}
		if l, err = c.next(ctx, l, r.set); l == nil && err == nil {
			err = u
		}
	}
	return nil, err
}

// askAnother distrusts the daemon of a false answer and gives the line of the one
// that takes over for a query; otherwise it returns the error.
func (c *Client) askAnother(l *line, r request, again int, lie error) (*line, error) {
	c.distrust(l, lie)
	if r.set == NetworkBroadcast {
		return nil, &unansweredError{url: l.url, sent: true, cause: lie}
	}
	if next, err := c.current(r.set); err == nil && next != l && again < len(c.members) {
		return next, nil
	}
	return nil, lie
}

// next gives the line after one that broke. Queries wait for it; a broadcast
// that was not sent takes what there is (nil: nothing).
func (c *Client) next(ctx context.Context, old *line, set Set) (*line, error) {
	if set != NetworkBroadcast {
		return c.lineAfter(ctx, old)
	}
	l, err := c.current(set)
	if errors.Is(err, ErrStale) {
		return nil, err
	}
	if err != nil || l == old {
		return nil, nil
	}
	return l, nil
}

// blame draws the conclusions from a call that got no answer: a line that broke
// is out of use before anybody is sent to the next, and a daemon that let a
// call run out of time is trusted less.
func (c *Client) blame(l *line, u *unansweredError) {
	c.noticeEnd(l)
	var late *noAnswerError
	if m := c.memberOf(l); m != nil && u.sent && errors.As(u.cause, &late) {
		c.change(func() { m.faults.add(time.Now()) })
	}
}

// explain turns what a line reports into the errors that Call promises.
func (c *Client) explain(ctx context.Context, r request, err error) error {
	u, lost := errors.AsType[*unansweredError](err)
	switch {
	case !lost:
		return err
	case r.set == NetworkBroadcast && u.sent:
		return &OutcomeUnknownError{Method: r.method, Err: u.cause}
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", r.method, context.Cause(ctx))
	}
	return &UnavailableError{URL: cmp.Or(u.url, c.spokenOf()), Method: r.method, Err: u.cause}
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
	return ledger.Unmarshal(result, out)
}
