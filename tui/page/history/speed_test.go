package history_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"billfold/tui/uitest"

	"github.com/creack/pty"
)

// watched is the program on a pseudo terminal.
type watched struct {
	t        *testing.T
	cmd      *exec.Cmd
	terminal *os.File

	mu   sync.Mutex
	text strings.Builder
	at   []time.Time // of each piece that was written
}

func watch(t *testing.T, program string, args ...string) *watched {
	t.Helper()
	w := &watched{t: t, cmd: exec.Command(program, args...)}
	w.cmd.Env = append(os.Environ(), "TERM=xterm-256color", "COLORTERM=truecolor")
	var err error
	w.terminal, err = pty.StartWithSize(w.cmd, &pty.Winsize{Rows: 40, Cols: 140})
	uitest.Must(t, err)
	go func() {
		part := make([]byte, 1<<16)
		for {
			n, err := w.terminal.Read(part)
			w.mu.Lock()
			w.text.Write(part[:n])
			w.at = append(w.at, time.Now())
			w.mu.Unlock()
			if err != nil {
				return
			}
			if strings.Contains(string(part[:n]), "\x1b]11;?") { // terminals tell their background, and what they are
				_, _ = w.terminal.WriteString("\x1b]11;rgb:1111/1111/1111\x07\x1b[?62;c")
			}
		}
	}()
	t.Cleanup(func() {
		_ = w.cmd.Process.Signal(syscall.SIGTERM)
		_ = w.cmd.Wait()
		_ = w.terminal.Close()
	})
	return w
}

func (w *watched) types(text string) {
	_, err := w.terminal.WriteString(text)
	uitest.Must(w.t, err)
}

func (w *watched) sees(text string) {
	w.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		w.mu.Lock()
		found := strings.Contains(w.text.String(), text)
		w.mu.Unlock()
		if found {
			return
		}
		if time.Now().After(end) {
			w.t.Fatalf("the terminal never showed %q", text)
		}
	}
}

// press types a key and returns how long its first frame took, and how long it took until nothing more came for a moment.
func (w *watched) press(key string) (first, settled time.Duration) {
	w.mu.Lock()
	w.at = nil
	w.mu.Unlock()
	began := time.Now()
	w.types(key)
	const quiet = 30 * time.Millisecond
	for {
		time.Sleep(200 * time.Microsecond)
		w.mu.Lock()
		at := slices.Clone(w.at)
		w.mu.Unlock()
		switch {
		case len(at) > 0 && time.Since(at[len(at)-1]) > quiet:
			return at[0].Sub(began), at[len(at)-1].Sub(began)
		case time.Since(began) > 5*time.Second:
			w.t.Fatalf("nothing was painted for %q", key)
		}
	}
}

// processorTime returns the processor time that the program has used.
func (w *watched) processorTime() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", w.cmd.Process.Pid))
	uitest.Must(w.t, err)
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

func (w *watched) resident() string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", w.cmd.Process.Pid))
	uitest.Must(w.t, err)
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	return strings.Join(strings.Fields(rest)[:2], " ")
}

// TestUISpeed prints how long the program, on a pseudo terminal of 140×40, takes from a key to its frame on a history of 1,000,000
// rows with 100 accounts, what it needs for that, how soon its first frame is there and what it uses while nobody does anything.
func TestUISpeed(t *testing.T) {
	if os.Getenv("SPEED") == "" {
		t.Skip("the figures are worth something on a quiet machine only: make bench runs it")
	}
	program := filepath.Join(t.TempDir(), "billfold")
	if out, err := exec.Command("go", "build", "-o", program, "billfold/cmd/billfold").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	dir := millionFolder(t, 100, nil) // a password too cheap for this machine would be made dearer beside the first keys
	var starts []time.Duration
	var w *watched
	for range 10 {
		began := time.Now()
		w = watch(t, program, "--data-dir="+dir, "--daemon-url=ws://127.0.0.1:1")
		w.sees("Password")
		starts = append(starts, time.Since(began))
		if len(starts) < 10 {
			_ = w.cmd.Process.Signal(syscall.SIGTERM)
			_, _ = w.cmd.Process.Wait()
		}
	}
	t.Logf("start to first frame: %s; wanted: < 100 ms", spread(starts))
	time.Sleep(2 * time.Second)
	before := w.processorTime()
	time.Sleep(20 * time.Second)
	t.Logf("idle, locked: %.2f %% of a core; wanted: < 1 %%", float64(w.processorTime()-before)/float64(20*time.Second)*100)
	w.types(uitest.Password + "\r")
	w.sees("Recent activity")
	w.press("2")
	w.sees("row 1 of 1,000,000")
	for _, c := range []struct {
		what  string
		keys  []string
		times int
	}{
		{"rows down and up", []string{"j", "j", "j", "k"}, 60},
		{"pages down and up", []string{"\x1b[6~", "\x1b[6~", "\x1b[5~"}, 40},
		{"to the end and the beginning", []string{"G", "g"}, 30},
		{"days back and on", []string{"[", "[", "]"}, 30},
		{"other pages and back", []string{"1", "2", "3", "2"}, 20},
	} {
		var first, settled []time.Duration
		for range c.times {
			for _, key := range c.keys {
				f, s := w.press(key)
				first, settled = append(first, f), append(settled, s)
			}
		}
		t.Logf("%-30s first frame: %s; all of it: %s; wanted: p99 < 16 ms", c.what, spread(first), spread(settled))
	}
	t.Logf("memory: %s; wanted: < 100 MB", w.resident())
}

func spread(list []time.Duration) string {
	slices.Sort(list)
	at := func(share float64) time.Duration {
		return list[int(share*float64(len(list)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v, max %v", at(0.5), at(0.99), at(1))
}
