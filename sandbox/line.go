package sandbox

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// line is one websocket with its single writer.
type line struct {
	conn   *websocket.Conn
	faults *faults
	out    chan outgoing
	done   chan struct{}  // closed when the writer has ended
	late   sync.WaitGroup // answers that wait for their time

	developer atomic.Bool // no fault concerns it
	plan      int         // of the drop plan that sent is counted for
	sent      int
}

// outgoing is a frame and when it leaves; the zero time is at once.
type outgoing struct {
	frame []byte
	due   time.Time
}

func newLine(conn *websocket.Conn, f *faults) *line {
	return &line{conn: conn, faults: f, out: make(chan outgoing, queueLength), done: make(chan struct{})}
}

// run reads frames and answers them in their order until the connection ends;
// it returns when the writer has ended too.
func (l *line) run(s *session) {
	stop := make(chan struct{})
	go l.write(stop)
	for {
		_, frame, err := l.conn.ReadMessage()
		if err != nil {
			break
		}
		s.lag = 0
		reply := s.answer(frame)
		if reply != nil && s.lag > 0 && !l.exempt() {
			l.replyLate(reply, s.lag)
		} else if reply != nil && !l.reply(reply) {
			break
		}
	}
	close(stop)
	<-l.done
	l.late.Wait()
}

func (l *line) write(stop <-chan struct{}) {
	defer close(l.done)
	defer l.conn.Close() // ends the reader as well
	for {
		select {
		case <-stop:
			return
		case next := <-l.out:
			if !next.await(stop) || !l.faults.frame(l) {
				return
			}
			_ = l.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
			if l.conn.WriteMessage(websocket.TextMessage, next.frame) != nil {
				return
			}
		}
	}
}

// await waits until the frame may leave; false means never.
func (o outgoing) await(stop <-chan struct{}) bool {
	if o.due.IsZero() {
		return true
	}
	t := time.NewTimer(time.Until(o.due))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-stop:
		return false
	}
}

func (l *line) stamp(frame []byte) outgoing {
	if lag := l.faults.lag(); lag > 0 && !l.exempt() {
		return outgoing{frame, time.Now().Add(lag)}
	}
	return outgoing{frame: frame}
}

// reply waits for room: who does not read answers gets no further questions answered.
func (l *line) reply(frame []byte) bool {
	select {
	case l.out <- l.stamp(frame):
		return true
	case <-l.done:
		return false
	}
}

// replyLate lets other answers overtake this one.
func (l *line) replyLate(frame []byte, by time.Duration) {
	l.late.Go(func() {
		if (outgoing{due: time.Now().Add(by)}).await(l.done) {
			l.reply(frame)
		}
	})
}

// notice never waits; a reader that is too slow is cut off.
func (l *line) notice(frame []byte) {
	select {
	case l.out <- l.stamp(frame):
	default:
		_ = l.conn.Close()
	}
}

func (l *line) exempt() bool { return l.developer.Load() }

// spare keeps all faults away from the line from now on.
func (l *line) spare() {
	l.developer.Store(true)
	if conn, ok := l.conn.NetConn().(*faultConn); ok {
		conn.exempt.Store(true)
	}
}
