package sandbox

import (
	"net"
	"strings"
	"testing"
	"time"
)

func TestParseLine(t *testing.T) {
	for text, want := range map[string]ConnProfile{
		"": {}, "two-segments": {TwoSegments: true}, "rtt=1ms": {RTT: time.Millisecond},
		"two-segments,rtt=1ms": {true, time.Millisecond, false}, "rtt=1m,two-segments": {true, time.Minute, false},
		"two-segments,rtt=1ms,verify-blocks": {true, time.Millisecond, true},
	} {
		if got, err := ParseConnProfile(text); err != nil || got != want {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"fast": `"fast" is not a connection property`, "two-segments,": `"" is not a connection property`,
		"two-segments=yes": "is not a connection property", "Two-Segments": "is not a connection property",
		"rtt": "write it like rtt=1ms", "rtt=1": "write it like rtt=1ms", "rtt=0s": "write it like rtt=1ms",
		"rtt=-1ms": "write it like", "rtt=2h": "at most rtt=1m", "rtt=1ms, two-segments": `" two-segments" is not`,
		"rtt=1ms,rtt=2ms": "rtt is given twice", "two-segments,two-segments": "two-segments is given twice",
		"verify-blocks,verify-blocks": "verify-blocks is given twice", "verify-blocks=yes": "is not a connection property",
	} {
		if got, err := ParseConnProfile(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %+v, %v", text, got, err)
		}
	}
}

// The first bytes of an answer come by themselves, the others after them, and all a
// round trip later.
func TestAnswersComeInTwoSegmentsARoundTripLater(t *testing.T) {
	const rtt = 20 * time.Millisecond
	s := start(t, Options{Conn: ConnProfile{TwoSegments: true, RTT: rtt}})
	begun := time.Now()
	dial(t, s).get(nil, 0, "info")
	if took := time.Since(begun); took < rtt {
		t.Errorf("the answer came after %s", took)
	}
	begun = time.Now()
	if got := post(t, s, `{"id":3,"method":"info","params":[]}`); got != `{"id":3,"result":"database_api"}` {
		t.Errorf("got %s", got)
	}
	if took := time.Since(begun); took < rtt {
		t.Errorf("the answer over HTTP came after %s", took)
	}
}

func TestTwoSegmentsAreTwoWrites(t *testing.T) {
	ours, theirs := net.Pipe() // a read sees the bytes of one write
	defer theirs.Close()
	go func() {
		_, _ = twoSegments{ours}.Write([]byte("0123456789"))
		_, _ = twoSegments{ours}.Write([]byte("abcd"))
		_ = ours.Close()
	}()
	var pieces []string
	buffer := make([]byte, 100)
	for {
		n, err := theirs.Read(buffer)
		if err != nil {
			break
		}
		pieces = append(pieces, string(buffer[:n]))
	}
	if got := strings.Join(pieces, " "); got != "0123 456789 abcd" {
		t.Errorf("the pieces are %q", got)
	}
}
