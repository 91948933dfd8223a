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

// line is one connection: a reader and a writer goroutine, the calls that wait
// for their answers and the callbacks the daemon may notify. It breaks once,
// with a reason, and is never mended.
type line struct {
	url  string // without secrets
	conn *websocket.Conn
	wire *wire
	ping time.Duration

	lastID   atomic.Uint64
	pingedAt atomic.Int64 // Unix nanoseconds; 0 when no pong is awaited
	latency  atomic.Int64 // nanoseconds
	heard    atomic.Int64 // Unix nanoseconds of the latest answer

	mu           sync.Mutex
	broken       error // why; set once
	waiting      map[uint64]*call
	outbox       []*call
	callbacks    map[uint64]callback
	lastCallback uint64
	sets         map[Set]uint64

	wake chan struct{} // the outbox is not empty
	done chan struct{} // closed when broken
	ends sync.WaitGroup
}

// callback is what the daemon's notices of one number go to. Neither function
// may block; lost is called when the line breaks, and may be nil. Once means
// that the first notice is the last: then only one of the two is ever called.
type callback struct {
	once   bool
	notice func(args json.RawMessage)
	lost   func()
}

// writeWait bounds one write; a daemon that reads nothing for so long is gone.
const writeWait = 10 * time.Second

// keptBuffer is the largest read buffer kept for the next frame.
const keptBuffer = 1 << 20

// openLine takes over an established connection and starts its goroutines,
// which end when the line breaks; hangUp waits for them.
func openLine(conn *websocket.Conn, w *wire, cfg Config) *line {
	l := &line{
		conn: conn, wire: w, ping: cfg.PingInterval,
		waiting:   map[uint64]*call{},
		callbacks: map[uint64]callback{},
		sets:      map[Set]uint64{Login: loginSetID},
		wake:      make(chan struct{}, 1),
		done:      make(chan struct{}),
	}
	conn.SetReadLimit(cfg.ReadLimit)
	conn.SetPongHandler(func(string) error { l.ponged(); return nil })
	if err := w.watch(cfg.PingInterval * 5 / 2); err != nil {
		l.breakOff(err)
	}
	l.ends.Go(l.read)
	l.ends.Go(l.write)
	return l
}

// hangUp breaks the line and waits until its goroutines have ended.
func (l *line) hangUp(reason error) {
	bye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
	// A courtesy: the socket is closed right after, whether it got through or not.
	_ = l.conn.WriteControl(websocket.CloseMessage, bye, time.Now().Add(100*time.Millisecond))
	l.breakOff(reason)
	l.ends.Wait()
}

// reason says why the line broke; nil while it holds.
func (l *line) reason() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.broken
}

// breakOff ends the line: every waiting call learns that no answer will come.
func (l *line) breakOff(reason error) {
	l.mu.Lock()
	if l.broken != nil {
		l.mu.Unlock()
		return
	}
	l.broken = reason
	waiting, callbacks := l.waiting, l.callbacks
	l.waiting, l.callbacks, l.outbox = nil, nil, nil
	l.mu.Unlock()

	close(l.done)
	for _, c := range waiting { // before the socket, whose end may take a moment
		c.finish(answer{lost: reason})
	}
	l.conn.Close()
	for _, cb := range callbacks {
		if cb.lost != nil {
			cb.lost()
		}
	}
}

// allowance is the size of the largest message that may come now.
func (l *line) allowance() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	most := leastRead
	for _, c := range l.waiting {
		most = max(most, c.most+envelope)
	}
	return most
}

// read hands every message to whom it is for, until the line breaks.
func (l *line) read() {
	var buffer bytes.Buffer
	for {
		if buffer.Cap() > keptBuffer {
			buffer = bytes.Buffer{}
		}
		buffer.Reset()
		err := l.readMessage(&buffer)
		if err == nil {
			err = l.dispatch(buffer.Bytes(), buffer.Cap() > keptBuffer)
		}
		if err != nil {
			l.breakOff(err)
			return
		}
	}
}

func (l *line) readMessage(into *bytes.Buffer) error {
	_, message, err := l.conn.NextReader()
	if err == nil {
		_, err = into.ReadFrom(io.LimitReader(message, leastRead+1))
	}
	if err == nil && into.Len() > leastRead {
		var rest [][]byte
		if rest, err = readRest(message, l.allowance()-into.Len()); errors.Is(err, errTooLarge) {
			return err
		}
		for i, part := range rest {
			if i == 0 {
				into.Grow(len(rest) * len(part)) // once
			}
			into.Write(part)
		}
	}
	return readFailure(err)
}

