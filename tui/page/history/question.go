package history

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// The topics of the page's tasks.
const (
	look   = "look"
	tally  = "tally"
	older  = "older"
	newest = "newest"
)

// typingPause is how long typing must rest before the filter is asked for.
const typingPause = 80 * time.Millisecond

// leastRows is how many rows a window has at least; else it has four screens.
const leastRows = 90

// kind says by what a place is named.
type kind int

const (
	position kind = iota // how many matching rows are newer
	row                  // a row, or where it would be
	last                 // the oldest row
	moment               // the newest row not later than a time
	dayBack              // the newest row of the last day before that of the time
	dayOn                // the newest row of the next day after that of the time
)

// place is where the window shall be.
type place struct {
	kind kind
	pos  int
	id   ledger.HistoryID
	time ledger.Time
}

// question is all that an answer needs; it is made on the interface loop and
// answered off it.
type question struct {
	account ledger.AccountID
	words   string
	filter  walletcore.HistoryFilter // of the words, when they were found before
	found   bool
	edge    ledger.HistoryID // 0: the newest there is
	place   place
	move    bool // the cursor goes there; else it follows its row
	was     int  // the position of the row in focus when it was asked
	total   int  // how many match, if counted
	counted bool
	count   bool // the order of the screen needs it
	recount bool // what was counted before may have changed
	anchor  walletcore.HistoryPlace
	end     walletcore.HistoryPlace // the last row at hand
	rows    int                     // how many to have
	pause   time.Duration
	now     time.Time
}

// answer is the window, and the counts around it.
type answer struct {
	question
	progress walletcore.HistoryProgress
	fresh    int
	at       int // the position of the place
	none     bool
	first    int
	list     []walletcore.HistoryEntry
}

// question is about what is on screen now.
func (m *Model) question(env screen.Env) question {
	q := question{account: m.account, words: m.asking, edge: m.edge, total: m.total, counted: m.counted, count: m.oldest,
		was: m.position(m.at.At), rows: max(4*m.listRows(env), leastRows), now: env.Now}
	q.place = place{kind: position, pos: max(q.was, 0)}
	if e, ok := m.focused(); ok {
		q.place = place{kind: row, id: e.ID}
	}
	if m.words != m.asking {
		return q.anew() // what is at hand is of other words
	}
	if n := len(m.rows); n > 0 {
		q.anchor = walletcore.HistoryPlace{ID: m.rows[0].ID, Position: uint64(m.first)}
		q.end = walletcore.HistoryPlace{ID: m.rows[n-1].ID, Position: uint64(m.first + n - 1)}
	}
	return q
}

// refresh reads the window again, where it is; a question that is open is asked
// again after its answer.
func (m *Model) refresh(env screen.Env) tea.Cmd {
	m.same(env)
	if len(env.Accounts) == 0 {
		return nil
	}
	if _, busy := m.tasks.Busy(look); busy {
		m.again = true
		return nil
	}
	q := m.question(env)
	if m.follow {
		q.edge, q.place, q.move = 0, place{}, true
	}
	if m.want != 0 {
		q.edge, q.place = 0, place{kind: row, id: m.want}
	}
	q = q.anew()
	if m.indexed && !m.progress.Whole {
		q.pause = buildingPause
	}
	return m.ask(env, q)
}

// anew forgets what is known of other rows: they may have changed.
func (q question) anew() question {
	q.anchor, q.end, q.counted, q.recount = walletcore.HistoryPlace{}, walletcore.HistoryPlace{}, false, true
	return q
}

// goTo asks for the window at a place and puts the cursor there.
func (m *Model) goTo(env screen.Env, p place) tea.Cmd {
	q := m.question(env)
	q.place, q.move = p, true
	return m.ask(env, q)
}

// goFirst goes to the newest row there is now.
func (m *Model) goFirst(env screen.Env) tea.Cmd {
	if len(env.Accounts) == 0 {
		return nil
	}
	q := m.question(env).anew()
	q.edge, q.place, q.move = 0, place{}, true
	return m.ask(env, q)
}

// ask ends the question that is open and asks another.
func (m *Model) ask(env screen.Env, q question) tea.Cmd {
	m.stop()
	var ended context.Context
	ended, m.stop = context.WithCancel(context.Background())
	m.again = false
	core := m.core
	if q.anchor.ID != 0 { // the rows are those of the words
		q.filter, q.found = m.filter, true
	}
	return m.tasks.Start(env, look, readLimit, func(ctx context.Context) (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		return q.answer(ctx, core)
	})
}

