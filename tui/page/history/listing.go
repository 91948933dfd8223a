package history

import (
	"context"
	"errors"
	"time"

	"billfold/walletcore/history"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"

	"billfold/ledger"
	"billfold/tui/advice"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"

	tea "github.com/charmbracelet/bubbletea"
)

// typingPause is how long typing must rest before the filter is asked for.
const typingPause = 80 * time.Millisecond

// How long memos are searched for the words before rows are shown, and between two times after that.
const (
	searchFirst = 100 * time.Millisecond
	searchOn    = time.Second
)

// leastRows is how many rows a window has at least; else it has four screens.
const leastRows = 90

// listing is the rows of an account that match the filter: the table, and how it is
// kept full. A question that is asked later ends the one that is open.
type listing struct {
	core    Core
	tasks   *screen.Tasks
	room    func(screen.Env) int // how many rows are on screen
	account ledger.AccountID

	table  table
	filter filter
	index  index
	follow bool      // the newest row stays in focus
	read   time.Time // the last time rows came
	fault  error

	stop      context.CancelFunc // ends the open question
	stopCount context.CancelFunc // ends the open count
	again     bool               // something happened since the question was asked
	anew      bool               // the open question reads all rows again

	wanted ledger.HistoryID // the row to open when it comes
	came   bool             // it came
	plain  plain
}

func newListing(core Core, tasks *screen.Tasks, room func(screen.Env) int) listing {
	return listing{core: core, tasks: tasks, room: room, stop: func() {}, stopCount: func() {},
		plain: plain{recent: core.Recent, tasks: tasks}}
}

// reset drops the rows: they are those of another account. What was typed stays.
func (l *listing) reset(account ledger.AccountID) {
	was := *l
	*l = newListing(was.core, was.tasks, was.room)
	l.table.own = account
	l.account, l.wanted, l.index.known = account, was.wanted, was.index.known
	l.filter.text, l.filter.asking = was.filter.text, was.filter.text.Value()
	was.stop()
	was.stopCount()
	for _, topic := range []string{look, totals, older, newest} {
		l.tasks.Forget(topic)
	}
}

// question is about what is on screen now.
func (l *listing) question(env screen.Env) question {
	t := &l.table
	q := question{account: l.account, words: l.filter.asking, edge: l.index.edge, total: t.total, counted: t.counted, order: t.order,
		was: t.here(), search: searching{soon: searchFirst}, rows: max(4*l.room(env), leastRows), now: env.Now}
	q.place = place{kind: atPosition, pos: max(q.was, 0)}
	if e, ok := t.focused(); ok && t.order != largestFirst {
		q.place = place{kind: atRow, id: e.ID}
	}
	if l.filter.looking() {
		return q.forget() // what is at hand is of other words
	}
	if n := len(t.rows); n > 0 {
		q.hand = hand{
			rows:  t.rows,
			first: historyindex.Place{ID: t.rows[0].ID, Position: uint64(t.first)},
			last:  historyindex.Place{ID: t.rows[n-1].ID, Position: uint64(t.first + n - 1)},
		}
	}
	return q
}

// ask ends the question that is open and asks another.
func (l *listing) ask(env screen.Env, q question) tea.Cmd {
	l.stop()
	var ended context.Context
	ended, l.stop = context.WithCancel(context.Background())
	_, busy := l.tasks.Busy(look)
	l.again = !q.recount && (l.again || busy && l.anew) // the question that ends here would have shown it
	l.anew = q.recount
	core := l.core
	if q.hand.first.ID != 0 { // the rows are those of the words
		q.filter, q.found, q.search.memos = l.filter.is, true, l.filter.memos
	}
	return l.tasks.Start(env, look, readLimit, until(ended, func(ctx context.Context) (any, error) { return q.answer(ctx, core) }))
}

// count asks how many rows match, and what they move.
func (l *listing) count(env screen.Env) tea.Cmd {
	l.stopCount()
	var ended context.Context
	ended, l.stopCount = context.WithCancel(context.Background())
	counter, id, f := l.core.Counter, l.account, l.filter.is
	return l.tasks.Start(
		env,
		totals,
		readLimit,
		until(ended, func(ctx context.Context) (any, error) { return counter.Totals(ctx, id, f) }),
	)
}

// until makes work that ends with a context besides its own.
func until(ended context.Context, work func(context.Context) (any, error)) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		return work(ctx)
	}
}

