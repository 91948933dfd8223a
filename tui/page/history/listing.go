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
	"billfold/walletcore/history"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"

	tea "github.com/charmbracelet/bubbletea"
)

// typingPause is the pause in typing after which the filter is applied.
const typingPause = 80 * time.Millisecond

// How long memos are searched for the filter before rows are shown the first time, and each time after that.
const (
	searchFirst = 100 * time.Millisecond
	searchOn    = time.Second
)

// minRows is the minimum number of rows in a window; usually it has four screens of them.
const minRows = 90

// listing is the rows of an account that match the filter: the table, and how it is
// kept filled. A new question cancels the one that is open.
type listing struct {
	core        Core
	tasks       *screen.Tasks
	visibleRows func(screen.Env) int // how many rows fit on screen
	account     ledger.AccountID

	table  table
	filter filter
	index  index
	follow bool      // the newest row stays in focus
	readAt time.Time // when rows were last read
	fault  error

	stop      context.CancelFunc // cancels the open question
	stopCount context.CancelFunc // cancels the open count
	stale     bool               // something changed since the question was asked: ask again after its answer
	reloading bool               // the open question reads all rows again

	wanted        ledger.HistoryID // the row to open once it is read
	wantedArrived bool             // it was read and has the focus
	unindexed     unindexed
}

func newListing(core Core, tasks *screen.Tasks, room func(screen.Env) int) listing {
	return listing{core: core, tasks: tasks, visibleRows: room, stop: func() {}, stopCount: func() {},
		unindexed: unindexed{recent: core.Recent, tasks: tasks}}
}

// reset drops the rows, which are those of another account. The text of the filter stays.
func (l *listing) reset(account ledger.AccountID) {
	was := *l
	*l = newListing(was.core, was.tasks, was.visibleRows)
	l.table.account = account
	l.account, l.wanted, l.index.known = account, was.wanted, was.index.known
	l.filter.text, l.filter.pending = was.filter.text, was.filter.text.Value()
	was.stop()
	was.stopCount()
	for _, topic := range []string{topicWindow, topicTotals, topicOlder, topicNewest} {
		l.tasks.Forget(topic)
	}
}

// newQuestion returns a question for the rows around the focus, from what is known now.
func (l *listing) newQuestion(env screen.Env) question {
	t := &l.table
	q := question{account: l.account, words: l.filter.pending, edge: l.index.edge, total: t.total, counted: t.counted, order: t.order,
		focusPosition: t.focusPosition(), search: memoSearch{limit: searchFirst}, limit: max(4*l.visibleRows(env), minRows), now: env.Now}
	q.place = place{kind: atPosition, pos: max(q.focusPosition, 0)}
	if e, ok := t.focused(); ok && t.order != largestFirst {
		q.place = place{kind: atRow, id: e.ID}
	}
	if l.filter.isPending() {
		return q.dropKnown() // the loaded rows match another text
	}
	if n := len(t.rows); n > 0 {
		q.loaded = loadedRows{
			rows:  t.rows,
			first: historyindex.Place{ID: t.rows[0].ID, Position: uint64(t.first)},
			last:  historyindex.Place{ID: t.rows[n-1].ID, Position: uint64(t.first + n - 1)},
		}
	}
	return q
}

// ask cancels the open question and asks another.
func (l *listing) ask(env screen.Env, q question) tea.Cmd {
	l.stop()
	var ended context.Context
	ended, l.stop = context.WithCancel(context.Background())
	_, busy := l.tasks.Busy(topicWindow)
	l.stale = !q.recount && (l.stale || busy && l.reloading) // the canceled question would have shown the change
	l.reloading = q.recount
	core := l.core
	if q.loaded.first.ID != 0 { // the loaded rows match the text
		q.filter, q.filterKnown, q.search.memos = l.filter.parsed, true, l.filter.memos
	}
	return l.tasks.Start(env, topicWindow, readLimit, endWith(ended, func(ctx context.Context) (any, error) { return q.answer(ctx, core) }))
}

// countMatches starts counting how many rows match, and what they move.
func (l *listing) countMatches(env screen.Env) tea.Cmd {
	l.stopCount()
	var ended context.Context
	ended, l.stopCount = context.WithCancel(context.Background())
	counter, id, f := l.core.Counter, l.account, l.filter.parsed
	return l.tasks.Start(
		env,
		topicTotals,
		readLimit,
		endWith(ended, func(ctx context.Context) (any, error) { return counter.Totals(ctx, id, f) }),
	)
}

// endWith returns work that is canceled with another context besides its own.
func endWith(ended context.Context, work func(context.Context) (any, error)) func(context.Context) (any, error) {
	return func(ctx context.Context) (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(ended, stop)()
		return work(ctx)
	}
}

