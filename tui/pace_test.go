package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/tui/screen"
	"billfold/tui/terminal"
	"billfold/tui/theme"
	"billfold/walletcore"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// pacing is a model with a clock that only a test moves.
type pacing struct {
	*paced
	file   *os.File
	now    time.Time
	timers int // how many were requested
}

func newPacing(t testing.TB) *pacing {
	t.Helper()
	wallet, err := walletcore.Open(walletcore.Config{Path: filepath.Join(t.TempDir(), "wallet.keys"),
		Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})})
	must(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	must(t, err)
	t.Cleanup(func() { _ = file.Close() })
	p := &pacing{file: file, now: time.Unix(1_000_000, 0)}
	model := New(context.Background(), Options{Core: CoreOf(wallet), Clock: Clock{
		Now:   func() time.Time { return p.now },
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { p.timers++; return nil },
	}}, theme.New(theme.Settings{}))
	t.Cleanup(model.Close)
	p.paced = newPaced(model, terminal.NewPainter(&terminal.Output{File: file}))
	return p
}

// draws passes on a message that comes some time after the last one, and reports whether a frame was painted for it.
func (p *pacing) draws(after time.Duration, msg tea.Msg) bool {
	p.now = p.now.Add(after)
	before := p.drawn
	p.Update(msg)
	return p.drawn != before
}

// Keys are painted at once; events are painted at most every 50 ms, however many come, and none is lost.
func TestFramesArePaced(t *testing.T) {
	p := newPacing(t)
	happened := eventMsg{event.Event{Kind: event.Block}, true}
	if !p.draws(0, tea.WindowSizeMsg{Width: 80, Height: 24}) {
		t.Error("the first frame was not painted")
	}
	if !p.draws(10*time.Millisecond, tea.KeyMsg{Type: tea.KeyDown}) {
		t.Error("a key was not painted at once")
	}
	p.timers = 0
	for range 1000 {
		if p.draws(0, happened) {
			t.Fatal("an event right after a key was painted at once")
		}
	}
	if p.timers != 1 {
		t.Errorf("a thousand events requested %d repaints", p.timers)
	}
	if p.draws(5*time.Millisecond, tea.KeyMsg{Type: tea.KeyDown}) || p.timers != 2 {
		t.Errorf("a key 5 ms after another requested %d repaints", p.timers)
	}
	if !p.draws(3*time.Millisecond, repaint{}) {
		t.Error("the repaint was not painted")
	}
	if !p.draws(eventPause, happened) {
		t.Error("an event after 50 ms was not painted")
	}
	if info, err := p.file.Stat(); err != nil || info.Size() == 0 || p.View() != p.Model.View() {
		t.Error("what is painted is not what the model shows")
	}
}

// Results for pages that are not shown are painted with the next frame; they get no frames of their own.
func TestResultsForHiddenPagesAreNotPaintedSeparately(t *testing.T) {
	p := newPacing(t)
	p.show(screen.Home)
	p.draws(0, tea.WindowSizeMsg{Width: 140, Height: 40})
	frames := 0
	for range 100 {
		if p.draws(eventPause/200, screen.Result{Owner: screen.Receive}) {
			frames++
		}
	}
	if frames > 0 || p.timers == 0 {
		t.Errorf("a hundred results in 25 ms for a page that is not shown were painted %d times, and %d repaints are requested", frames, p.timers)
	}
	if !p.draws(0, screen.Result{Owner: screen.Home}) {
		t.Error("a result for the page that is shown was not painted at once")
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// A key that hides something secret is painted at once, however soon it follows another: the shell may get the terminal next.
func TestHidingIsPaintedAtOnce(t *testing.T) {
	p := newPacing(t)
	p.draws(0, tea.WindowSizeMsg{Width: 80, Height: 24})
	p.draws(time.Second, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("3")})
	p.draws(time.Second, tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("5K")})
	if !p.draws(time.Millisecond, tea.KeyMsg{Type: tea.KeyCtrlZ}) {
		t.Error("a secret stays on screen while the program is stopped")
	}
	if p.draws(time.Millisecond, tea.KeyMsg{Type: tea.KeyDown}) {
		t.Error("keys are no longer paced")
	}
}

// If there is no wallet yet, none was locked.
func TestNoLockMessageWithoutAWallet(t *testing.T) {
	p := newPacing(t)
	p.draws(0, tea.WindowSizeMsg{Width: 80, Height: 24})
	p.draws(time.Second, suspended{stopped: false})
	if text := p.Model.View(); strings.Contains(text, "Locked") || !strings.Contains(text, "Not suspended: no shell") {
		t.Error(text)
	}
}

// BenchmarkUpdate measures what every message costs, apart from its own work.
func BenchmarkUpdate(b *testing.B) {
	p := newPacing(b)
	p.show(screen.Home)
	for b.Loop() {
		p.Model.Update(nil)
	}
}
