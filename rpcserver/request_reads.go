package rpcserver

import (
	"bytes"
	"sync"
)

// requestReads remembers where an HTTP request was read into: the buffer of net/http, which it uses again without overwriting it, and
// which would keep a password or a key until then.
type requestReads struct {
	mu     sync.Mutex
	buffer []byte // from the first byte of the request to the end of the buffer
	total  int    // bytes read since the request before
	head   int    // of these, the request's header; 0 = it has not ended yet
	last   []byte // the latest bytes of the header, to find its end
	off    bool   // nothing more is remembered
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
	if r.head == 0 {
		const end = "\r\n\r\n"
		window := append(r.last, p...)
		if i := bytes.Index(window, []byte(end)); i >= 0 {
			r.head, window = r.total-len(r.last)+i+len(end), nil
		}
		r.last = bytes.Clone(window[max(0, len(window)-len(end)+1):])
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

func (r *requestReads) forgetLocked() { r.buffer, r.last, r.total, r.head = nil, nil, 0, 0 }

// stop forgets all reads, and those to come.
func (r *requestReads) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetLocked()
	r.off = true
}
