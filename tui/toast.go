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
	answer bool // shown is what a screen said, not news
	until  time.Time
	kept   []notice
}

func (t *toasts) add(now time.Time, s screen.Toast) {
	t.keep(now, s.Line)
	t.shown, t.urgent, t.here, t.answer, t.until = s.Line, s.Urgent, s.Here, false, now.Add(toastTime)
	if s.Bad {
		t.until = now.Add(badToastTime)
	}
}

// keep remembers a line for the notices.
func (t *toasts) keep(now time.Time, line canvas.Line) {
	t.kept = append(t.kept, notice{now, line})
	t.kept = t.kept[max(len(t.kept)-keptNotices, 0):]
}

// covered takes away what a screen said before something opened over it: it is of what was there, and the keys of what is now stand in
// its place. News stay.
func (t *toasts) covered() {
	if t.answer {
		t.shown = nil
	}
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
