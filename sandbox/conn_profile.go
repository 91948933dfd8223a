package sandbox

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// ConnProfile is how connections to the node's port behave. The zero value is a port of
// this machine as it is.
type ConnProfile struct {
	// TwoSegments sends what is written in two pieces with Nagle's algorithm on, as the
	// reference's node does: the second waits until the first is acknowledged, for 40 ms
	// where acknowledgements are delayed.
	TwoSegments bool
	// RTT is a round trip: answers and notices leave that much later.
	RTT time.Duration
}

// maxRTT is longer than any connection on earth takes.
const maxRTT = time.Minute

// ParseConnProfile reads properties of a connection with commas between them, such as
// "two-segments,rtt=1ms". "" is the zero value.
func ParseConnProfile(text string) (ConnProfile, error) {
	var l ConnProfile
	if text == "" {
		return l, nil
	}
	for word := range strings.SplitSeq(text, ",") {
		if err := l.read(word); err != nil {
			return ConnProfile{}, err
		}
	}
	return l, nil
}

func (l *ConnProfile) read(word string) (err error) {
	name, value, valued := strings.Cut(word, "=")
	switch {
	case name == "two-segments" && !valued && !l.TwoSegments:
		l.TwoSegments = true
	case name == "rtt" && l.RTT == 0:
		l.RTT, err = time.ParseDuration(value)
		if err != nil || l.RTT <= 0 || l.RTT > maxRTT {
			return fmt.Errorf("%q is not the time of a round trip; write it like rtt=1ms, at most rtt=1m", word)
		}
	case name == "two-segments" && !valued, name == "rtt":
		return fmt.Errorf("%s is there twice; give it once", name)
	default:
		return fmt.Errorf("%q is not a property of a line; write two-segments, rtt=1ms, or both with a comma", word)
	}
	return nil
}

// segmentListener accepts connections that write in two segments.
type segmentListener struct{ net.Listener }

func (l segmentListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		// Without Nagle the second piece does not wait, which is all that is lost.
		_ = tcp.SetNoDelay(false)
	}
	return twoSegments{conn}, nil
}

// twoSegments is a connection that writes the first bytes apart from the others.
type twoSegments struct{ net.Conn }

// firstSegment is the size of a websocket header, which the node writes by itself.
const firstSegment = 4

func (c twoSegments) Write(p []byte) (int, error) {
	if len(p) <= firstSegment {
		return c.Conn.Write(p)
	}
	n, err := c.Conn.Write(p[:firstSegment])
	if err != nil {
		return n, err
	}
	rest, err := c.Conn.Write(p[firstSegment:])
	return n + rest, err
}
