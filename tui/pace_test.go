package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"billfold/daemonclient"
	"billfold/tui/terminal"
	"billfold/tui/theme"
	"billfold/walletcore"
	"billfold/walletcore/event"

	tea "github.com/charmbracelet/bubbletea"
)

// Keys are painted at once; what happens by itself is painted at most every 50 ms, however often it happens, and never lost.
func TestFramesArePaced(t *testing.T) {
	wallet, err := walletcore.Open(walletcore.Config{Path: filepath.Join(t.TempDir(), "wallet.keys"),
		Daemon: daemonclient.New(daemonclient.Config{URL: "ws://127.0.0.1:1"})})
	must(t, err)
	file, err := os.Create(filepath.Join(t.TempDir(), "terminal"))
	must(t, err)
	defer file.Close()
	now, timers := time.Unix(1_000_000, 0), 0
	opt := Options{Core: CoreOf(wallet), Clock: Clock{
		Now:   func() time.Time { return now },
		After: func(time.Duration, func(time.Time) tea.Msg) tea.Cmd { timers++; return nil },
	}}
	model := New(context.Background(), opt, theme.New(theme.Settings{}))
	defer model.Close()
	p := newPaced(model, terminal.NewPainter(&terminal.Output{File: file}))
	drawn := func(msg tea.Msg) bool {
		before := p.drawn
		p.Update(msg)
		return p.drawn != before
	}
	happened := eventMsg{event.Event{Kind: event.Block}, true}
	if !drawn(tea.WindowSizeMsg{Width: 80, Height: 24}) {
		t.Error("the first frame was not painted")
	}
	now, timers = now.Add(10*time.Millisecond), 0
	if !drawn(tea.KeyMsg{Type: tea.KeyDown}) {
		t.Error("a key was not painted at once")
	}
	timers = 0
	for range 1000 {
		if drawn(happened) {
			t.Fatal("an event was painted at once behind a key")
		}
	}
	if timers != 1 {
		t.Errorf("a thousand events asked for %d repaints", timers)
	}
	now = now.Add(5 * time.Millisecond)
	if drawn(tea.KeyMsg{Type: tea.KeyDown}) || timers != 2 {
		t.Errorf("a key 5 ms behind another has %d repaints", timers)
	}
	now = now.Add(3 * time.Millisecond)
	if !drawn(repaint{}) {
		t.Error("the repaint was not painted")
	}
	now = now.Add(eventPause)
	if !drawn(happened) {
		t.Error("an event after 50 ms was not painted")
	}
	if info, err := file.Stat(); err != nil || info.Size() == 0 || p.View() != model.View() {
		t.Error("what is painted is not what the model shows")
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
