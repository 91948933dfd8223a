package sandbox

import (
	"time"

	"github.com/gorilla/websocket"
)

// line is one websocket with its single writer.
type line struct {
	conn *websocket.Conn
	out  chan []byte
	done chan struct{} // closed when the writer has ended
}

func newLine(conn *websocket.Conn) *line {
	return &line{conn: conn, out: make(chan []byte, queueLength), done: make(chan struct{})}
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
		if reply := s.answer(frame); reply != nil && !l.reply(reply) {
			break
		}
	}
	close(stop)
	<-l.done
}

func (l *line) write(stop <-chan struct{}) {
	defer close(l.done)
	defer l.conn.Close() // ends the reader as well
	for {
		select {
		case <-stop:
			return
		case frame := <-l.out:
			_ = l.conn.SetWriteDeadline(time.Now().Add(writeTimeout))
			if l.conn.WriteMessage(websocket.TextMessage, frame) != nil {
				return
			}
		}
	}
}

// reply waits for room: who does not read answers gets no further questions answered.
func (l *line) reply(frame []byte) bool {
	select {
	case l.out <- frame:
		return true
	case <-l.done:
		return false
	}
}

// notice never waits; a reader that is too slow is cut off.
func (l *line) notice(frame []byte) {
	select {
	case l.out <- frame:
	default:
		_ = l.conn.Close()
	}
}
