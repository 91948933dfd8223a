package daemonclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// conn is one connection: a reader and a writer goroutine, the calls that wait for their answers, and the callbacks the
// daemon may notify. It breaks once, with a reason, and is never repaired.
type conn struct {
	url    string // without secrets
	socket *websocket.Conn
	wire   *wire
	ping   time.Duration

	lastID atomic.Uint64
	timing

	mu      sync.Mutex
	failure error // why it broke; set once
	inFlight
	callbacks    map[uint64]callback
	lastCallback uint64
	sets         map[Set]uint64
	restricted   bool // the daemon denied the set of broadcasting; written before the connection is handed over

	sending    sync.Mutex    // held by whoever writes: each write moves the deadline of the socket
	wake       chan struct{} // the outbox is not empty
	done       chan struct{} // closed when broken
	goroutines sync.WaitGroup
}

// callback receives the daemon's notices of one number. Neither function may block; lost is called when the connection
// breaks, and may be nil. once means that the first notice is the last: then only one of the two is ever called.
type callback struct {
	once   bool
	notice func(args json.RawMessage)
	lost   func()
}

// writeTimeout limits one write; a daemon that reads nothing for so long is gone.
const writeTimeout = 10 * time.Second

// largestKeptBuffer is the size of the largest read buffer kept for the next frame.
const largestKeptBuffer = 1 << 20

// openConn takes over an established connection and starts its goroutines, which end when the connection breaks; close
// waits for them.
func openConn(socket *websocket.Conn, w *wire, cfg Config) *conn {
	cn := &conn{
		socket: socket, wire: w, ping: cfg.PingInterval,
		inFlight:  inFlight{waiting: map[uint64]*call{}},
		callbacks: map[uint64]callback{},
		sets:      map[Set]uint64{Login: loginSetID},
		wake:      make(chan struct{}, 1),
		done:      make(chan struct{}),
	}
	socket.SetReadLimit(cfg.ReadLimit)
	socket.SetPongHandler(func(string) error { cn.notePong(); return nil })
	socket.SetPingHandler(cn.sendPong)
	if err := w.watchSilence(cfg.PingInterval * 5 / 2); err != nil {
		cn.fail(err)
	}
	cn.goroutines.Go(cn.read)
	cn.goroutines.Go(cn.write)
	return cn
}

// close breaks the connection and waits until its goroutines have ended.
func (cn *conn) close(reason error) {
	if cn.sending.TryLock() {
		bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
		// A courtesy: the socket is closed right after, whether the message gets through or not.
		_ = cn.socket.WriteControl(websocket.CloseMessage, bye, time.Now().Add(100*time.Millisecond))
		cn.sending.Unlock()
	}
	cn.fail(reason)
	cn.goroutines.Wait()
}

// reason returns why the connection broke; nil while it is up.
func (cn *conn) reason() error {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	return cn.failure
}

// fail ends the connection: every waiting call learns that no answer will come.
func (cn *conn) fail(reason error) {
	cn.mu.Lock()
	if cn.failure != nil {
		cn.mu.Unlock()
		return
	}
	cn.failure = reason
	waiting, callbacks := cn.waiting, cn.callbacks
	cn.waiting, cn.callbacks, cn.outbox = nil, nil, nil
	cn.mu.Unlock()

	close(cn.done)
	for _, c := range waiting { // before the socket, whose end may take a moment
		c.deliver(outcome{err: reason})
	}
	cn.socket.Close()
	for _, cb := range callbacks {
		if cb.lost != nil {
			cb.lost()
		}
	}
}

// allowance returns the size in bytes of the largest message that may arrive now.
func (cn *conn) allowance() int {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	most := minReadLimit
	for _, c := range cn.waiting {
		most = max(most, c.maxSize+envelope, c.maxError+envelope)
	}
	return most
}

// read passes every message to its receiver until the connection breaks.
func (cn *conn) read() {
	var buffer bytes.Buffer
	for {
		if buffer.Cap() > largestKeptBuffer {
			buffer = bytes.Buffer{}
		}
		buffer.Reset()
		err := cn.readMessage(&buffer)
		if err == nil {
			err = cn.dispatch(buffer.Bytes(), buffer.Cap() > largestKeptBuffer)
		}
		if err != nil {
			cn.fail(err)
			return
		}
	}
}

