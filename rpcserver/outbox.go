package rpcserver

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// outbox is a connection that knows whether its client reads, and which memory the latest request was read into.
type outbox struct {
	net.Conn
	reads   requestReads
	writing atomic.Int32 // writes under way
	moved   atomic.Int64 // when a write began or the client last took something, in Unix nanoseconds
	window  atomic.Int64 // how long a piece may take, in nanoseconds; 0 = as long as it likes
	spared  atomic.Int64 // bytes of answers on it that no budget counts

	calls     context.Context // of the calls on it, which ends with the server; nil = not known
	encrypted bool            // by TLS

	mu       sync.Mutex
	held     int           // bytes of answers on it
	fewer    chan struct{} // closed when there are fewer; nil = nobody waits
	readEnd  error         // why nothing more can be read; nil = more can
	ahead    int           // bytes of answerStart that were sent before the answer, see probe
	answered bool          // the answer has begun
}

// writePiece is the number of bytes written at a time, so that a slow reader is told from one that stands still.
const writePiece = 16 << 10

// kernelBuffer is the number of unread bytes that the system may keep for one connection, which by itself it lets grow to
// megabytes. A third of it must be read before a writer continues.
const kernelBuffer = 64 << 10

// maxUnread is the number of bytes of answers that may wait on a websocket before no more of its messages are read.
const maxUnread = 64 << 10

// outboxListener makes each connection an outbox.
type outboxListener struct{ net.Listener }

// Accept returns the next connection.
func (l outboxListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if b, limited := conn.(interface{ SetWriteBuffer(bytes int) error }); limited {
		_ = b.SetWriteBuffer(kernelBuffer) // it only saves memory
	}
	return &outbox{Conn: conn}, nil
}

// Read reads what the client sends.
func (o *outbox) Read(p []byte) (int, error) {
	n, err := o.Conn.Read(p)
	o.reads.note(p, p[:n])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		o.mu.Lock()
		o.readEnd = err
		o.mu.Unlock()
	}
	return n, err
}

// SetWriteDeadline sets when the next write fails. A write of several pieces has as long for each of them.
func (o *outbox) SetWriteDeadline(t time.Time) error {
	window := time.Duration(0)
	if !t.IsZero() {
		window = max(time.Until(t), 1)
	}
	o.window.Store(int64(window))
	return o.Conn.SetWriteDeadline(t)
}

// SetDeadline sets the deadlines of reads and writes.
func (o *outbox) SetDeadline(t time.Time) error {
	return errors.Join(o.SetReadDeadline(t), o.SetWriteDeadline(t))
}

// hold counts n more bytes of answers on the connection, or fewer.
func (o *outbox) hold(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.held += n; n < 0 && o.fewer != nil {
		close(o.fewer)
		o.fewer = nil
	}
}

// awaitReader waits until the client has read so much that further messages may be executed.
func (o *outbox) awaitReader(ctx context.Context) {
	for {
		o.mu.Lock()
		if o.held <= maxUnread {
			o.mu.Unlock()
			return
		}
		if o.fewer == nil {
			o.fewer = make(chan struct{})
		}
		fewer := o.fewer
		o.mu.Unlock()
		select {
		case <-fewer:
		case <-ctx.Done():
			return
		}
	}
}

// Write writes p in pieces, except for what probe has sent of it.
func (o *outbox) Write(p []byte) (written int, err error) {
	sent := o.beginAnswer(len(p))
	written, err = o.write(p[sent:])
	return sent + written, err
}

func (o *outbox) write(p []byte) (written int, err error) {
	o.writing.Add(1)
	defer o.writing.Add(-1)
	o.moved.Store(time.Now().UnixNano())
	for {
		n, err := o.Conn.Write(p[written:min(len(p), written+writePiece)])
		o.moved.Store(time.Now().UnixNano())
		if written += n; err != nil || written == len(p) {
			return written, err
		}
		if window := time.Duration(o.window.Load()); window > 0 {
			_ = o.Conn.SetWriteDeadline(time.Now().Add(window))
		}
	}
}

// stalledFor returns how long a write has waited for the client to read, 0 if none does.
func (o *outbox) stalledFor() time.Duration {
	if o.writing.Load() == 0 {
		return 0
	}
	return time.Since(time.Unix(0, o.moved.Load()))
}

// spare counts n bytes of answers that no budget counts, and reports false if the connection has too many of them.
func (o *outbox) spare(n int) bool {
	if o.spared.Add(int64(n)) <= sparedBytes {
		return true
	}
	o.spared.Add(int64(-n))
	return false
}

// outboxOf returns the outbox under a connection that a listener accepted.
func outboxOf(conn net.Conn) *outbox {
	if over, encrypted := conn.(*tls.Conn); encrypted {
		conn = over.NetConn()
	}
	if o, counted := conn.(*outbox); counted {
		return o
	}
	return &outbox{Conn: conn}
}
