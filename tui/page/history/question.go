package history

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// kind is the form in which a place is given.
type kind int

const (
	atPosition  kind = iota // how many matching rows are newer
	atRow                   // a row, or where it would be
	atOldest                // the oldest row
	atTime                  // the newest row not later than a time
	atDayBefore             // the newest row of the last day before that of the time
	atDayAfter              // the newest row of the next day after that of the time
)

// place is the wanted position of a window of rows; kind selects which of the other fields counts.
type place struct {
	kind kind
	pos  int
	id   ledger.HistoryID
	time ledger.Time
}

// order is the order of the rows on screen.
type order int

const (
	newestFirst order = iota
	oldestFirst
	largestFirst // of each asset
	orders
)

func (o order) String() string {
	return [...]string{"newest first", "oldest first", "by amount"}[o]
}

// memoSearch is the progress of searching memos for the words of a question, and the time for which it may go on.
type memoSearch struct {
	memos history.MemoSearch
	limit time.Duration
}

// loadedRows is consecutive rows that are loaded already.
type loadedRows struct {
	rows        []history.Entry
	first, last historyindex.Place
}

// question asks for a window of rows. It holds everything that the answer needs: it is
// made on the interface loop and answered off it.
type question struct {
	account       ledger.AccountID
	words         string
	filter        historyindex.Filter // what the words mean, if filterKnown
	filterKnown   bool
	search        memoSearch
	edge          ledger.HistoryID // 0: the newest row that exists
	place         place
	moveCursor    bool // the cursor goes to the place; else it stays on its row
	focusPosition int  // the position of the row in focus when the question was asked
	total         int  // how many rows match, if counted
	counted       bool
	order         order
	recount       bool // what was counted before may have changed
	loaded        loadedRows
	limit         int  // how many rows to load
	partial       bool // only the rows on screen: the rest is asked for next
	pause         time.Duration
	now           time.Time
}

// dropKnown returns the question without the loaded rows and the count, which may have changed.
func (q question) dropKnown() question {
	q.loaded, q.counted, q.recount = loadedRows{}, false, true
	return q
}

// shorten returns the question for about the rows on screen, of which room fit there.
func (q question) shorten(room int) question {
	if short := 2 * room; short < q.limit {
		q.limit, q.partial = short, true
	}
	return q
}

// answer holds what a question found: the window of rows, and the counts around it.
type answer struct {
	question
	progress history.Progress
	newer    int // matching rows newer than the edge
	position int // of the place
	notFound bool
	first    int
	rows     []history.Entry
}

// covers reports whether a row of that id would be in the window if it existed. Rows that are newer or older than those of the window
// may exist without being in it.
func (a answer) covers(id ledger.HistoryID) bool {
	n := len(a.rows)
	if n == 0 {
		return a.counted && a.total == 0
	}
	return (a.first == 0 || id <= a.rows[0].ID) && (a.counted && a.first+n >= a.total || id >= a.rows[n-1].ID)
}

// answer reads the window. Its parts are read one after another; if the index
// changes in between, an event follows and everything is read again.
func (q question) answer(ctx context.Context, core Core) (a answer, err error) {
	select {
	case <-time.After(q.pause):
	case <-ctx.Done():
		return a, ctx.Err()
	}
	if a.progress, err = core.Index.Progress(ctx, q.account); err != nil || !a.progress.Known {
		return a, err
	}
	if !q.filterKnown {
		found, err := core.Index.FindSoon(ctx, q.account, q.words, q.now, q.search.limit)
		if err != nil {
			return a, err
		}
		q.filter, q.search.memos = found.Filter, found.Memos
	}
	if err := q.setEdge(ctx, core, &a); err != nil {
		return a, err
	}
	if err := q.setTotal(ctx, core); err != nil {
		return a, err
	}
	if a.position, a.notFound, err = q.locate(ctx, core); err != nil || a.notFound {
		a.question = q
		return a, err
	}
	a.first, a.rows, err = q.readWindow(ctx, core, a.position)
	if n := a.first + len(a.rows); !q.counted {
		q.total, q.counted = n, len(a.rows) < q.limit
		if !q.counted {
			q.total++ // at least one more
		}
	}
	a.question = q
	return a, err
}

// setEdge sets the edge to the newest row if none is set, and counts the rows that came after it.
func (q *question) setEdge(ctx context.Context, core Core, a *answer) error {
	if q.edge == 0 {
		rows, err := core.Rows.Page(ctx, q.account, historyindex.Filter{}, historyindex.Window{Limit: 1})
		if err != nil || len(rows) == 0 {
			return err
		}
		q.edge = rows[0].ID
	}
	f := q.filter
	f.UpTo, f.After = 0, q.edge
	n, err := core.Counter.Count(ctx, q.account, f)
	a.newer = int(n)
	q.filter.UpTo = q.edge
	return err
}

