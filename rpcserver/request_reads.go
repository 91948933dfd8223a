package rpcserver

import "sync"

// requestReads remembers where an HTTP request was read into: the buffer of net/http, which it uses again without overwriting it, and
// which would keep a password or a key until then.
type requestReads struct {
	mu      sync.Mutex
	buffer  []byte // from the first byte of the request to the end of the buffer
	total   int    // bytes read since the request before
	head    int    // of these, the request's header; 0 = it has not ended yet
	matched int    // bytes of the empty line that ends a header, at the end of what was read
	off     bool   // nothing more is remembered
}

// bufferSize is the size of the buffers of net/http; larger reads go into the text of the request itself.
const bufferSize = 4 << 10

// note records that p was read into buffer.
func (r *requestReads) note(buffer, p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.off || len(buffer) <= 1 { // one byte is read to notice that a client left
		return
	}
	if len(buffer) <= bufferSize && cap(buffer) > cap(r.buffer) {
		r.buffer = buffer[:cap(buffer)]
	}
	for i := 0; i < len(p) && r.head == 0; i++ { // without a copy of p
		const end = "\r\n\r\n"
		switch {
		case p[i] == end[r.matched]:
			r.matched++
		case p[i] == end[0]:
			r.matched = 1
		default:
			r.matched = 0
		}
		if r.matched == len(end) {
			r.head = r.total + i + 1
		}
	}
	r.total += len(p)
}

// clear overwrites the buffer if it holds nothing but a request with a body of this size, which has been read: a client may have
// sent the next one already. Then it forgets what was read.
func (r *requestReads) clear(body int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.head > 0 && r.total == r.head+body {
		clear(r.buffer)
	}
	r.forgetLocked()
}

// forget forgets what was read of a request that has ended.
func (r *requestReads) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetLocked()
}

func (r *requestReads) forgetLocked() { r.buffer, r.matched, r.total, r.head = nil, 0, 0, 0 }

// stop forgets all reads, and those to come.
func (r *requestReads) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetLocked()
	r.off = true
}
