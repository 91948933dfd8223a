package rpcserver

import (
	"errors"
	"io"
	"sync"
)

// received bounds the memory that request texts take up together, by what has
// arrived and not by what was announced. The first ownText bytes of a text are
// not counted: an ordinary call passes whatever others send.
type received struct {
	limit, share int64 // bytes in all, and of one principal

	mu   sync.Mutex
	all  int64
	held map[string]int64
}

const ownText = 8 << 10

// errFull is the fault of a text for which there is no room now; errTooLong that
// of one over the limit.
var (
	errFull    = errors.New("too many large requests are being received")
	errTooLong = errors.New("the request is larger than the limit")
)

func newReceived(limit, share int64) *received {
	return &received{limit: limit, share: share, held: map[string]int64{}}
}

func (c *received) take(principal string, n int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.all+n > c.limit || c.held[principal]+n > c.share {
		return false
	}
	c.all += n
	c.held[principal] += n
	return true
}

func (c *received) give(principal string, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all -= n
	if c.held[principal] -= n; c.held[principal] == 0 {
		delete(c.held, principal)
	}
}

// text is a received request. Its bytes are counted until release.
type text struct {
	bytes     []byte
	from      *received
	principal string
	counted   int64
}

// release returns the text's memory; its bytes must not be used any more.
func (t *text) release() {
	if t.counted > 0 {
		t.from.give(t.principal, t.counted)
		t.counted = 0
	}
}

// read receives a text of at most limit bytes. Errors: errTooLong, errFull, those
// of r; then nothing is counted.
func (c *received) read(r io.Reader, principal string, limit int64) (*text, error) {
	t := &text{from: c, principal: principal, bytes: make([]byte, 0, 512)}
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

// grow doubles the room, up to one byte over the limit.
func (t *text) grow(limit int64) error {
	size := min(2*int64(cap(t.bytes)), limit+1)
	if more := size - max(int64(cap(t.bytes)), ownText); more > 0 {
		if !t.from.take(t.principal, more) {
			return errFull
		}
		t.counted += more
	}
	larger := make([]byte, len(t.bytes), size)
	copy(larger, t.bytes)
	t.bytes = larger
	return nil
}