// setTotal counts the matching rows, unless they are counted or a filter's count can wait: it may take long.
func (q *question) setTotal(ctx context.Context, core Core) error {
	if q.counted || q.words != "" && q.order != oldestFirst && q.place.kind != atOldest {
		return nil
	}
	n, err := core.Counter.Count(ctx, q.account, q.filter)
	q.total, q.counted = int(n), true
	return err
}

// locate returns the position of the place; none reports that there is no such row.
func (q question) locate(ctx context.Context, core Core) (at int, none bool, err error) {
	switch q.place.kind {
	case atRow:
		n, err := core.Rows.Position(ctx, q.account, q.filter, q.place.id)
		return q.clamp(int(n)), false, err
	case atOldest:
		return q.total - 1, q.total == 0, nil
	case atTime:
		return q.jump(ctx, core, q.place.time)
	case atDayBefore:
		return q.jump(ctx, core, q.startOfDay(q.place.time, 0)-1)
	case atDayAfter:
		f := historyindex.Filter{All: []historyindex.Filter{q.filter}, Since: q.startOfDay(q.place.time, 1), UpTo: q.edge}
		next, err := core.Rows.Page(ctx, q.account, f, historyindex.Window{Oldest: true, Limit: 1})
		if err != nil || len(next) == 0 {
			return 0, true, err
		}
		return q.jump(ctx, core, q.startOfDay(next[0].Time, 1)-1)
	}
	return q.clamp(q.place.pos), false, nil
}

// clamp returns the position nearest to at that exists, as far as rows are counted.
func (q question) clamp(at int) int {
	if q.counted {
		at = min(at, q.total-1)
	}
	return max(at, 0)
}

// startOfDay returns the beginning of a time's day in the zone of the screen, or of a day so many days later.
func (q question) startOfDay(t ledger.Time, later int) ledger.Time {
	year, month, day := t.Time().In(q.now.Location()).Date()
	return ledger.TimeOf(time.Date(year, month, day+later, 0, 0, 0, 0, q.now.Location()))
}

func (q question) jump(ctx context.Context, core Core, at ledger.Time) (int, bool, error) {
	p, found, err := core.Rows.Jump(ctx, q.account, q.filter, at)
	return int(p.Position), !found, err
}

// readWindow reads the rows around a position. It counts from a loaded row if that
// is nearer than the first or the last of all.
func (q question) readWindow(ctx context.Context, core Core, at int) (first int, rows []history.Entry, err error) {
	first = max(at-q.limit/2, 0)
	if q.order == largestFirst {
		rows, err = core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{Amount: true, Skip: uint64(first), Limit: q.limit})
		return first, rows, err
	}
	if q.counted {
		first = max(min(first, q.total-q.limit), 0)
	}
	if at := int(q.loaded.first.Position); q.loaded.first.ID != 0 && first <= at+len(q.loaded.rows) && at <= first+q.limit {
		return q.readMissing(ctx, core, first)
	}
	win := historyindex.Window{Skip: uint64(first), Limit: q.limit}
	switch anchor, end := int(q.loaded.first.Position), int(q.loaded.last.Position); {
	case q.loaded.last.ID != 0 && first > end:
		win.Before, win.Skip = q.loaded.last.ID, uint64(first-end-1)
	case q.loaded.first.ID != 0 && first > anchor:
		win.Before, win.Skip = q.loaded.first.ID, uint64(first-anchor-1)
	case q.loaded.last.ID != 0 && first > end/2 && first+q.limit <= end:
		win = historyindex.Window{After: q.loaded.last.ID, Oldest: true, Skip: uint64(end - first - q.limit), Limit: q.limit}
	}
	if q.counted && !win.Oldest && first > q.total/2 && uint64(q.total-first) < win.Skip {
		win = historyindex.Window{Oldest: true, Skip: uint64(max(q.total-first-q.limit, 0)), Limit: q.limit}
		first = max(q.total-q.limit-int(win.Skip), 0)
	}
	rows, err = core.Rows.Page(ctx, q.account, q.filter, win)
	if win.Oldest {
		slices.Reverse(rows)
	}
	return first, rows, err
}

// readMissing reads the rows of a window that are not loaded, and joins them with those that are.
func (q question) readMissing(ctx context.Context, core Core, from int) (first int, rows []history.Entry, err error) {
	hand, end := int(q.loaded.first.Position), int(q.loaded.last.Position)+1
	if n := hand - from; n > 0 {
		rows, err = core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{After: q.loaded.first.ID, Oldest: true, Limit: n})
		if err != nil {
			return from, nil, err
		}
		slices.Reverse(rows)
	}
	first = max(hand-len(rows), from)
	rows = append(rows, q.loaded.rows[max(from-hand, 0):min(from+q.limit, end)-hand]...)
	if n := from + q.limit - end; n > 0 {
		older, err := core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{Before: q.loaded.last.ID, Limit: n})
		return first, append(rows, older...), err
	}
	return first, rows, nil
}