// refresh reads the window again, where it is; a question that is open is asked
// again after its answer.
func (l *listing) refresh(env screen.Env) tea.Cmd {
	if len(env.Accounts) == 0 {
		return nil
	}
	if _, busy := l.tasks.Busy(look); busy {
		l.again = true
		return nil
	}
	q := l.question(env)
	if l.follow {
		q.edge, q.place, q.move = 0, place{}, true
	}
	if l.wanted != 0 && q.order != largestFirst {
		q.edge, q.place = 0, place{kind: atRow, id: l.wanted}
	}
	q = q.forget()
	if l.filter.memos.More {
		q.search.soon = searchOn
	}
	if l.index.known && !l.index.progress.Whole {
		q.pause = buildingPause
	}
	return l.ask(env, q)
}

// goTo asks for the window at a place and puts the cursor there.
func (l *listing) goTo(env screen.Env, p place) tea.Cmd {
	l.follow = false
	q := l.question(env)
	q.place, q.move = p, true
	return l.ask(env, l.first(env, q))
}

// first has the rows on screen come before the others, unless they are searched for: then all come together.
func (l *listing) first(env screen.Env, q question) question {
	if l.filter.looking() {
		return q
	}
	return q.shorten(l.room(env))
}

// goNewest goes to the newest row there is now.
func (l *listing) goNewest(env screen.Env) tea.Cmd {
	if len(env.Accounts) == 0 {
		return nil
	}
	q := l.question(env).forget()
	q.edge, q.place, q.move = 0, place{}, true
	return l.ask(env, l.first(env, q))
}

// goEnd goes to the oldest row, or to the newest, which takes in what is new.
func (l *listing) goEnd(env screen.Env, oldest bool) tea.Cmd {
	l.follow = false
	t := &l.table
	switch {
	case len(env.Accounts) == 0:
		return nil
	case !l.index.known:
		l.plain.goEnd(t, oldest)
		return l.plain.needOlder(env, l.account, t)
	case oldest:
		if t.counted {
			t.jump(t.total - 1)
		}
		return l.goTo(env, place{kind: atOldest})
	}
	t.jump(0)
	return l.goNewest(env)
}

// goDay goes a day back or on from the row in focus.
func (l *listing) goDay(env screen.Env, k kind) tea.Cmd {
	l.follow = false
	e, ok := l.table.focused()
	if !ok || e.Time == 0 {
		return nil
	}
	return l.goTo(env, place{kind: k, time: e.Time})
}

// turn goes to the next order. Between newest and oldest first the row in focus stays.
func (l *listing) turn(env screen.Env) tea.Cmd {
	t := &l.table
	at := t.here()
	t.order, l.follow = (t.order+1)%orders, false
	if t.order != oldestFirst { // to or from amounts: all rows are others
		t.drop()
		t.at.Jump(0, 0)
		q := l.question(env).forget()
		q.edge, q.place, q.move = 0, place{}, true
		return l.ask(env, q)
	}
	if t.counted {
		t.jump(at)
		return l.need(env)
	}
	q := l.question(env)
	q.was, q.place, q.move = at, place{kind: atPosition, pos: at}, true
	return l.ask(env, q)
}

// followNewest keeps the newest row in focus, or stops that.
func (l *listing) followNewest(env screen.Env) tea.Cmd {
	if l.follow = !l.follow; !l.follow {
		return nil
	}
	l.table.order = newestFirst
	return l.goNewest(env)
}

// match asks for the rows that the filter's text means, after a pause in
// which more may be typed. The row in focus stays in focus if it is among them.
func (l *listing) match(env screen.Env, pause time.Duration) tea.Cmd {
	f := &l.filter
	f.asking, l.follow = f.text.Value(), false
	if fault := f.text.Fault(); fault != "" {
		f.mistaken(&words.Mistake{What: fault})
		return nil
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	q := l.question(env).forget()
	if q.pause = pause; q.order == largestFirst {
		q.place, q.move = place{}, true
	}
	return l.ask(env, q)
}

// need asks for the rows around the cursor when they are not available, or soon
// will not be.
func (l *listing) need(env screen.Env) tea.Cmd {
	if !l.index.known {
		return l.plain.needOlder(env, l.account, &l.table)
	}
	if l.table.near(l.room(env) * 5 / 4) {
		return nil
	}
	if _, busy := l.tasks.Busy(look); busy && l.filter.looking() { // the filter goes first, and comes back here
		return nil
	}
	return l.rest(env)
}

// rest asks for the rows around the cursor.
func (l *listing) rest(env screen.Env) tea.Cmd {
	q := l.question(env)
	q.place = place{kind: atPosition, pos: l.table.here()}
	return l.ask(env, q)
}

// result takes rows and counts.
func (l *listing) result(env screen.Env, msg screen.Result) tea.Cmd {
	var mistake *words.Mistake
	switch {
	case errors.As(msg.Err, &mistake):
		l.filter.mistaken(mistake)
		l.again = l.again || l.read.IsZero()
		return l.askAgain(env)
	case msg.Err != nil:
		return l.failed(msg.Err)
	}
	l.fault = nil
	switch body := msg.Body.(type) {
	case answer:
		return tea.Batch(l.answered(env, body), l.askAgain(env))
	case history.Totals:
		at := l.table.here()
		l.filter.sums, l.table.total, l.table.counted = body.Sums, int(body.Rows), true
		l.table.jump(at) // oldest first, places are counted from the other end
		return l.need(env)
	case []history.Entry:
		return l.plainRows(env, msg.Topic, body)
	}
	return nil
}

// plainRows takes a page that was read without the index, unless that was faster.
func (l *listing) plainRows(env screen.Env, topic string, page []history.Entry) tea.Cmd {
	if l.index.known {
		return nil
	}
	if topic == newest {
		l.read = env.Now
	}
	reading := l.plain.toEnd
	l.plain.take(&l.table, topic, page)
	l.seek()
	if !reading {
		return nil
	}
	return l.plain.needOlder(env, l.account, &l.table)
}

// failed notes what went wrong; where rows are shown, it is said once.
func (l *listing) failed(err error) tea.Cmd {
	again := l.fault != nil && l.fault.Error() == err.Error()
	l.fault, l.plain.toEnd = err, false
	if l.table.total == 0 || again {
		return nil
	}
	what, _ := advice.Of(err)
	return screen.Request(screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what))})
}