func (cn *conn) readMessage(into *bytes.Buffer) error {
	_, message, err := cn.socket.NextReader()
	if err == nil {
		_, err = into.ReadFrom(io.LimitReader(message, minReadLimit+1))
	}
	if err == nil && into.Len() > minReadLimit {
		var rest [][]byte
		if rest, err = readRest(message, cn.allowance()-into.Len()); errors.Is(err, errTooLarge) {
			return err
		}
		for i, part := range rest {
			if i == 0 {
				into.Grow(len(rest) * len(part)) // once
			}
			into.Write(part)
		}
	}
	return readError(err)
}

// readRest reads a large message in parts, so that one that turns out too large costs no more than most bytes.
func readRest(message io.Reader, most int) (parts [][]byte, err error) {
	for {
		part := make([]byte, minReadLimit)
		n, err := io.ReadFull(message, part)
		if most -= n; most < 0 {
			return nil, errTooLarge
		}
		parts = append(parts, part[:n])
		switch err {
		case nil:
		case io.EOF, io.ErrUnexpectedEOF:
			return parts, nil
		default:
			return nil, err
		}
	}
}

var errTooLarge = garbage("a message is larger than any expected answer")

// readError returns an error that describes why nothing more can be read.
func readError(err error) error {
	var closed *websocket.CloseError
	var network net.Error
	switch {
	case err == nil:
		return nil
	case errors.Is(err, websocket.ErrReadLimit):
		return garbage("a message is larger than the limit")
	case errors.As(err, &closed) && closed.Code == websocket.CloseAbnormalClosure, errors.Is(err, io.EOF):
		return errors.New("the daemon closed the connection")
	case errors.As(err, &closed):
		return fmt.Errorf("the daemon closed the connection (websocket code %d)", closed.Code)
	case errors.As(err, &network) && network.Timeout():
		return errors.New("the daemon went silent")
	case errors.As(err, &network), errors.Is(err, net.ErrClosed), errors.Is(err, io.ErrClosedPipe):
		return connectionError(err)
	}
	return garbage("what arrives is not a websocket message")
}

// connectionError leaves out the port numbers: the same failure then has the same text each time, and is reported only once.
func connectionError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("the connection broke: %w", err)
}

// dispatch passes an answer to its call, or a notice to its callback. Answers nobody waits for any longer are dropped;
// an answer to a call that was never made, or was answered before, is an error. owned means that the message is not
// overwritten later.
func (cn *conn) dispatch(message []byte, owned bool) error {
	f, err := parseFrame(message)
	if err != nil {
		return err
	}
	if !f.hasID {
		cn.notify(f)
		return nil
	}
	now := time.Now()
	cn.noteAnswer(now)
	cn.mu.Lock()
	c := cn.waiting[f.id]
	if c != nil {
		cn.forget(c)
	}
	broken := cn.failure != nil
	cn.mu.Unlock()
	switch {
	case c == nil && broken:
		return nil
	case c == nil || c.state.Load() != callSent:
		return garbage("an answer arrived for a call that was not made, or a second answer")
	case len(f.result) > c.maxSize:
		return garbage("the answer to %s has %d bytes; at most %d are allowed", c.request.method, len(f.result), c.maxSize)
	case len(f.failure) > c.maxError:
		return garbage("the error that answers %s has %d bytes", c.request.method, len(f.failure))
	}
	if !c.started.IsZero() {
		cn.noteRoundTrip(now.Sub(c.started))
	}
	a := outcome{result: f.result, failure: f.failure}
	if !owned { // the parts are in the read buffer, which the next message overwrites
		a.result, a.failure = bytes.Clone(a.result), bytes.Clone(a.failure)
	}
	c.deliver(a)
	return nil
}

func (cn *conn) notify(f frame) {
	cn.mu.Lock()
	cb := cn.callbacks[f.callback]
	if cb.once {
		delete(cn.callbacks, f.callback)
	}
	cn.mu.Unlock()
	if cb.notice != nil {
		cb.notice(bytes.Clone(f.args))
	}
}

