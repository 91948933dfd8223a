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
	rtt    time.Duration // round trip time to simulate
	out    chan outgoing
	done   chan struct{}  // closed when the writer has ended
	late   sync.WaitGroup // delayed answers that are still to be sent
	alarm  *alarm         // for exact delays; nil if rtt is 0

	developer atomic.Bool // the connection is exempt from faults
	sent      sentFrames
}

// outgoing is a frame and the time to send it; the zero time means at once.
type outgoing struct {
	frame []byte
	due   time.Time
}

func newConn(socket *websocket.Conn, f *Faults, rtt time.Duration) *conn {
	return &conn{socket: socket, faults: f, rtt: rtt, out: make(chan outgoing, queueLength), done: make(chan struct{})}
}

// answerer returns the reply to a frame, or nil for none, and how much later than
// other replies to send it.
type answerer func(frame []byte) (reply []byte, lag time.Duration)

// run reads frames and answers them in order until the connection ends. It
// returns after the writer has ended too.
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
		c.alarm.close()
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
			if !c.await(next, stop) || !c.allowFrame() {
				return
			}
			_ = c.socket.SetWriteDeadline(time.Now().Add(writeTimeout))
			if c.socket.WriteMessage(websocket.TextMessage, next.frame) != nil {
				return
			}
		}
	}
}

// await waits until the frame is due. It returns false if the connection ends first.
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

// shortWait is the wait below which the alarm is used for precision.
const shortWait = 20 * time.Millisecond

// await waits until the frame is due. It returns false if stop is closed first.
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

// reply queues a frame and waits for room in the queue: a client that does not read
// answers gets no further calls answered. It returns false if the connection has ended.
func (c *conn) reply(frame []byte) bool {
	select {
	case c.out <- c.stamp(frame):
		return true
	case <-c.done:
		return false
	}
}

// replyLate sends a reply after a delay, so that other answers overtake it.
func (c *conn) replyLate(frame []byte, by time.Duration) {
	c.late.Go(func() {
		if (outgoing{due: time.Now().Add(by)}).await(c.done) {
			c.reply(frame)
		}
	})
}

// sendNotice queues a frame without waiting; a client that reads too slowly is disconnected.
func (c *conn) sendNotice(frame []byte) {
	select {
	case c.out <- c.stamp(frame):
	default:
		_ = c.socket.Close()
	}
}

// allowFrame counts a frame that is about to be sent, and reports whether the faults let it through.
func (c *conn) allowFrame() bool { return c.exempt() || c.faults.allowFrame(&c.sent) }

func (c *conn) exempt() bool { return c.developer.Load() }

// setDeveloper exempts the connection from all faults.
func (c *conn) setDeveloper() {
	c.developer.Store(true)
	if slow, ok := c.socket.NetConn().(*faultConn); ok {
		slow.exempt.Store(true)
	}
}
