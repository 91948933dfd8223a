package rpcserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
)

// dispatcher executes messages. Both transports share one.
type dispatcher struct {
	caller  Caller
	limits  Limits
	feed    *Feed   // nil = no events
	decider Decider // nil = every call is accepted
	pace    func(method string) walletapi.Pace
	secret  func(method string) bool
	spends  func(method string) bool
	inOrder func(method string) bool
	keyed   func(method string, p Params) bool
	group   func(method string) string // "" = there is no such operation
	traffic *Traffic                   // nil = calls are not recorded
	observe Observer                   // nil = nobody

	places     *schedule // of running calls
	waits      *schedule // of calls that wait for something to happen
	textBudget *textBudget
	unread     *unread // answers
	passwords  passwordBackoff
	refusals   *refusalLog
	log        *slog.Logger
	closing    chan struct{} // closed when the server ends, which ends calls that wait
	workers    *workers      // of websockets
	entrance   *entrance     // of calls
}

func newDispatcher(o Options, limits Limits) *dispatcher {
	d := &dispatcher{
		caller: o.Caller, limits: limits, feed: o.Feed, decider: o.Decider, pace: o.Pace,
		secret: o.Secret, spends: o.Spends, inOrder: o.InOrder, keyed: o.NamesKey, traffic: o.Traffic, refusals: newRefusalLog(o.logger()), log: o.logger(),
		closing: make(chan struct{}), entrance: newEntrance(), group: o.Group, observe: o.Observer,
	}
	if d.group == nil {
		d.group = func(string) string { return "" }
	}
	d.workers = newWorkers(d.closing)
	if d.secret == nil {
		d.secret = func(string) bool { return false }
	}
	if d.spends == nil {
		d.spends = func(string) bool { return false }
	}
	if d.inOrder == nil {
		d.inOrder = func(string) bool { return false }
	}
	if d.pace == nil {
		d.pace = func(string) walletapi.Pace { return walletapi.PaceUsual }
	}
	part := 1 // callers without a token are one principal, which may then take everything
	if o.Authenticator != nil && !o.AllowAnonymous {
		part = 2 // one token may take half
	}
	d.passwords.wait = o.PasswordWait
	d.places = newSchedule(limits.InFlight, limits.InFlight/part)
	d.waits = newSchedule(limits.Waiting, limits.Waiting/part)
	d.textBudget = newTextBudget(limits.Received, limits.Received/int64(part))
	d.unread = newUnread(limits.Unread, limits.Large, part, limits.SlotWait)
	return d
}

// answer is the answer to one message. If its body is empty, nothing is sent.
type answer struct {
	body   []byte
	status int   // for HTTP
	secret bool  // the body is wiped after sending
	room   *room // what the body takes; nil = not counted
	begun  bool  // its beginning has been sent
}

// done is called when an answer has been sent, or will not be: it overwrites one that holds secrets and returns its room.
func (a answer) done() {
	a.wipe()
	if a.room != nil {
		a.room.release()
	}
}

func (a answer) wipe() {
	if a.secret {
		clear(a.body)
	}
}

// reserve makes room for n more bytes and leaves no copy of secrets behind.
func (a *answer) reserve(n int) {
	if cap(a.body)-len(a.body) >= n {
		return
	}
	larger := make([]byte, len(a.body), 2*len(a.body)+n)
	copy(larger, a.body)
	a.wipe()
	a.body = larger
}

// client is the sender of a message.
type client struct {
	principal Principal            // nil = may do everything
	events    walletapi.Subscriber // nil = cannot receive events
	requester Requester
	box       *outbox
	server    context.Context          // ends with the server, or if the client is cut off; nil = never
	waits     func()                   // called when a call begins to wait for a person or for something to happen; nil = nobody waits for it
	send      func(piece []byte) error // sends the beginning of the answer to a batch; nil = it is sent as a whole
}

// paceOf returns the pace of the one call in m; batches have the usual one.
func (d *dispatcher) paceOf(m message) walletapi.Pace {
	if m.batch || len(m.requests) != 1 {
		return walletapi.PaceUsual
	}
	return d.pace(m.requests[0].method)
}

// alwaysAnswered reports whether calls of a pace are answered however busy the wallet is.
func alwaysAnswered(p walletapi.Pace) bool {
	return p == walletapi.PaceInstant || p == walletapi.PaceUrgent
}

// budgetKey returns the name under which a client's share of the limits is counted. All clients without a token share one.
func budgetKey(v Principal) string {
	if v == nil {
		return ""
	}
	return v.Name()
}

