package rpcserver

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

// The buffer that a request was read into is overwritten, however it arrived, unless it holds anything of the next one.
func TestOnlyWhatWasReadOfARequestIsOverwritten(t *testing.T) {
	const body = `{"method":"unlock","params":["secret"]}`
	one := fmt.Sprintf("POST /rpc HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	for name, c := range map[string]struct {
		sent string
		step int // bytes of a packet
		want bool
	}{
		"in one packet":              {one, len(one), true},
		"in many":                    {one, 3, true},
		"with the end of its header": {one, strings.Index(one, "\r\n\r\n") + 2, true},
		"with the same again":        {one + one, 2 * len(one), false},
		"with a part of the next":    {one + "P", len(one) + 1, false},
		"twice, in many packets":     {one + one, 7, false},
	} {
		buffer, at := make([]byte, bufferSize), 0
		var r requestReads
		for rest := c.sent; rest != ""; {
			n := copy(buffer[at:], rest[:min(c.step, len(rest))])
			r.note(buffer[at:], buffer[at:at+n])
			at, rest = at+n, rest[n:]
		}
		r.clear(len(body))
		if cleared := bytes.Equal(buffer, make([]byte, bufferSize)); cleared != c.want || !c.want && string(buffer[:at]) != c.sent {
			t.Errorf("%s: overwritten %v, want %v: %q", name, cleared, c.want, buffer[:at])
		}
	}
}

// A secret answer on a websocket that was quiet has as long to be written as any other.
func TestASecretAnswerComesAfterAQuietTime(t *testing.T) {
	t.Parallel()
	h := open(t, func(o *Options) {
		o.Secret = func(method string) bool { return method == "echo" }
		o.Limits = Limits{WriteTime: time.Second}
	})
	conn := h.mustDial()
	send(t, conn, isLocked)
	if got := receive(t, conn); got != unlocked {
		t.Fatal(got)
	}
	time.Sleep(1200 * time.Millisecond) // the deadline of that answer passes
	send(t, conn, `{"jsonrpc":"2.0","id":1,"method":"echo","params":["s"]}`)
	if got := receive(t, conn); got != `{"jsonrpc":"2.0","id":1,"result":["s"]}` {
		t.Error(got)
	}
}
