package sandbox

import (
	"fmt"
	"net"
	"strings"
	"time"
)

// ConnProfile is the behaviour of connections to the node's port, and whether its blocks keep them waiting. The zero value leaves
// them as the machine makes them.
type ConnProfile struct {
	// TwoSegments sends each write in two segments with Nagle's algorithm on, as the
	// reference's node does: the second waits until the first is acknowledged, which takes
	// 40 ms if acknowledgements are delayed.
	TwoSegments bool
	// RTT is the round trip time: answers and notices are sent that much later.
	RTT time.Duration
	// VerifyBlocks recovers the key of each signature once more when a block is applied, and answers nothing that needs the
	// ledger meanwhile, as the reference's node does.
	VerifyBlocks bool
}

// maxRTT is longer than any round trip on earth.
const maxRTT = time.Minute

// ParseConnProfile parses connection properties separated by commas, such as
// "two-segments,rtt=1ms,verify-blocks". "" is the zero value.
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
	case name == "verify-blocks" && !valued && !l.VerifyBlocks:
		l.VerifyBlocks = true
	case name == "rtt" && l.RTT == 0:
		l.RTT, err = time.ParseDuration(value)
		if err != nil || l.RTT <= 0 || l.RTT > maxRTT {
			return fmt.Errorf("%q is not the time of a round trip; write it like rtt=1ms, at most rtt=1m", word)
		}
	case (name == "two-segments" || name == "verify-blocks") && !valued, name == "rtt":
		return fmt.Errorf("%s is given twice; give it once", name)
	default:
		return fmt.Errorf("%q is not a connection property; write two-segments, rtt=1ms, verify-blocks, or several with commas", word)
	}
	return nil
}

// segmentListener accepts connections that send each write in two segments.
type segmentListener struct{ net.Listener }

func (l segmentListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		// If this fails, the second segment just does not wait.
		_ = tcp.SetNoDelay(false)
	}
	return twoSegments{conn}, nil
}

// twoSegments is a connection that writes the first bytes separately from the others.
type twoSegments struct{ net.Conn }

// firstSegment is the size of a websocket header, which the node writes separately.
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