// enter takes a place for a call of a client. It reports false if none became free in time.
func (d *dispatcher) enter(ctx context.Context, c client, method string) (*place, bool) {
	switch p := d.pace(method); {
	case alwaysAnswered(p):
		return &place{}, true
	case p == walletapi.PaceWaits:
		return d.waits.enter(ctx, budgetKey(c.principal), d.limits.SlotWait)
	}
	return d.places.enter(ctx, budgetKey(c.principal), d.limits.SlotWait)
}

// run executes a message and returns its answer. ctx ends with the client.
func (d *dispatcher) run(ctx context.Context, c client, m message) answer {
	left := d.limits.CallTime // sending takes as long as the client reads, and does not count
	room := d.unread.room(c.box, budgetKey(c.principal))
	send := c.send
	if d.holdsSecret(m) {
		send = nil // the buffers of net/http would keep a copy
	}
	return d.answerEach(c.principal, m, room, send, func(r *request) (json.RawMessage, *wireError) {
		ctx, cancel := context.WithTimeout(ctx, left)
		defer cancel()
		start := time.Now()
		defer func() { left -= time.Since(start) }()
		return d.call(ctx, c, r, room)
	})
}

// holdsSecret reports whether a request of m, or its answer, is secret.
func (d *dispatcher) holdsSecret(m message) bool {
	return slices.ContainsFunc(m.requests, func(r request) bool { return d.secret(r.method) })
}

// takesTurn reports whether a request of m is to be done in order.
func (d *dispatcher) takesTurn(m message) bool {
	return slices.ContainsFunc(m.requests, func(r request) bool { return d.inOrder(r.method) })
}

// refuse answers every call of a message with f instead of executing it.
func (d *dispatcher) refuse(who Principal, m message, f *wireError) answer {
	return d.answerEach(who, m, nil, nil, func(*request) (json.RawMessage, *wireError) { return nil, f })
}

// pieceOfBatch is the number of bytes of the answer to a batch that are collected before they are sent.
const pieceOfBatch = 64 << 10

// answerEach answers the requests of a message in their order, with what do returns. If send fails, the rest is not done.
func (d *dispatcher) answerEach(who Principal, m message, room *room, send func(piece []byte) error,
	do func(*request) (json.RawMessage, *wireError)) answer {
	if m.fault != nil {
		d.refused(who, "", m.fault)
		return answer{body: appendFault(nil, nil, true, m.fault), status: m.fault.status}
	}
	a, total := answer{status: http.StatusOK, room: room}, 0
	for i := range m.requests {
		r := &m.requests[i]
		result, f := json.RawMessage(nil), r.fault
		switch {
		case f != nil:
		case total+len(a.body) > d.limits.Answer:
			f = busy("The answers to this batch are too large", 0)
		default:
			result, f = do(r)
		}
		if f = d.forKey(r, f); f != nil {
			d.refused(who, r.method, f)
		}
		if !r.mustAnswer(f) {
			continue
		}
		if f != nil && !r.modern && !m.batch {
			a.status = f.status
		}
		if f != nil {
			text := appendFault(nil, r.id, r.modern, f)
			a.reserve(1 + len(text))
			a.body = append(append(a.body, ','), text...)
		} else {
			a.reserve(len(result) + len(r.id) + resultFrame)
			a.body = appendResult(append(a.body, ','), r.id, result)
			if d.secret(r.method) {
				clear(result)
				a.secret = true
			}
		}
		if room != nil {
			room.settle(cap(a.body))
		}
		if m.batch && send != nil && len(a.body) >= pieceOfBatch {
			total += len(a.body)
			if err := a.sendPiece(send); err != nil {
				return answer{begun: true}
			}
		}
	}
	if m.batch {
		a.reserve(1)
	}
	a.wrap(m.batch)
	return a
}

// sendPiece sends what a batch has been answered so far.
func (a *answer) sendPiece(send func(piece []byte) error) error {
	if !a.begun {
		a.body[0], a.begun = '[', true
	}
	defer a.room.release()
	err := send(a.body)
	a.body = nil
	return err
}

// resultFrame is room for what surrounds id and result in an answer.
const resultFrame = 64

// wrap turns ",{…},{…}" into "[{…},{…}]" for a batch, into "{…}" otherwise.
func (a *answer) wrap(batch bool) {
	switch {
	case a.begun:
		a.body = append(a.body, ']')
	case len(a.body) == 0:
	case !batch:
		a.body = a.body[1:]
	default:
		a.body[0] = '['
		a.body = append(a.body, ']')
	}
}

