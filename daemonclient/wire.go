package daemonclient

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// wire is the socket under the websocket. While held, it gathers the small writes of several frames into one. It
// acknowledges at once what it reads. Once watched, a read fails if nothing at all has arrived for a while, however
// long one frame takes.
type wire struct {
	net.Conn
	acknowledge func() // acknowledges what was read

	writing sync.Mutex
	held    bool
	buffer  *bufio.Writer

	reading sync.Mutex // guards the fields below; Read itself has one caller
	silence time.Duration
	renewed time.Time
	budget  int // bytes that may still arrive during the handshake; not counted once watched
}

const wireBuffer = 64 << 10

// maxHandshake is the maximum number of bytes of TLS and HTTP before the websocket is open: chains of
// certificates and headers, many times over.
const maxHandshake = 256 << 10

var errHandshakeTooLarge = garbage("the program at that address sends too much before it speaks websocket")

func newWire(conn net.Conn) *wire {
	return &wire{Conn: conn, acknowledge: acknowledger(conn), buffer: bufio.NewWriterSize(conn, wireBuffer), budget: maxHandshake}
}

// hold makes the following writes wait for release.
func (w *wire) hold() {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.held = true
}

// release sends what was held back.
func (w *wire) release() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	w.held = false
	return w.buffer.Flush()
}

func (w *wire) Write(p []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	n, err := w.buffer.Write(p)
	if err == nil && !w.held {
		err = w.buffer.Flush()
	}
	return n, err
}

// watchSilence makes reads fail from now on if nothing arrives for silence.
func (w *wire) watchSilence(silence time.Duration) error {
	w.reading.Lock()
	defer w.reading.Unlock()
	w.silence = silence
	return w.renewLocked()
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if n > 0 {
		w.acknowledge()
	}
	if n > 0 && !w.received(n) {
		return 0, errHandshakeTooLarge
	}
	return n, err
}

// received moves the deadline. A busy connection does so only every tenth of the time allowed, because each move costs
// a call into the runtime's poller. It reports false if too much has arrived before the websocket was open.
func (w *wire) received(n int) bool {
	w.reading.Lock()
	defer w.reading.Unlock()
	if w.silence == 0 {
		w.budget -= n
		return w.budget >= 0
	}
	if time.Since(w.renewed) > w.silence/10 {
		// A socket that cannot take a deadline is closed already: the next read reports it.
		_ = w.renewLocked()
	}
	return true
}

func (w *wire) renewLocked() error {
	w.renewed = time.Now()
	return w.SetReadDeadline(w.renewed.Add(w.silence))
}
