package rpcserver

import (
	"bytes"
	"sync"
)

// requestReads remembers where the bytes of an HTTP request were read into: the buffers of net/http, which it uses again without
// overwriting them, and which would keep a password or a key until then.
type requestReads struct {
	mu    sync.Mutex
	parts [][]byte // the latest first
	off   bool     // nothing more is remembered
}

// mostParts is how many reads of a request are remembered; each fills the same buffer or a part of it.
const mostParts = 4

func (r *requestReads) note(part []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off || len(part) <= 1 || len(part) > largestPart { // one byte is read to notice that a client left
		return
	}
	r.parts = append([][]byte{part}, r.parts[:min(len(r.parts), mostParts-1)]...)
}

// largestPart is the size of the buffers of net/http; larger reads go into the text of the request itself.
const largestPart = 4 << 10

// take returns what was read of a request with this body, and forgets it. It returns nothing if the client has sent more already,
// which is not to be overwritten.
func (r *requestReads) take(body []byte) [][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	parts := r.parts
	r.parts = nil
	if len(parts) == 0 || !bytes.HasSuffix(body, parts[0][max(0, len(parts[0])-len(body)):]) {
		return nil
	}
	return parts
}

// stop forgets all reads, and those to come.
func (r *requestReads) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.parts, r.off = nil, true
}