// askAgain asks again when something happened since the question.
func (l *listing) askAgain(env screen.Env) tea.Cmd {
	if _, busy := l.tasks.Busy(look); l.again && !busy {
		l.again = false
		return l.refresh(env)
	}
	return nil
}

// answered takes a window.
func (l *listing) answered(env screen.Env, a answer) tea.Cmd {
	if !a.progress.Known {
		l.index.known = false
		return l.plain.readNewest(env, l.account)
	}
	say := l.announce(a)
	if a.none {
		l.again = l.again || a.words != l.filter.words // the words that came along are still to be shown
		return tea.Batch(say, screen.Request(screen.Toast{Line: nothingThere(a.place.kind)}))
	}
	moved := l.table.here() - a.was // meanwhile
	if a.move {
		moved = 0
	}
	if a.words != l.filter.words || !l.index.known {
		l.table.fit, l.filter.sums, l.table.total = nil, nil, 0
	}
	l.filter.words, l.filter.is, l.filter.memos, l.read = a.words, a.filter, a.search.memos, env.Now
	l.again = l.again || a.search.memos.More
	l.filter.understood(a.words)
	l.index.set(env.Now, a)
	l.table.set(a)
	l.table.jump(a.at + moved)
	l.seek()
	cmds := []tea.Cmd{say, l.countAgain(env, a)}
	switch {
	case a.brief:
		cmds = append(cmds, l.rest(env))
	case moved != 0:
		cmds = append(cmds, l.need(env))
	}
	return tea.Batch(cmds...)
}

// countAgain counts what is not counted yet, or may have changed.
func (l *listing) countAgain(env screen.Env, a answer) tea.Cmd {
	if a.recount {
		l.stopCount()
		l.tasks.Forget(totals)
	}
	missing := !l.table.counted || l.filter.words != "" && l.filter.sums == nil && l.table.total > 0
	if _, busy := l.tasks.Busy(totals); busy || !missing {
		return nil
	}
	return l.count(env)
}

// announce reports what a new window means besides its rows: that the chain took some
// back, or why the index is rebuilt.
func (l *listing) announce(a answer) tea.Cmd {
	if say := l.index.announce(a.progress); say != nil {
		return say
	}
	if a.words != l.filter.words || !l.index.known || a.none {
		return nil
	}
	return lost(l.table.gone(a))
}

// nothingThere is why a jump stayed where it was.
func nothingThere(k kind) canvas.Line {
	switch k {
	case atTime, atDayBefore:
		return canvas.Text("No row is older than that")
	case atDayAfter:
		return canvas.Text("No row is newer than that")
	}
	return canvas.Text("There is no row")
}

// seek puts the cursor on the row that is wanted, once it is there.
func (l *listing) seek() {
	for i, e := range l.table.rows {
		if l.wanted != 0 && e.ID == l.wanted {
			l.table.jump(l.table.first + i)
			l.wanted, l.came = 0, true
		}
	}
}

// asOf is the time up to which the rows are all there are.
func (l *listing) asOf() time.Time {
	switch rows := l.table.rows; {
	case !l.index.known:
		return l.read
	case l.index.progress.AsOf != 0:
		return l.index.progress.AsOf.Time()
	case len(rows) > 0: // newer ones were being read
		return rows[0].Time.Time()
	}
	return time.Time{}
}
