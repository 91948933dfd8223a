package tui

import (
	"time"

	"billfold/tui/screen"
	"billfold/tui/terminal"

	tea "github.com/charmbracelet/bubbletea"
)

const (
	// eventPause is the least time between two frames that nobody pressed a key for.
	eventPause = 50 * time.Millisecond

	// keyPause is the least time between any two: wheels and held keys can be faster than terminals.
	keyPause = 8 * time.Millisecond

	// catchUpRate is how many times a second bubbletea compares what it has written with the latest frame. It would be how long a key
	// waits for its frame, and each time wakes the program up; with frames that are painted at once it only mends.
	catchUpRate = 10
)

// paced paints the frames of a model: at once what a person did and what was read for that, and what happens in the wallet at most
// once in eventPause, however often it happens. So is what pages read that are not shown: at most a mark at their names is seen of it.
type paced struct {
	*Model
	to    *terminal.Painter // nil: bubbletea writes the frames alone
	frame string
	drawn time.Time // when frame was
	moved time.Time // when a frame was another than the one before
	due   time.Time // of the repaint that is on its way; zero = none is
}

// newPaced paces a model; its first frame is painted when the size of the terminal is known.
func newPaced(m *Model, to *terminal.Painter) *paced {
	return &paced{Model: m, to: to, frame: m.View()}
}

// repaint comes when a frame that was put off may be drawn.
type repaint struct{}

// Update implements tea.Model.
func (p *paced) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var cmd tea.Cmd
	byItself := false
	switch msg := msg.(type) {
	case repaint:
		p.due = time.Time{}
	case eventMsg, approvalsMsg, tickMsg: // of their own accord
		byItself = true
		_, cmd = p.Model.Update(msg)
	case screen.Result:
		byItself = msg.Owner != p.page // each page reads when the wallet opens: a key does not wait for a frame of each reading
		_, cmd = p.Model.Update(msg)
	case tea.WindowSizeMsg, tea.ResumeMsg, redraw:
		p.to.Forget()
		_, cmd = p.Model.Update(msg)
	default:
		_, cmd = p.Model.Update(msg)
	}
	now := p.opt.Clock.now()
	at := p.moved.Add(keyPause) // a key that only asks for rows does not delay them
	switch {
	case p.hid:
		at, p.hid = now, false
	case byItself:
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
	frame := p.Model.View()
	if p.drawn = now; frame != p.frame {
		p.frame, p.moved = frame, now
	}
	p.to.Paint(frame)
}

// View implements tea.Model: it is the frame that was painted last.
func (p *paced) View() string { return p.frame }
