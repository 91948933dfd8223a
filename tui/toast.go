package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
)

// How long a toast stays, and how many notices are kept.
const (
	toastTime    = 4 * time.Second
	badToastTime = 8 * time.Second
	keptNotices  = 200
)

// notice is a toast that was shown, with its time.
type notice struct {
	at   time.Time
	line canvas.Line
}

// toasts is the toast above the hint row, one at a time, the newest replacing the one before, and the notices that are kept of all.
type toasts struct {
	shown  canvas.Line
	urgent bool // shown is visible while a person types, too
	here   bool // shown is about the page and disappears with it
	answer bool // shown answers a key on a screen; it is not news
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

// keep adds a line to the notices.
func (t *toasts) keep(now time.Time, line canvas.Line) {
	t.kept = append(t.kept, notice{now, line})
	t.kept = t.kept[max(len(t.kept)-keptNotices, 0):]
}

// clearAnswer removes the answer of a screen that something opened over: it is about that screen, and the keys of the new one are
// shown in its place. News stays.
func (t *toasts) clearAnswer() {
	if t.answer {
		t.shown = nil
	}
}

// clearHere removes the toast about a page that is left.
func (t *toasts) clearHere() {
	if t.here {
		t.shown = nil
	}
}

// expire removes the toast when its time is over. While a person types and cannot see it, its time is extended.
func (t *toasts) expire(now time.Time, typing bool) {
	if typing && len(t.shown) > 0 && !t.urgent {
		t.until = t.until.Add(time.Second)
	}
	if now.After(t.until) {
		t.shown = nil
	}
}