// count asks how many rows match, and what they move.
func (m *Model) count(env screen.Env) tea.Cmd {
	m.stopCount()
	var ended context.Context
	ended, m.stopCount = context.WithCancel(context.Background())
	core, id, f := m.core, m.account, m.filter
	return m.tasks.Start(env, tally, readLimit, func(ctx context.Context) (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		return core.HistoryTally(ctx, id, f)
	})
}

func (m *Model) result(env screen.Env, msg screen.Result) tea.Cmd {
	if !m.tasks.Accept(msg) {
		return nil
	}
	if msg.Topic == export {
		return m.exported(msg)
	}
	var mistake *walletcore.HistoryMistake
	switch {
	case errors.As(msg.Err, &mistake):
		m.mistake, m.mistaken, m.asking = mistake, m.asking, m.words
		m.again = m.again || m.read.IsZero()
		return m.after(env)
	case msg.Err != nil:
		return m.failed(msg.Err)
	}
	m.fault = nil
	switch body := msg.Body.(type) {
	case answer:
		return tea.Batch(m.answered(env, body), m.after(env))
	case walletcore.HistoryTally:
		at := m.position(m.at.At)
		m.sums, m.total, m.counted = body.Sums, int(body.Rows), true
		m.at.Jump(m.position(at), m.total) // oldest first, places are counted from the other end
		return m.need(env)
	case []walletcore.HistoryEntry:
		return m.plainRows(env, msg.Topic, body)
	}
	return nil
}

// failed notes what went wrong; where rows are shown, it is said once.
func (m *Model) failed(err error) tea.Cmd {
	again := m.fault != nil && m.fault.Error() == err.Error()
	m.fault, m.goLast = err, false
	if m.total == 0 || again {
		return nil
	}
	what, _ := advice.Of(err)
	return screen.Request(screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what))})
}

// after asks again when something happened since the question.
func (m *Model) after(env screen.Env) tea.Cmd {
	if _, busy := m.tasks.Busy(look); m.again && !busy {
		m.again = false
		return m.refresh(env)
	}
	return nil
}

// answered takes a window.
func (m *Model) answered(env screen.Env, a answer) tea.Cmd {
	if !a.progress.Known {
		m.indexed = false
		return m.readPlain(env)
	}
	say := m.news(a)
	if a.none {
		m.again = m.again || a.words != m.words // the words that came along are still to be shown
		return tea.Batch(say, screen.Request(screen.Toast{Line: nothingThere(a.place.kind)}))
	}
	moved := m.position(m.at.At) - a.was // meanwhile
	if a.move {
		moved = 0
	}
	if a.words != m.words || !m.indexed {
		m.fit, m.sums, m.total = nil, nil, 0
	}
	m.indexed, m.words, m.filter, m.edge, m.read = true, a.words, a.filter, a.edge, env.Now
	if m.mistake != nil && m.asking == a.words && m.text.Value() == a.words {
		m.mistake = nil
	}
	m.progress, m.fresh = a.progress, a.fresh
	m.pace.note(env.Now, a.progress)
	m.rows, m.first, m.counted = a.list, a.first, a.counted
	if m.total = max(m.total, a.total); a.counted {
		m.total = a.total
	}
	m.widen(a.list)
	m.at.Jump(m.position(a.at+moved), m.total)
	m.seek()
	var count, more tea.Cmd
	if a.recount {
		m.stopCount()
		m.tasks.Forget(tally)
	}
	if _, busy := m.tasks.Busy(tally); !busy && (!m.counted || m.words != "" && m.sums == nil && m.total > 0) {
		count = m.count(env)
	}
	if moved != 0 {
		more = m.need(env)
	}
	return tea.Batch(say, count, more)
}

// seek opens the row that was asked for, once it is there.
func (m *Model) seek() {
	for i, e := range m.rows {
		if m.want != 0 && e.ID == m.want {
			m.at.Jump(m.position(m.first+i), m.total)
			m.want, m.page = 0, true
		}
	}
}

// need asks for the rows around the cursor when they are not at hand, or soon
// will not be.
func (m *Model) need(env screen.Env) tea.Cmd {
	if !m.indexed {
		return m.needOlder(env)
	}
	at, margin := m.position(m.at.At), m.listRows(env)*5/4
	low, high := max(at-margin, 0), min(at+margin, m.total-1)
	if low >= m.first && high < m.first+len(m.rows) || m.total == 0 {
		return nil
	}
	if _, busy := m.tasks.Busy(look); busy && m.asking != m.words { // the filter goes first, and comes back here
		return nil
	}
	q := m.question(env)
	q.place = place{kind: position, pos: at}
	return m.ask(env, q)
}
