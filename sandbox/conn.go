package sandbox

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
)

// conn is one websocket with its single writer.
type conn struct {
	socket *websocket.Conn
	faults *Faults
	rtt    time.Duration // of the line
	out    chan outgoing
	done   chan struct{}  // closed when the writer has ended
	late   sync.WaitGroup // answers that wait for their time
	alarm  *alarm         // for the line; nil where it takes no time

	developer atomic.Bool // no fault concerns it
	sent      sentFrames
}

// outgoing is a frame and when it leaves; the zero time is at once.
type outgoing struct {
	frame []byte
	due   time.Time
}

func newConn(socket *websocket.Conn, f *Faults, rtt time.Duration) *conn {
	return &conn{socket: socket, faults: f, rtt: rtt, out: make(chan outgoing, queueLength), done: make(chan struct{})}
}

// answerer returns the reply to a frame, nil for none, and how much later than
// other replies it leaves.
type answerer func(frame []byte) (reply []byte, lag time.Duration)

// run reads frames and answers them in their order until the connection ends;
// it returns when the writer has ended too.
func (c *conn) run(answer answerer) {
	stop := make(chan struct{})
	if c.rtt > 0 {
		c.alarm = newAlarm()
	}
	go c.write(stop)
	for {
		_, frame, err := c.socket.ReadMessage()
		if err != nil {
			break
		}
		reply, lag := answer(frame)
		if reply != nil && lag > 0 && !c.exempt() {
			c.replyLate(reply, lag)
		} else if reply != nil && !c.reply(reply) {
			break
		}
	}
	close(stop)
	if c.alarm != nil {
		c.alarm.end()
	}
	<-c.done
	c.late.Wait()
}

func (c *conn) write(stop <-chan struct{}) {
	defer close(c.done)
	defer c.socket.Close() // ends the reader as well
	for {
		select {
		case <-stop:
			return
		case next := <-c.out:
			if !c.await(next, stop) || !c.mayPass() {
				return
			}
			_ = c.socket.SetWriteDeadline(time.Now().Add(writeTimeout))
			if c.socket.WriteMessage(websocket.TextMessage, next.frame) != nil {
				return
			}
		}
	}
}

// await waits until the frame may leave; false means never.
func (c *conn) await(next outgoing, stop <-chan struct{}) bool {
	if left := time.Until(next.due); c.alarm != nil && left > 0 && left < shortWait && c.alarm.sleep(left) {
		select {
		case <-stop:
			return false
		default:
			return true
		}
	}
	return next.await(stop)
}

// shortWait is what has to be waited for exactly.
const shortWait = 20 * time.Millisecond

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

func (c *conn) stamp(frame []byte) outgoing {
	lag := c.rtt
	if !c.exempt() {
		lag += c.faults.lag()
	}
	if lag > 0 {
		return outgoing{frame, time.Now().Add(lag)}
	}
	return outgoing{frame: frame}
}

// reply waits for room: who does not read answers gets no further questions answered.
func (c *conn) reply(frame []byte) bool {
	select {
	case c.out <- c.stamp(frame):
		return true
	case <-c.done:
		return false
	}
}

// replyLate lets other answers overtake this one.
func (c *conn) replyLate(frame []byte, by time.Duration) {
	c.late.Go(func() {
		if (outgoing{due: time.Now().Add(by)}).await(c.done) {
			c.reply(frame)
		}
	})
}

// notice never waits; a reader that is too slow is cut off.
func (c *conn) notice(frame []byte) {
	select {
	case c.out <- c.stamp(frame):
	default:
		_ = c.socket.Close()
	}
}

// mayPass counts a frame that is about to be sent.
func (c *conn) mayPass() bool { return c.exempt() || c.faults.mayPass(&c.sent) }

func (c *conn) exempt() bool { return c.developer.Load() }

// spare keeps all faults away from the connection from now on.
func (c *conn) spare() {
	c.developer.Store(true)
	if slow, ok := c.socket.NetConn().(*faultConn); ok {
		slow.exempt.Store(true)
	}
}