// readRest reads a large message in parts, so that one that turns out too large costs
// no more than most.
func readRest(message io.Reader, most int) (parts [][]byte, err error) {
	for {
		part := make([]byte, leastRead)
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

var errTooLarge = garbage("a message is larger than anything that was asked for")

// readFailure says in words why nothing can be read any more.
func readFailure(err error) error {
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
		return brokenConnection(err)
	}
	return garbage("what arrives is not a websocket message")
}

// brokenConnection leaves the port numbers out: the same failure has the same
// text each time, so it is news only once.
func brokenConnection(err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return fmt.Errorf("the connection broke: %w", err)
}

// dispatch gives an answer to its call, or a notice to its callback. Answers
// nobody waits for any more are dropped; one to a call that was never made, or was answered
// before, is an error.
// With owned the message is not overwritten later.
func (l *line) dispatch(message []byte, owned bool) error {
	f, err := parseFrame(message)
	if err != nil {
		return err
	}
	if !f.hasID {
		l.notify(f)
		return nil
	}
	l.heard.Store(time.Now().UnixNano())
	l.mu.Lock()
	c := l.waiting[f.id]
	delete(l.waiting, f.id)
	broken := l.broken != nil
	l.mu.Unlock()
	switch {
	case c == nil && broken:
		return nil
	case c == nil || c.state.Load() != callSent:
		return garbage("an answer came to a call that was not made, or a second one")
	case len(f.result) > c.most:
		return garbage("the answer to %s has %d bytes; %d at most fit what was asked", c.request.method, len(f.result), c.most)
	case len(f.failure) > errorSize:
		return garbage("the error that answers %s has %d bytes", c.request.method, len(f.failure))
	}
	a := answer{result: f.result, failure: f.failure}
	if !owned { // the parts lie in the read buffer, which the next message overwrites
		a.result, a.failure = bytes.Clone(a.result), bytes.Clone(a.failure)
	}
	c.finish(a)
	return nil
}

func (l *line) notify(f frame) {
	l.mu.Lock()
	cb := l.callbacks[f.callback]
	if cb.once {
		delete(l.callbacks, f.callback)
	}
	l.mu.Unlock()
	if cb.notice != nil {
		cb.notice(bytes.Clone(f.args))
	}
}

// write sends what is queued, as much as there is at a time, and the pings.
func (l *line) write() {
	ticker := time.NewTicker(l.ping)
	defer ticker.Stop()
	for {
		var err error
		select {
		case <-l.done:
			return
		case <-l.wake:
			err = l.flush()
		case <-ticker.C:
			err = l.sendPing()
		}
		if err != nil {
			l.breakOff(brokenConnection(err))
			return
		}
	}
}

// flush writes the whole outbox with as few system calls as possible.
func (l *line) flush() error {
	l.mu.Lock()
	calls := l.outbox
	l.outbox = nil
	l.mu.Unlock()
	if err := l.conn.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return err
	}
	l.wire.hold()
	var failed error
	for _, c := range calls {
		if failed == nil && c.take() {
			failed = l.conn.WriteMessage(websocket.TextMessage, c.frame)
		}
		c.frame = nil
	}
	if err := l.wire.release(); failed == nil {
		failed = err
	}
	return failed
}

func (l *line) sendPing() error {
	l.pingedAt.CompareAndSwap(0, time.Now().UnixNano())
	return l.conn.WriteControl(websocket.PingMessage, nil, time.Now().Add(writeWait))
}

func (l *line) ponged() {
	if sent := l.pingedAt.Swap(0); sent != 0 {
		l.latency.Store(time.Now().UnixNano() - sent)
	}
}

// lastHeard is when the daemon last answered anything, but not before begun.
func (l *line) lastHeard(begun time.Time) time.Time {
	if heard := time.Unix(0, l.heard.Load()); heard.After(begun) {
		return heard
	}
	return begun
}

// listen reserves a callback number of this line.
func (l *line) listen(cb callback) (number uint64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken != nil {
		return 0, &unansweredError{cause: l.broken}
	}
	l.lastCallback++
	l.callbacks[l.lastCallback] = cb
	return l.lastCallback, nil
}

// forget drops a callback; later notices for it are ignored. It reports whether
// the callback was still there.
func (l *line) forget(number uint64) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, there := l.callbacks[number]
	delete(l.callbacks, number)
	return there
}
