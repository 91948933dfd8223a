package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/terminal"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// eventPause is the least time between two frames that no key caused.
	eventPause = 50 * time.Millisecond

	// keyPause is the least time between any two frames: wheels and held keys can be faster than terminals.
	keyPause = 8 * time.Millisecond

	// catchUpRate is the number of times a second that bubbletea compares what it has written with the latest frame. Each time wakes the
	// program up. On its own it would also be how long a key waits for its frame; since frames are painted at once, it only repairs.
	catchUpRate = 10
)

// paced paints the frames of a model: those for a person's key and for what was read because of it at once, those for events of the
// wallet at most once per eventPause. The same limit holds for results of pages that are not shown: at most a mark at their names
// changes.
type paced struct {
	*Model
	to    *terminal.Painter // nil: only bubbletea writes the frames
	frame string
	drawn time.Time // when frame was drawn
	moved time.Time // when a frame last differed from the one before
	due   time.Time // when the scheduled repaint comes; zero: none is scheduled
}

// newPaced paces a model; its first frame is painted once the size of the terminal is known.
func newPaced(m *Model, to *terminal.Painter) *paced {
	return &paced{Model: m, to: to, frame: m.View()}
}

// repaint arrives when a frame that was postponed may be drawn.
type repaint struct{}

// Update implements tea.Model.
func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	unprompted := false
	switch msg := msg.(type) {
	case repaint:
		p.due = time.Time{}
	case eventMsg, approvalsMsg, tickMsg: // no key caused them
		unprompted = true
		_, cmd = p.Model.Update(msg)
	case screen.Result:
		unprompted = msg.Owner != p.page // all pages read when the wallet opens: a key must not wait for a frame for each
		_, cmd = p.Model.Update(msg)
	case tea.WindowSizeMsg, tea.ResumeMsg, redraw:
		p.to.Forget()
		_, cmd = p.Model.Update(msg)
	default:
		_, cmd = p.Model.Update(msg)
	}
	now := p.opt.Clock.now()
	at := p.moved.Add(keyPause) // a key that changes nothing at once does not delay the frame of its result
	switch {
	case p.secretsHidden:
		at, p.secretsHidden = now, false
	case unprompted:
		at = p.drawn.Add(eventPause)
	}
	switch {
	case !now.Before(at):
		p.draw(now)
	case p.due.IsZero() || at.Before(p.due):
		p.due = at
		cmd = tea.Batch(cmd, p.opt.Clock.after(at.Sub(now), repaint{}))
	}
	return p, cmd
}

func (p *paced) draw(now time.Time) {
	drawn := p.Model.Frame()
	frame := drawn.Render(p.theme)
	if p.drawn = now; frame != p.frame {
		p.frame, p.moved = frame, now
	}
	var caret *terminal.Caret
	if x, y, typing := drawn.Caret(); typing {
		caret = &terminal.Caret{X: x, Y: y}
	}
	p.to.Paint(frame, caret)
}

// View implements tea.Model: it returns the frame that was painted last.
func (p *paced) View() string { return p.frame }