// refresh reads the window again in its place. If a question is open, that waits
// for its answer.
func (l *listing) refresh(env screen.Env) tea.Cmd {
	if len(env.Accounts) == 0 {
		return nil
	}
	if _, busy := l.tasks.Busy(topicWindow); busy {
		l.stale = true
		return nil
	}
	q := l.newQuestion(env)
	if l.follow {
		q.edge, q.place, q.moveCursor = 0, place{}, true
	}
	if l.wanted != 0 && q.order != largestFirst {
		q.edge, q.place = 0, place{kind: atRow, id: l.wanted}
	}
	q = q.dropKnown()
	if l.filter.memos.More {
		q.search.limit = searchOn
	}
	if l.index.known && !l.index.progress.Whole {
		q.pause = buildingPause
	}
	return l.ask(env, q)
}

// goTo asks for the window at a place and puts the cursor there.
func (l *listing) goTo(env screen.Env, p place) tea.Cmd {
	l.follow = false
	q := l.newQuestion(env)
	q.place, q.moveCursor = p, true
	return l.ask(env, l.screenFirst(env, q))
}

// screenFirst makes the question one for the rows on screen alone, the others to follow, unless a filter is pending.
func (l *listing) screenFirst(env screen.Env, q question) question {
	if l.filter.isPending() {
		return q
	}
	return q.shorten(l.visibleRows(env))
}

// goNewest goes to the newest row that exists now.
func (l *listing) goNewest(env screen.Env) tea.Cmd {
	if len(env.Accounts) == 0 {
		return nil
	}
	q := l.newQuestion(env).dropKnown()
	q.edge, q.place, q.moveCursor = 0, place{}, true
	return l.ask(env, l.screenFirst(env, q))
}

// goEnd goes to the oldest row, or to the newest, including those after the edge.
func (l *listing) goEnd(env screen.Env, oldest bool) tea.Cmd {
	l.follow = false
	t := &l.table
	switch {
	case len(env.Accounts) == 0:
		return nil
	case !l.index.known:
		l.unindexed.goEnd(t, oldest)
		return l.unindexed.needOlder(env, l.account, t)
	case oldest:
		if t.counted {
			t.jumpTo(t.total - 1)
		}
		return l.goTo(env, place{kind: atOldest})
	}
	t.jumpTo(0)
	return l.goNewest(env)
}

// goDay goes a day back or forward from the row in focus.
func (l *listing) goDay(env screen.Env, k kind) tea.Cmd {
	l.follow = false
	e, ok := l.table.focused()
	if !ok || e.Time == 0 {
		return nil
	}
	return l.goTo(env, place{kind: k, time: e.Time})
}

// nextOrder chooses the next order. From newest to oldest first, the row in focus stays.
func (l *listing) nextOrder(env screen.Env) tea.Cmd {
	t := &l.table
	at := t.focusPosition()
	t.order, l.follow = (t.order+1)%orders, false
	if t.order != oldestFirst { // to or from the order of amounts: the rows are different ones
		t.drop()
		t.at.Jump(0, 0)
		q := l.newQuestion(env).dropKnown()
		q.edge, q.place, q.moveCursor = 0, place{}, true
		return l.ask(env, q)
	}
	if t.counted {
		t.jumpTo(at)
		return l.fillWindow(env)
	}
	q := l.newQuestion(env)
	q.focusPosition, q.place, q.moveCursor = at, place{kind: atPosition, pos: at}, true
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

// applyFilter asks for the rows that match the filter's text, after a pause in
// which more may be typed. The row in focus stays in focus if it is among them.
func (l *listing) applyFilter(env screen.Env, pause time.Duration) tea.Cmd {
	f := &l.filter
	f.pending, l.follow = f.text.Value(), false
	if fault := f.text.Fault(); fault != "" {
		f.reject(&words.Mistake{What: fault})
		return nil
	}
	if len(env.Accounts) == 0 {
		return nil
	}
	q := l.newQuestion(env).dropKnown()
	if q.pause = pause; q.order == largestFirst {
		q.place, q.moveCursor = place{}, true
	}
	return l.ask(env, q)
}

// fillWindow asks for the rows around the cursor if they are not loaded, or the cursor
// nears the end of those that are.
func (l *listing) fillWindow(env screen.Env) tea.Cmd {
	if !l.index.known {
		return l.unindexed.needOlder(env, l.account, &l.table)
	}
	if l.table.hasAround(l.visibleRows(env) * 5 / 4) {
		return nil
	}
	if _, busy := l.tasks.Busy(topicWindow); busy && l.filter.isPending() { // the filter's answer comes first, and leads here again
		return nil
	}
	return l.readAround(env)
}

// readAround asks for the rows around the cursor.
func (l *listing) readAround(env screen.Env) tea.Cmd {
	q := l.newQuestion(env)
	q.place = place{kind: atPosition, pos: l.table.focusPosition()}
	return l.ask(env, q)
}

// applyResult applies rows and counts that were read.
func (l *listing) applyResult(env screen.Env, msg screen.Result) tea.Cmd {
	var mistake *words.Mistake
	switch {
	case errors.As(msg.Err, &mistake):
		l.filter.reject(mistake)
		l.stale = l.stale || l.readAt.IsZero()
		return l.askIfStale(env)
	case msg.Err != nil:
		return l.applyError(msg.Err)
	}
	l.fault = nil
	switch body := msg.Body.(type) {
	case answer:
		return tea.Batch(l.applyAnswer(env, body), l.askIfStale(env))
	case history.Totals:
		at := l.table.focusPosition()
		l.filter.sums, l.table.total, l.table.counted = body.Sums, int(body.Rows), true
		l.table.jumpTo(at) // with the oldest first, places count from the other end
		return l.fillWindow(env)
	case []history.Entry:
		return l.applyUnindexed(env, msg.Topic, body)
	}
	return nil
}

// applyUnindexed adds a page that was read from the node, unless the index is known by now.
func (l *listing) applyUnindexed(env screen.Env, topic string, page []history.Entry) tea.Cmd {
	if l.index.known {
		return nil
	}
	if topic == topicNewest {
		l.readAt = env.Now
	}
	reading := l.unindexed.readingToEnd
	l.unindexed.addPage(&l.table, topic, page)
	l.focusWanted()
	if !reading {
		return nil
	}
	return l.unindexed.needOlder(env, l.account, &l.table)
}

// applyError records what went wrong. If rows are shown, a toast says so once.
func (l *listing) applyError(err error) tea.Cmd {
	again := l.fault != nil && l.fault.Error() == err.Error()
	l.fault, l.unindexed.readingToEnd = err, false
	if l.table.total == 0 || again {
		return nil
	}
	what, _ := advice.Of(err)
	return screen.Request(screen.Toast{Bad: true, Line: canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(what))})
}

