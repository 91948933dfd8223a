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

	answer  atomic.Bool // the server answers with a byte next, which is no message
	swallow atomic.Bool // nothing of what the server says is told

	committing atomic.Bool // the server does a COMMIT
}

// cut breaks it.
func (l *link) cut() {
	_ = l.near.Close()
	_ = l.far.Close()
}

// run passes on what is said until one side ends.
func (l *link) run() {
	var both sync.WaitGroup
	both.Go(func() { l.pass(l.near, l.far, l.asked()) })
	both.Go(func() { l.pass(l.far, l.near, l.answered()) })
	both.Wait()
}

// said is something that is on its way. The line ends behind one that is the last.
type said struct {
	raw  []byte
	at   time.Time
	last bool
}

// onTheWay is how much a line holds before who speaks has to wait.
const onTheWay = 4096

// pass reads with next, and writes when it is time.
func (l *link) pass(from, to net.Conn, next func(*bufio.Reader) (raw []byte, last bool, err error)) {
	way := make(chan said, onTheWay)
	var writer sync.WaitGroup
	writer.Go(func() {
		defer l.cut()
		out := bufio.NewWriter(to)
		for s := range way {
			l.network.wait(s.at, func() { _ = out.Flush() }) // its error comes again
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
		if way <- (said{raw, time.Now(), last}); last {
			break
		}
	}
	close(way)
	writer.Wait()
}

// asked reads what the client says, and meets its COMMITs.
func (l *link) asked() func(*bufio.Reader) ([]byte, bool, error) {
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
		switch seen.of(m) {
		case begin:
			l.network.comes(AtBegin)
			return m.raw, false, nil
		case other:
			return m.raw, false, nil
		}
		l.network.comes(AtCommit)
		l.committing.Store(true)
		switch l.network.meets() {
		case LoseCommit:
			return nil, true, nil
		case CutCommit:
			return append(m.raw, executed(m)...), true, nil
		case LoseAnswer:
			l.swallow.Store(true)
		}
		return m.raw, false, nil
	}
}

// executed is what has to follow so that a server does what a prepared statement was bound for.
func executed(m message) []byte {
	if m.kind != 'B' {
		return nil
	}
	return []byte{
		'E', 0, 0, 0, 9, 0, 0, 0, 0, 0, // run it, all of its rows
		'S', 0, 0, 0, 4, // and commit
	}
}

// answered reads what the server says.
func (l *link) answered() func(*bufio.Reader) ([]byte, bool, error) {
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
			l.network.comes(Committed)
		}
		if l.swallow.Load() {
			return nil, m.kind == ready, nil
		}
		return m.raw, false, nil
	}
}

// ready is the kind of message that says that a server is ready for the next statement: then the one before is committed, also
// one that commits by itself.
const ready = 'Z'
