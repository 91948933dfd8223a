package sandbox

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// Each file of testdata/wire is a conversation on one connection to a ledger
// from the recorded genesis, whose clock stands still: "--> " is sent, "<-- "
// must come back exactly so, "mine" makes a block, "#" explains.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.txt")
	if err != nil || len(files) < 3 {
		t.Fatalf("only %d conversations (%v)", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			clock := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
			s := start(t, Options{Genesis: readGenesisFile(t), Now: func() time.Time { return clock }})
			c := dial(t, s)
			for n, line := range strings.Split(string(text), "\n") {
				c.speak(s, n+1, line)
			}
		})
	}
}

func (c *client) speak(s *Sandbox, n int, line string) {
	c.t.Helper()
	switch {
	case strings.HasPrefix(line, "--> "):
		c.send(line[4:])
	case strings.HasPrefix(line, "<-- "):
		_ = c.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		kind, frame, err := c.conn.ReadMessage()
		if err != nil || kind != websocket.TextMessage {
			c.t.Fatalf("line %d: %v", n, err)
		}
		if string(frame) != line[4:] {
			c.t.Errorf("line %d: got\n<-- %s\nwant\n%s", n, frame, line)
		}
	case line == "mine":
		mine(c.t, s)
	case line != "" && line[0] != '#':
		c.t.Fatalf("line %d is no line of a conversation: %s", n, line)
	}
}
