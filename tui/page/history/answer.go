package history

import (
	"context"
	"slices"
	"time"

	"billfold/ledger"
	"billfold/walletcore/history"
	"billfold/walletcore/historyindex"
)

// answer is the window, and the counts around it.
type answer struct {
	question
	progress history.Progress
	fresh    int // matching rows newer than the edge
	at       int // the position of the place
	none     bool
	first    int
	list     []history.Entry
}

// spans reports whether a row would be in the window if there were one of that id: what is newer or older than the window's rows
// may be there without being in it.
func (a answer) spans(id ledger.HistoryID) bool {
	n := len(a.list)
	if n == 0 {
		return a.counted && a.total == 0
	}
	return (a.first == 0 || id <= a.list[0].ID) && (a.counted && a.first+n >= a.total || id >= a.list[n-1].ID)
}

// answer reads the window. Its parts are read one after another; when the index
// changes in between, an event says so and all is read again.
func (q question) answer(ctx context.Context, core Core) (a answer, err error) {
	select {
	case <-time.After(q.pause):
	case <-ctx.Done():
		return a, ctx.Err()
	}
	if a.progress, err = core.Index.Progress(ctx, q.account); err != nil || !a.progress.Known {
		return a, err
	}
	if !q.found {
		found, err := core.Index.FindSoon(ctx, q.account, q.words, q.now, q.search.soon)
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
	if a.at, a.none, err = q.find(ctx, core); err != nil || a.none {
		a.question = q
		return a, err
	}
	a.first, a.list, err = q.window(ctx, core, a.at)
	if n := a.first + len(a.list); !q.counted {
		q.total, q.counted = n, len(a.list) < q.rows
		if !q.counted {
			q.total++ // one more at least
		}
	}
	a.question = q
	return a, err
}

// setEdge finds the newest row, and how many came after the edge that is set.
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
	a.fresh = int(n)
	q.filter.UpTo = q.edge
	return err
}

// setTotal counts what is counted at once, or what cannot wait.
func (q *question) setTotal(ctx context.Context, core Core) error {
	if q.counted || q.words != "" && q.order != oldestFirst && q.place.kind != atOldest {
		return nil
	}
	n, err := core.Counter.Count(ctx, q.account, q.filter)
	q.total, q.counted = int(n), true
	return err
}

// find returns the position of the place; none says that there is no such row.
func (q question) find(ctx context.Context, core Core) (at int, none bool, err error) {
	switch q.place.kind {
	case atRow:
		n, err := core.Rows.Position(ctx, q.account, q.filter, q.place.id)
		return q.within(int(n)), false, err
	case atOldest:
		return q.total - 1, q.total == 0, nil
	case atTime:
		return q.jump(ctx, core, q.place.time)
	case atDayBefore:
		return q.jump(ctx, core, dayOf(q.place.time)-1)
	case atDayAfter:
		f := historyindex.Filter{All: []historyindex.Filter{q.filter}, Since: dayOf(q.place.time) + oneDay, UpTo: q.edge}
		next, err := core.Rows.Page(ctx, q.account, f, historyindex.Window{Oldest: true, Limit: 1})
		if err != nil || len(next) == 0 {
			return 0, true, err
		}
		return q.jump(ctx, core, dayOf(next[0].Time)+oneDay-1)
	}
	return q.within(q.place.pos), false, nil
}

func (q question) within(at int) int {
	if q.counted {
		at = min(at, q.total-1)
	}
	return max(at, 0)
}

const oneDay = 24 * 60 * 60

// dayOf is the beginning of a time's day, UTC.
func dayOf(t ledger.Time) ledger.Time { return t - t%oneDay }

func (q question) jump(ctx context.Context, core Core, at ledger.Time) (int, bool, error) {
	p, found, err := core.Rows.Jump(ctx, q.account, q.filter, at)
	return int(p.Position), !found, err
}

// window reads the rows around a position: from a row that is loaded where that
// is nearer than the first or the last one.
func (q question) window(ctx context.Context, core Core, at int) (first int, rows []history.Entry, err error) {
	first = max(at-q.rows/2, 0)
	if q.order == largestFirst {
		rows, err = core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{Amount: true, Skip: uint64(first), Limit: q.rows})
		return first, rows, err
	}
	if q.counted {
		first = max(min(first, q.total-q.rows), 0)
	}
	if at := int(q.hand.first.Position); q.hand.first.ID != 0 && first <= at+len(q.hand.rows) && at <= first+q.rows {
		return q.missing(ctx, core, first)
	}
	win := historyindex.Window{Skip: uint64(first), Limit: q.rows}
	switch anchor, end := int(q.hand.first.Position), int(q.hand.last.Position); {
	case q.hand.last.ID != 0 && first > end:
		win.Before, win.Skip = q.hand.last.ID, uint64(first-end-1)
	case q.hand.first.ID != 0 && first > anchor:
		win.Before, win.Skip = q.hand.first.ID, uint64(first-anchor-1)
	case q.hand.last.ID != 0 && first > end/2 && first+q.rows <= end:
		win = historyindex.Window{After: q.hand.last.ID, Oldest: true, Skip: uint64(end - first - q.rows), Limit: q.rows}
	}
	if q.counted && !win.Oldest && first > q.total/2 && uint64(q.total-first) < win.Skip {
		win = historyindex.Window{Oldest: true, Skip: uint64(max(q.total-first-q.rows, 0)), Limit: q.rows}
		first = max(q.total-q.rows-int(win.Skip), 0)
	}
	rows, err = core.Rows.Page(ctx, q.account, q.filter, win)
	if win.Oldest {
		slices.Reverse(rows)
	}
	return first, rows, err
}

// missing reads the rows of a window that are not at hand, and puts them around those that are.
func (q question) missing(ctx context.Context, core Core, from int) (first int, rows []history.Entry, err error) {
	hand, end := int(q.hand.first.Position), int(q.hand.last.Position)+1
	if n := hand - from; n > 0 {
		rows, err = core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{After: q.hand.first.ID, Oldest: true, Limit: n})
		if err != nil {
			return from, nil, err
		}
		slices.Reverse(rows)
	}
	first = max(hand-len(rows), from)
	rows = append(rows, q.hand.rows[max(from-hand, 0):min(from+q.rows, end)-hand]...)
	if n := from + q.rows - end; n > 0 {
		older, err := core.Rows.Page(ctx, q.account, q.filter, historyindex.Window{Before: q.hand.last.ID, Limit: n})
		return first, append(rows, older...), err
	}
	return first, rows, nil
}
