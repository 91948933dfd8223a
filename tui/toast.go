package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
)

// How long a toast stays, and how many notices are remembered.
const (
	toastTime    = 4 * time.Second
	badToastTime = 8 * time.Second
	keptNotices  = 200
)

// notice is something a toast said.
type notice struct {
	at   time.Time
	line canvas.Line
}

// toasts is the rail in the hint row: one at a time, the newest wins, all are
// kept.
type toasts struct {
	shown  canvas.Line
	urgent bool // shown is seen while a person types, too
	here   bool // shown is of the page
	until  time.Time
	kept   []notice
}

func (t *toasts) add(now time.Time, s screen.Toast) {
	t.shown, t.urgent, t.here, t.until = s.Line, s.Urgent, s.Here, now.Add(toastTime)
	if s.Bad {
		t.until = now.Add(badToastTime)
	}
	t.kept = append(t.kept, notice{now, s.Line})
	t.kept = t.kept[max(len(t.kept)-keptNotices, 0):]
}

// leave takes away what was said of a page that is left.
func (t *toasts) leave() {
	if t.here {
		t.shown = nil
	}
}

// expire takes the toast away when its time is over; while a person types it
// waits, because it could not be seen.
func (t *toasts) expire(now time.Time, typing bool) {
	if typing && len(t.shown) > 0 && !t.urgent {
		t.until = t.until.Add(time.Second)
	}
	if now.After(t.until) {
		t.shown = nil
	}
}
