package rpcserver

import (
	"errors"
	"io"
	"sync"
)

// textBudget limits the total memory of request texts. It counts what has arrived,
// not what was announced. The first uncountedBytes bytes of each text are free, so that
// an ordinary call passes whatever others send.
type textBudget struct {
	limit, share int64 // bytes in all, and of one principal

	mu    sync.Mutex
	total int64
	held  map[string]int64
}

const uncountedBytes = 8 << 10

// errFull is the error for a text that the budget has no room for at present, errTooLong
// that for a text over the limit.
var (
	errFull    = errors.New("too many large requests are being received")
	errTooLong = errors.New("the request is larger than the limit")
)

func newTextBudget(limit, share int64) *textBudget {
	return &textBudget{limit: limit, share: share, held: map[string]int64{}}
}

func (c *textBudget) reserve(principal string, n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total+n > c.limit || c.held[principal]+n > c.share {
		return false
	}
	c.total += n
	c.held[principal] += n
	return true
}

func (c *textBudget) release(principal string, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total -= n
	if c.held[principal] -= n; c.held[principal] == 0 {
		delete(c.held, principal)
	}
}

// text is a received request. Its bytes count against the budget until release.
type text struct {
	bytes     []byte
	budget    *textBudget
	principal string
	counted   int64
}

// release overwrites the text, which may hold a password or a key, and returns its memory to the budget. The bytes must not be
// used afterwards.
func (t *text) release() {
	clear(t.bytes)
	if t.counted > 0 {
		t.budget.release(t.principal, t.counted)
		t.counted = 0
	}
}

// read receives a text of at most limit bytes. It fails with errTooLong, errFull or an
// error of r; the text is then not counted.
func (c *textBudget) read(r io.Reader, principal string, limit int64) (*text, error) {
	t := &text{budget: c, principal: principal, bytes: make([]byte, 0, 512)}
	for {
		n, err := r.Read(t.bytes[len(t.bytes):cap(t.bytes)])
		t.bytes = t.bytes[:len(t.bytes)+n]
		switch {
		case int64(len(t.bytes)) > limit:
			err = errTooLong
		case errors.Is(err, io.EOF):
			return t, nil
		case err == nil && len(t.bytes) == cap(t.bytes):
			err = t.grow(limit)
		}
		if err != nil {
			t.release()
			return nil, err
		}
	}
}

// grow doubles the buffer, up to one byte over the limit.
func (t *text) grow(limit int64) error {
	size := min(2*int64(cap(t.bytes)), limit+1)
	if more := size - max(int64(cap(t.bytes)), uncountedBytes); more > 0 {
		if !t.budget.reserve(t.principal, more) {
			return errFull
		}
		t.counted += more
	}
	larger := make([]byte, len(t.bytes), size)
	copy(larger, t.bytes)
	clear(t.bytes)
	t.bytes = larger
	return nil
}