// call executes one request and records it in the traffic.
func (d *dispatcher) call(ctx context.Context, c client, r *request, room *room) (json.RawMessage, *wireError) {
	if d.observe != nil {
		defer func(start time.Time) { d.observe.Called(r.method, time.Since(start)) }(time.Now())
	}
	row := d.traffic.callStarted(c.requester, r.method, r.params)
	result, f := d.execute(ctx, c, r, room)
	f = d.forKey(r, f)
	d.traffic.callEnded(row, f)
	return result, f
}

// forKey returns a fault of a request. If that is a spend under a request key, and the fault does not say which key comes next, whoever refused it
// did so before anything was recorded: the same does.
func (d *dispatcher) forKey(r *request, f *wireError) *wireError {
	if f == nil || f.requestKey != "" || d.keyed == nil || !d.keyed(r.method, r.params) {
		return f
	}
	keyed := *f
	keyed.requestKey = fault.KeySame
	return &keyed
}

// execute executes one request when there is room for its answer and a place for it.
func (d *dispatcher) execute(ctx context.Context, c client, r *request, room *room) (json.RawMessage, *wireError) {
	if !alwaysAnswered(d.pace(r.method)) {
		if !d.entrance.enter() {
			return nil, ending()
		}
		defer d.entrance.leave()
	}
	builds, f := d.prepareAnswer(ctx, c, r.method, room)
	if f != nil {
		return nil, f
	}
	defer builds.release()
	p, entered := d.enter(ctx, c, r.method)
	if !entered {
		return nil, busy("The wallet is running too many calls", d.limits.SlotWait)
	}
	defer p.release()
	if d.pace(r.method) == walletapi.PaceWaits {
		c.waiting()
		var cancel context.CancelFunc
		ctx, cancel = d.untilClosing(ctx)
		defer cancel()
	}
	client := ctx
	c.requester.whileThere = func(ctx context.Context) (context.Context, context.CancelFunc) { return endWith(ctx, client) }
	c.requester.releaseWhile = func(do func()) {
		c.waiting()
		builds.release()
		p.releaseWhile(ctx, do)
	}
	start := time.Now()
	result, err := d.callRecovered(ctx, c, r)
	if err == nil {
		d.unread.saw(r.method, len(result))
		if d.log.Enabled(ctx, slog.LevelDebug) {
			d.log.Debug("rpc: call", "method", r.method, "took", time.Since(start))
		}
		return result, nil
	}
	d.logFailure(r, err, time.Since(start))
	return nil, faultOf(nameCause(ctx, err))
}

// nameCause returns err, or that the client left if that is why the call was cancelled.
func nameCause(ctx context.Context, err error) error {
	own, is := errors.AsType[*fault.Error](err)
	if !errors.Is(context.Cause(ctx), errClientLeft) || isDenied(err) || is && own.Code != fault.Canceled || !is && !errors.Is(err, context.Canceled) {
		return err
	}
	named := fault.Error{Code: fault.Canceled}
	if is {
		named = *own
	}
	named.Message, named.Err = "The call was cancelled, since "+errClientLeft.Error(), err
	return &named
}

// waiting notes that a call of the client begins to wait for a person or for something to happen.
func (c client) waiting() {
	if c.waits != nil {
		c.waits()
	}
}