// write sends what is queued, all of it at once, and the pings.
func (cn *conn) write() {
	ticker := time.NewTicker(cn.ping)
	defer ticker.Stop()
	for {
		var err error
		select {
		case <-cn.done:
			return
		case <-cn.wake:
			cn.sending.Lock()
			err = cn.flush()
			cn.sending.Unlock()
		case <-ticker.C:
			err = cn.sendPing()
		}
		if err != nil {
			cn.fail(connectionError(err))
			return
		}
	}
}

// flush writes the whole outbox with as few system calls as possible.
func (cn *conn) flush() error {
	cn.mu.Lock()
	calls := cn.outbox
	cn.outbox = nil
	cn.mu.Unlock()
	if err := cn.socket.SetWriteDeadline(time.Now().Add(writeTimeout)); err != nil {
		return err
	}
	cn.wire.hold()
	var failed error
	for _, c := range calls {
		if failed == nil && c.claim() {
			failed = cn.socket.WriteMessage(websocket.TextMessage, c.frame)
		}
		c.frame = nil
	}
	if err := cn.wire.release(); failed == nil {
		failed = err
	}
	return failed
}

// sendPing asks for a pong, unless something is being written: that connection is not idle, and the write in progress
// must not get the ping's time on top of its own.
func (cn *conn) sendPing() error {
	if !cn.sending.TryLock() {
		return nil
	}
	defer cn.sending.Unlock()
	cn.notePing(time.Now())
	return cn.socket.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeTimeout))
}

func (cn *conn) sendPong(data string) error {
	cn.sending.Lock()
	defer cn.sending.Unlock()
	return cn.socket.WriteControl(websocket.PongMessage, []byte(data), time.Now().Add(writeTimeout))
}

// addCallback reserves a callback number on this connection.
func (cn *conn) addCallback(cb callback) (number uint64, err error) {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	if cn.failure != nil {
		return 0, &noAnswerError{cause: cn.failure}
	}
	cn.lastCallback++
	cn.callbacks[cn.lastCallback] = cb
	return cn.lastCallback, nil
}

// removeCallback removes a callback; later notices for it are ignored. It reports whether the callback was still there.
func (cn *conn) removeCallback(number uint64) bool {
	cn.mu.Lock()
	defer cn.mu.Unlock()
	_, there := cn.callbacks[number]
	delete(cn.callbacks, number)
	return there
}

// timing holds the times measured on a connection.
type timing struct {
	pingedAt   atomic.Int64 // Unix nanoseconds; 0 if no pong is awaited
	latency    atomic.Int64 // nanoseconds that the latest ping or timed call took; 0 if there was none
	trip       atomic.Int64 // nanoseconds; see roundTrip
	answeredAt atomic.Int64 // Unix nanoseconds of the latest answer
}

func (t *timing) notePing(at time.Time) { t.pingedAt.CompareAndSwap(0, at.UnixNano()) }

func (t *timing) notePong() {
	if sent := t.pingedAt.Swap(0); sent != 0 {
		t.latency.Store(max(time.Now().UnixNano()-sent, 1))
	}
}

func (t *timing) noteAnswer(at time.Time) { t.answeredAt.Store(at.UnixNano()) }

// noteRoundTrip records how long a timed call took (request.timed).
func (t *timing) noteRoundTrip(took time.Duration) {
	t.latency.Store(int64(max(took, 1)))
	t.trip.Store(int64(max(took, 1)))
}

// roundTrip returns how long the latest timed call took, 0 if there was none. An answer that nobody waits for any
// longer counts as well; a pong does not, because a busy daemon answers pings faster.
func (t *timing) roundTrip() time.Duration { return time.Duration(t.trip.Load()) }

// lastAnswer returns when the daemon last answered anything, but no earlier than since.
func (t *timing) lastAnswer(since time.Time) time.Time {
	if heard := time.Unix(0, t.answeredAt.Load()); heard.After(since) {
		return heard
	}
	return since
}
