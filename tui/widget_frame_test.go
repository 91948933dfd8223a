package tui_test

import (
	"strings"
	"testing"
	"time"

	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/frame"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// header returns the header line at a width.
func header(w int, s walletcore.Status) string {
	c := canvas.New(w, 1)
	frame.Header(
		c.All(),
		screen.Env{Class: layout.ClassOf(w), W: w, Status: s, Account: ledgerview.AccountRef{ID: 17, Name: strings.Repeat("alice", 12)}},
	)
	return c.Plain()
}

// The header warns at every width of a node whose connection anybody on the way can read and change.
func TestHeaderWarnsOfAPlainConnection(t *testing.T) {
	for _, w := range []int{50, 60, 80, 100, 140} {
		s := walletcore.Status{Daemon: walletcore.DaemonOnline, Network: "mainnet", Head: 1234567}
		if text := header(w, s); strings.Contains(text, "plain") {
			t.Errorf("%d wide, encrypted: %s", w, text)
		}
		s.Plain = true
		if text := header(w, s); !strings.Contains(text, "plain ws") {
			t.Errorf("%d wide: %s", w, text)
		}
	}
}

// The latency of the node is not shown before it was measured.
func TestStatusShowsOnlyAMeasuredLatency(t *testing.T) {
	for latency, want := range map[time.Duration]bool{0: false, time.Nanosecond: true, 40 * time.Millisecond: true} {
		c := canvas.New(100, 1)
		env := screen.Env{Class: layout.ClassOf(100), W: 100, Status: walletcore.Status{
			Daemon: walletcore.DaemonOnline, DaemonURL: "wss://eu-1.example", Latency: latency}}
		env.Status.Lock = vault.Unlocked
		frame.Status(c.All(), env, screen.KEYS, "Home", screen.Home, frame.Keys{}, nil)
		if text := c.Plain(); strings.Contains(text, "ms") != want || !strings.Contains(text, "eu-1") {
			t.Errorf("after %v: %s", latency, text)
		}
	}
}
