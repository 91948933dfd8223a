//go:build linux

package storetest

import (
	"bufio"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// link is one connection through a relay.
type link struct {
	network   *network
	near, far net.Conn

	answer  atomic.Bool // the server's next answer is a single byte, not a message
	swallow atomic.Bool // nothing that the server says is passed on

	committing atomic.Bool // the server is executing a COMMIT
}

// cut breaks the connection.
func (l *link) cut() {
	_ = l.near.Close()
	_ = l.far.Close()
}

// run passes on what both sides say until one ends.
func (l *link) run() {
	var both sync.WaitGroup
	both.Go(func() { l.pass(l.near, l.far, l.fromClient()) })
	both.Go(func() { l.pass(l.far, l.near, l.fromServer()) })
	both.Wait()
}

// chunk is data on its way. The connection breaks after one that is the last.
type chunk struct {
	raw  []byte
	at   time.Time
	last bool
}

// maxChunks is the number of chunks that may be on their way before the sender has to wait.
const maxChunks = 4096

// pass reads with next, and writes each chunk when it is due.
func (l *link) pass(from, to net.Conn, next func(*bufio.Reader) (raw []byte, last bool, err error)) {
	way := make(chan chunk, maxChunks)
	var writer sync.WaitGroup
	writer.Go(func() {
		defer l.cut()
		out := bufio.NewWriter(to)
		for s := range way {
			l.network.wait(s.at, func() { _ = out.Flush() }) // its error is returned again by the next write
			_, err := out.Write(s.raw)
			if len(way) == 0 || s.last {
				err = out.Flush()
			}
			if err != nil || s.last {
				break
			}
		}
		l.cut()
		for range way { // until the reader notices
		}
	})
	in := bufio.NewReader(from)
	for {
		raw, last, err := next(in)
		if err != nil {
			break
		}
		if way <- (chunk{raw, time.Now(), last}); last {
			break
		}
	}
	close(way)
	writer.Wait()
}

// fromClient reads what the client says, and applies faults to its COMMITs.
func (l *link) fromClient() func(*bufio.Reader) ([]byte, bool, error) {
	first, seen := true, statements{map[string]int{}}
	return func(in *bufio.Reader) ([]byte, bool, error) {
		m, err := readMessage(in, first)
		if err != nil {
			return nil, false, err
		}
		if first {
			switch m.request() {
			case askTLS, askGSS:
				l.answer.Store(true)
			case askCancel:
				l.network.count(&l.network.cancels)
				first = false
			default:
				first = false
			}
			return m.raw, false, nil
		}
		switch seen.classify(m) {
		case begin:
			l.network.reach(AtBegin)
			return m.raw, false, nil
		case other:
			return m.raw, false, nil
		}
		l.network.reach(AtCommit)
		l.committing.Store(true)
		switch l.network.nextFault() {
		case LoseCommit:
			return nil, true, nil
		case CutCommit:
			return append(m.raw, executeMessages(m)...), true, nil
		case LoseAnswer:
			l.swallow.Store(true)
		}
		return m.raw, false, nil
	}
}

// executeMessages returns what has to follow a Bind so that the server executes the statement.
func executeMessages(m message) []byte {
	if m.kind != 'B' {
		return nil
	}
	return []byte{
		'E', 0, 0, 0, 9, 0, 0, 0, 0, 0, // run it, all of its rows
		'S', 0, 0, 0, 4, // and commit
	}
}

// fromServer reads what the server says.
func (l *link) fromServer() func(*bufio.Reader) ([]byte, bool, error) {
	return func(in *bufio.Reader) ([]byte, bool, error) {
		if next, err := in.Peek(1); err == nil && l.answer.CompareAndSwap(true, false) {
			_, err = in.Discard(1)
			return []byte{next[0]}, false, err
		}
		m, err := readMessage(in, false)
		if err != nil {
			return nil, false, err
		}
		if m.kind == ready && l.committing.CompareAndSwap(true, false) {
			l.network.reach(Committed)
		}
		if l.swallow.Load() {
			return nil, m.kind == ready, nil
		}
		return m.raw, false, nil
	}
}

// ready is the kind of message with which a server reports that it is ready for the next statement: the one before is
// then committed, even if it commits by itself.
const ready = 'Z'
