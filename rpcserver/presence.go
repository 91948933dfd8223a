package rpcserver

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// errClientLeft is the cause of the end of a call's context when its client has hung up.
var errClientLeft error = clientLeft{}

// clientLeft is a reason for context.Canceled.
type clientLeft struct{}

func (clientLeft) Error() string        { return "its client left before it was answered" }
func (clientLeft) Is(target error) bool { return target == context.Canceled }

// whileConnected returns the context of what r calls, which ends with the cause errClientLeft once the client has hung up, and that of the
// server, from which it comes. stop must be called before the answer is sent. The context of r itself ends already when the client has
// sent all that it will, as "nc -N" and Java's shutdownOutput say so.
func whileConnected(r *http.Request) (ctx, server context.Context, stop func()) {
	box := requestBox(r)
	if box.calls == nil {
		return r.Context(), r.Context(), func() {}
	}
	ctx, leave := context.WithCancelCause(box.calls)
	box.expectAnswer()
	watched := make(chan struct{})
	unhook := context.AfterFunc(r.Context(), func() {
		defer close(watched)
		if box.hasLeft(ctx) {
			leave(errClientLeft)
		}
	})
	return ctx, box.calls, func() {
		leave(nil)
		if !unhook() {
			<-watched
		}
	}
}

// hasLeft waits until the client of a connection that cannot be read any more turns out to have left. It reports false if ctx ends before.
func (o *outbox) hasLeft(ctx context.Context) bool {
	o.mu.Lock()
	end := o.readEnd
	o.mu.Unlock()
	switch {
	case end != nil && !errors.Is(end, io.EOF):
		return true
	case o.encrypted && end != nil: // not the end of what TLS carries, but of the connection
		return true
	case o.encrypted:
		return o.awaitEnd(ctx)
	}
	for _, wait := range probes() {
		if !came(ctx, time.After(wait)) {
			return false
		}
		if !o.probe() {
			return true
		}
	}
	<-ctx.Done()
	return false
}

// awaitEnd waits until the connection under TLS ends, whose client has said by close_notify that it sends nothing more. It reports false if
// ctx ends before.
func (o *outbox) awaitEnd(ctx context.Context) bool {
	defer context.AfterFunc(ctx, func() { _ = o.Conn.SetReadDeadline(time.Unix(1, 0)) })()
	for ignored := make([]byte, 256); ; {
		if _, err := o.Conn.Read(ignored); err != nil {
			return ctx.Err() == nil && !errors.Is(err, os.ErrDeadlineExceeded)
		}
	}
}

// answerStart is the beginning of every answer.
const answerStart = "HTTP/1."

// probes returns the pauses before each byte of answerStart. A client that has closed its connection answers the first one with a reset, so
// that the second one fails; most calls are answered before.
func probes() [len(answerStart)]time.Duration {
	const ms = time.Millisecond
	return [...]time.Duration{100 * ms, 100 * ms, 400 * ms, 1400 * ms, 4 * time.Second, 12 * time.Second, 27 * time.Second}
}

// expectAnswer begins a request: nothing of its answer has been sent.
func (o *outbox) expectAnswer() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ahead, o.answered = 0, false
}

// probe sends one more byte of how the answer will begin, and reports whether that was possible. That alone shows whether a client that sends
// nothing more is still there. Once the answer has begun, that shows it.
func (o *outbox) probe() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.answered || o.ahead == len(answerStart) {
		return true
	}
	_ = o.Conn.SetWriteDeadline(time.Now().Add(time.Second))
	_, err := o.Conn.Write([]byte{answerStart[o.ahead]})
	o.ahead++
	return err == nil
}

// beginAnswer returns how many of the next n bytes to be written have been sent already.
func (o *outbox) beginAnswer(n int) (sent int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answered = true
	sent = min(o.ahead, n)
	o.ahead -= sent
	return sent
}