// endWith returns a context that ends with ctx, or with the other one and its cause.
func endWith(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(other, func() { cancel(context.Cause(other)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// toItsEnd returns the context of a spend: once begun, it is not broken off because its client leaves, only at its deadline and by the end of the
// server.
func (c client) toItsEnd(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.server == nil {
		return ctx, func() {}
	}
	whole, cancel := endWith(context.WithoutCancel(ctx), c.server)
	deadline, limited := ctx.Deadline()
	if !limited {
		return whole, cancel
	}
	whole, stop := context.WithDeadline(whole, deadline)
	return whole, func() {
		stop()
		cancel()
	}
}

// prepareAnswer makes room for the answer of a method, and takes a place among the calls with large answers if it has one.
func (d *dispatcher) prepareAnswer(ctx context.Context, c client, method string, room *room) (*place, *wireError) {
	if pace := d.pace(method); alwaysAnswered(pace) || pace == walletapi.PaceWaits {
		return &place{}, nil
	}
	size, large := d.unread.expected(method)
	if !room.grow(ctx, size) {
		return nil, busy("Too many answers wait to be read", d.limits.SlotWait)
	}
	if !large {
		return &place{}, nil
	}
	p, entered := d.unread.large.enter(ctx, budgetKey(c.principal), d.limits.SlotWait)
	if !entered {
		return nil, busy("The wallet is making too many large answers", d.limits.SlotWait)
	}
	return p, nil
}

// untilClosing returns a context that ends with ctx and when the server closes; a call that waits then answers with the
// current state.
func (d *dispatcher) untilClosing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-d.closing:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// callRecovered makes one call. A panic in it becomes an internal error, with the stack
// in the log, and does not end the wallet and its other calls.
func (d *dispatcher) callRecovered(ctx context.Context, c client, r *request) (result json.RawMessage, err error) {
	defer func() {
		if v := recover(); v != nil {
			d.log.Error("rpc: call panicked", "method", r.method, "kind", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			result, err = nil, &fault.Error{Code: fault.Internal, Op: r.method,
				Message: "The wallet could not finish this call because of an internal error; its log says more."}
		}
	}()
	r.params.Exact = r.modern
	if c.events != nil {
		r.params.Events = c.events
	}
	r.params.Nested = func(ctx context.Context, method string, params Params) (json.RawMessage, error) {
		if d.pace(method) == walletapi.PaceWaits {
			c.waiting()
		}
		result, err := d.authorizeAndCall(ctx, c, method, params)
		if no, denied := errors.AsType[*Denied](err); denied { // in a form to which the command file can add the line
			err = &fault.Error{Code: fault.Denied, Op: method, Message: no.Message, Hint: no.Hint}
		}
		return result, err
	}
	return d.authorizeAndCall(ctx, c, r.method, r.params)
}

// authorizeAndCall makes a call if its client may make it.
func (d *dispatcher) authorizeAndCall(ctx context.Context, c client, method string, params Params) (result json.RawMessage, err error) {
	if d.spends(method) {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		var stop context.CancelFunc
		ctx, stop = c.toItsEnd(store.WithCallBatch(ctx)) // the limits spent and the decision are committed together with the payment
		defer stop()
	}
	if c.principal == nil {
		return d.decideAndCall(ctx, c, method, params)
	}
	grant, err := c.principal.Authorize(ctx, method, params)
	if err != nil {
		if d.decider != nil {
			d.decider.Refused(ctx, c.requester, method, params, err)
		}
		return nil, err
	}
	ended := ErrPanicked
	defer func() { grant.RecordOutcome(ended) }()
	c.requester.Approval, c.requester.Why = grant.Approval, grant.Why
	result, ended = d.decideAndCall(ctx, c, method, grant.Params)
	return result, ended
}

// decideAndCall makes a call unless the decider refuses it.
func (d *dispatcher) decideAndCall(ctx context.Context, c client, method string, params Params) (result json.RawMessage, err error) {
	if d.passwords.applies(method) {
		if err := d.passwords.check(budgetKey(c.principal)); err != nil {
			return nil, err
		}
		defer func() { d.passwords.record(budgetKey(c.principal), err) }()
	}
	if d.decider == nil {
		return d.caller.Call(ctx, method, params)
	}
	params, recordOutcome, err := d.decider.Decide(ctx, c.requester, method, params)
	defer func() { params.Wipe() }() // also of a call that was refused
	if err != nil {
		return nil, err
	}
	ended := ErrPanicked
	defer func() { recordOutcome(ended) }()
	result, ended = d.caller.Call(ctx, method, params)
	return result, ended
}

// ErrPanicked is the outcome of a call that did not return.
var ErrPanicked = errors.New("the call panicked")

// refused logs that a call was not done: with which error, of which operation and whose, never in the caller's words.
func (d *dispatcher) refused(who Principal, method string, f *wireError) {
	if d.group(method) == "" {
		method = "" // a name that does not exist is the client's text
	}
	level, code := slog.LevelInfo, f.kind()
	if d.observe != nil {
		d.observe.Refused(code)
	}
	switch f.Standard {
	case numForbidden, numUnauthorized, numRetryLater:
		level = slog.LevelWarn
	}
	d.refusals.record(level, code+" "+method+" "+nameOf(who), "rpc: call refused", "code", code, "method", method, "token", nameOf(who))
}

// logFailure logs a fault of the wallet's own, and every other failure where each call is logged, but never parameters.
func (d *dispatcher) logFailure(r *request, err error, took time.Duration) {
	code := fault.CodeOf(err)
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	own, is := errors.AsType[*fault.Error](err)
	switch {
	case code == fault.UnknownMethod:
		d.log.Debug("rpc: call of an unknown method")
	case is && code == fault.Internal:
		d.log.Error("rpc: call failed", "method", r.method, "code", code, "message", own.Message, "took", took)
	case code == fault.Internal && !ended && !isDenied(err):
		d.log.Error("rpc: call failed", "method", r.method, "code", code, "type", fmt.Sprintf("%T", err), "took", took)
	case d.group(r.method) != "":
		d.log.Debug("rpc: call failed", "method", r.method, "code", code, "took", took)
	}
}