// askIfStale asks again if something changed since the question.
func (l *listing) askIfStale(env screen.Env) tea.Cmd {
	if _, busy := l.tasks.Busy(topicWindow); l.stale && !busy {
		l.stale = false
		return l.refresh(env)
	}
	return nil
}

// applyAnswer shows a window that was read.
func (l *listing) applyAnswer(env screen.Env, a answer) tea.Cmd {
	if !a.progress.Known {
		l.index.known = false
		return l.unindexed.readNewest(env, l.account)
	}
	say := l.announceChanges(a)
	if a.notFound {
		l.stale = l.stale || a.words != l.filter.applied // the rows for a new text are still to be read
		return tea.Batch(say, screen.Request(screen.Toast{Line: noRowText(a.place.kind)}))
	}
	moved := l.table.focusPosition() - a.focusPosition // since the question
	if a.moveCursor {
		moved = 0
	}
	if a.words != l.filter.applied || !l.index.known {
		l.table.widest, l.filter.sums, l.table.total = nil, nil, 0
	}
	l.filter.applied, l.filter.parsed, l.filter.memos, l.readAt = a.words, a.filter, a.search.memos, env.Now
	l.stale = l.stale || a.search.memos.More
	l.filter.clearMistake(a.words)
	l.index.update(env.Now, a)
	l.table.setWindow(a)
	l.table.jumpTo(a.position + moved)
	l.focusWanted()
	cmds := []tea.Cmd{say, l.countIfNeeded(env, a)}
	switch {
	case a.partial:
		cmds = append(cmds, l.readAround(env))
	case moved != 0:
		cmds = append(cmds, l.fillWindow(env))
	}
	return tea.Batch(cmds...)
}

// countIfNeeded starts counting what is not counted yet, or may have changed.
func (l *listing) countIfNeeded(env screen.Env, a answer) tea.Cmd {
	if a.recount {
		l.stopCount()
		l.tasks.Forget(topicTotals)
	}
	missing := !l.table.counted || l.filter.applied != "" && l.filter.sums == nil && l.table.total > 0
	if _, busy := l.tasks.Busy(topicTotals); busy || !missing {
		return nil
	}
	return l.countMatches(env)
}

// announceChanges shows that the chain undid rows that were on screen, or why the index
// is being rebuilt.
func (l *listing) announceChanges(a answer) tea.Cmd {
	if say := l.index.announceNotice(a.progress); say != nil {
		return say
	}
	if a.words != l.filter.applied || !l.index.known || a.notFound {
		return nil
	}
	return rowsLostToast(l.table.countGone(a))
}

// noRowText returns why a jump stayed where it was.
func noRowText(k kind) canvas.Line {
	switch k {
	case atTime, atDayBefore:
		return canvas.Text("No row is older than that")
	case atDayAfter:
		return canvas.Text("No row is newer than that")
	}
	return canvas.Text("There is no row")
}

// focusWanted puts the cursor on the wanted row, once it is loaded.
func (l *listing) focusWanted() {
	for i, e := range l.table.rows {
		if l.wanted != 0 && e.ID == l.wanted {
			l.table.jumpTo(l.table.first + i)
			l.wanted, l.wantedArrived = 0, true
		}
	}
}

// asOf returns the time up to which the rows are complete.
func (l *listing) asOf() time.Time {
	switch rows := l.table.rows; {
	case !l.index.known:
		return l.readAt
	case l.index.progress.AsOf != 0:
		return l.index.progress.AsOf.Time()
	case len(rows) > 0: // newer ones were still being read
		return rows[0].Time.Time()
	}
	return time.Time{}
}
