package tui_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/tui"
	"billfold/tui/uitest"
	"billfold/walletcore"
	"billfold/walletcore/vault"

	"github.com/creack/pty"
)

// glass records what was written to a terminal.
type glass struct {
	mu   sync.Mutex
	text strings.Builder
}

func (g *glass) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.Write(p)
}

func (g *glass) String() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.text.String()
}

func (g *glass) waitFor(t *testing.T, text string) {
	t.Helper()
	for range 500 {
		if strings.Contains(g.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the terminal never showed %q", text)
}

// lockedWallet returns a locked wallet without a daemon.
func lockedWallet(t *testing.T) *walletcore.Wallet {
	t.Helper()
	w := uitest.RealWallet(t, t.TempDir())
	uitest.Must(t, w.Vault.Create(t.Context(), uitest.Password))
	w.Vault.Lock()
	return w
}

// onTerminal runs the UI on a pseudo terminal; cancel ends its context, and done gets the error of Run.
func onTerminal(t *testing.T, core tui.Core) (keys io.Writer, shown *glass, cancel func(), done <-chan error) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	shown = &glass{}
	go io.Copy(shown, master) // ends when the master is closed
	ctx, stop := context.WithCancel(context.Background())
	end := make(chan error, 1)
	go func() {
		end <- tui.Run(ctx, tui.Options{Core: core, Color: "none", Input: slave, Output: slave})
	}()
	// The slave stays open: when Run is ended by its context, its reader lives on for a moment and still uses the file descriptor.
	t.Cleanup(func() { stop(); master.Close() })
	return master, shown, stop, end
}

func ended(t *testing.T, done <-chan error) {
	t.Helper()
	select {
	case err := <-done:
		if err != nil {
			t.Errorf("Run ended with %v", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("Run does not end")
	}
}

func TestRunLeavesTheTerminalClean(t *testing.T) {
	keys, shown, _, done := onTerminal(t, tui.CoreOf(lockedWallet(t)))
	shown.waitFor(t, "browse locked")
	io.WriteString(keys, "\x03\x03")
	ended(t, done)
	shown.waitFor(t, "\x1b[?25h")
	out := shown.String()
	if !strings.Contains(out, "\x1b[?1049h") || strings.LastIndex(out, "\x1b[?1049l") < strings.LastIndex(out, "\x1b[?1049h") {
		t.Error("the alternate screen was not left")
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	_, shown, cancel, done := onTerminal(t, tui.CoreOf(lockedWallet(t)))
	shown.waitFor(t, "browse locked")
	cancel()
	ended(t, done)
}

func TestRunWithoutAWalletFails(t *testing.T) {
	if err := tui.Run(context.Background(), tui.Options{}); err == nil {
		t.Error("Run started without a wallet")
	}
}

func TestBracketedPasteIsOnlyText(t *testing.T) {
	wallet := lockedWallet(t)
	keys, shown, _, done := onTerminal(t, tui.CoreOf(wallet))
	shown.waitFor(t, "browse locked")
	io.WriteString(keys, "\x1b[200~"+uitest.Password+"\r\x03\x1b[201~")
	shown.waitFor(t, "it contains a")
	io.WriteString(keys, "\x15\x1b[200~"+uitest.Password+"\r\x1b[201~")
	shown.waitFor(t, strings.Repeat("•", len(uitest.Password)))
	if wallet.Status().Lock != vault.Locked {
		t.Error("a line end in a paste worked as enter")
	}
	io.WriteString(keys, "\r")
	shown.waitFor(t, "unlocked")
	io.WriteString(keys, "\x03\x03")
	ended(t, done)
}
