package daemonclient

import (
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

// outcome is how a call ended: with a result, with a failure (both JSON), or with err if no answer came.
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
