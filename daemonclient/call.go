package daemonclient

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// call is a request on its way. Its state goes from queued to either sent or
// withdrawn, so that a broadcast given up early is known not to have left.
type call struct {
	id       uint64
	request  request
	rule     answerRule
	question question
	maxSize  int       // bytes that the result may take
	maxError int       // bytes that an error may take
	frame    []byte    // nil once it was sent
	size     int       // of the frame
	begun    time.Time // zero unless the round trip is measured
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

// notSent reports that the call that failed only prepared another, which has not left.
func notSent(err error) error {
	if u, ok := errors.AsType[*noAnswerError](err); ok {
		return &noAnswerError{cause: u.cause}
	}
	return err
}

// timeoutError is the cause of a call's end when Config.CallTimeout ran out.
type timeoutError struct{ after time.Duration }

func (e *timeoutError) Error() string { return fmt.Sprintf("no answer within %v", e.after) }
