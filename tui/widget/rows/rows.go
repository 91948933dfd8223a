// Package rows draws operations as a table: the one way in which history is listed, on Home, Receive and History. It promises that account
// and amount are shown in full in every row: a row in which they do not fit takes more lines, and so does one that moves more than
// one asset. Columns stay in the order in which New takes them: on History the state (of 100 cells and more), memo, operation, seconds;
// elsewhere operation, memo, seconds.
//
// What a column needs: a width, a field of Table, its take in New (in the order in which columns go; memoFirst is History), its head in Head,
// its cell in Row, and its width in amountAt if it stands before the amount. One that is as wide as its rows need has its widest row in
// updateWidest (window.go of page/history), too, which lays out for those rows alone. A cell that Row joins before tallRow is in tall rows as well.
package rows

import (
	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// The widths of columns, without gaps. Operation and memo take what remains, up to what their rows need.
const (
	opW       = 15
	opMost    = 26
	memoW     = 15
	memoMost  = 60
	opLeast   = 12 // in a wide table, which keeps the state
	memoLeast = 11
	stateW    = 9
	wide      = 100 // from this width on, a table shows for each row whether it is final
	withW     = 26  // at most; a longer account gets a line of its own
	gap       = 2
)

// Table is the layout for one set of rows in one width.
type Table struct {
	env             screen.Env
	w               int
	seconds         bool
	op, memo, state bool
	opW, memoW      int
	with            int
	amount          format.Column
	zones           string // of the times of the rows
}

// New lays out the table for the rows in w cells; with memoFirst, the memo column stays if there is room for only one of memo and
// operation.
func New(env screen.Env, entries []history.Entry, w int, memoFirst bool) Table {
	t := Table{env: env, w: w, opW: opW, memoW: memoW}
	t.zones = env.Times().Zones(func(yield func(ledger.Time) bool) {
		for _, e := range entries {
			if !yield(e.Time) {
				return
			}
		}
	})
	for _, e := range entries {
		if sign, asset, amount, ok := Moved(env, e); ok {
			t.amount = t.amount.Fit(sign, asset, amount)
			for _, also := range e.Also {
				t.amount = t.amount.Fit(sign, also.Asset, also.Amount)
			}
		}
		if n := t.withLine(e).Width(); n <= withW {
			t.with = max(t.with, n)
		}
	}
	t.with = max(t.with, 12)
	free := w - 11 - gap - t.with - gap - t.amountW()
	take := func(n int) bool {
		if free < n {
			return false
		}
		free -= n
		return true
	}
	if memoFirst && w >= wide {
		t.opW, t.memoW = opLeast, memoLeast
		t.state = take(stateW + gap)
	}
	if memoFirst {
		t.memo = take(t.memoW + gap)
	}
	t.op = take(t.opW + gap)
	t.memo = t.memo || take(t.memoW+gap)
	t.seconds = take(3)
	t.state = t.state || memoFirst && take(stateW+gap)
	t.grow(entries, free)
	return t
}

// grow widens operation and memo by the cells that remain, as far as their rows need them. Cells that no operation needs go to memos
// that are cut.
func (t *Table) grow(entries []history.Entry, free int) {
	op, memo := len("OPERATION"), memoW
	for _, e := range entries {
		op = max(op, min(canvas.Width(format.Clean(e.Name)), opMost))
		memo = max(memo, min(MemoWidth(e), memoMost))
	}
	widen := func(column *int, shown bool, need int) {
		if shown {
			more := max(min(need-*column, free), 0)
			*column += more
			free -= more
		}
	}
	if t.op && t.memo {
		spare := max(min(t.opW-op, memo-t.memoW-free), 0)
		t.opW -= spare
		free += spare
	}
	widen(&t.opW, t.op, op)
	widen(&t.memoW, t.memo, memo)
}

// MemoWidth returns how many cells a row's memo would fill, up to the most that its column can have.
func MemoWidth(e history.Entry) int {
	if e.MemoState != vault.MemoOpen && e.MemoState != vault.MemoPlain {
		return 0
	}
	return format.Quote(e.Memo, memoMost).Width()
}

func (t Table) amountW() int { return t.amount.Width() + 1 + t.amount.Symbol }

func (t Table) timeW() int {
	if t.seconds {
		return 14
	}
	return 11
}

// Moved returns a row's amount: what came in or went out, or the fee if nothing else moved and this account paid it.
func Moved(env screen.Env, e history.Entry) (sign string, asset ledgerview.AssetRef, amount int64, ok bool) {
	switch {
	case e.Amount != 0 && e.Direction == history.In:
		return "+", e.Asset, e.Amount, true
	case e.Amount != 0 && e.Direction == history.Out:
		return "-", e.Asset, e.Amount, true
	case e.Amount != 0:
		return "", e.Asset, e.Amount, true
	case e.Fee != 0 && e.From.ID == env.Account.ID:
		return "-", e.FeeAsset, e.Fee, true
	}
	return "", ledgerview.AssetRef{}, 0, false
}

func (t Table) amountLine(e history.Entry) canvas.Line {
	sign, asset, amount, ok := Moved(t.env, e)
	if !ok {
		return canvas.In(theme.Muted, "–").PadLeft(max(t.amount.Int, 1))
	}
	in := theme.Text
	switch sign {
	case "+":
		in = theme.MoneyIn
	case "-":
		in = theme.MoneyOut
	}
	return t.env.Money().Aligned(t.amount, sign, in, asset, amount)
}

// WithWidth returns how many cells the other side of a row takes.
func WithWidth(e history.Entry) int { return Table{}.withLine(e).Width() }

func (t Table) withLine(e history.Entry) canvas.Line {
	if e.With == (ledgerview.AccountRef{}) && !e.Pays() {
		return canvas.In(theme.Muted, "the ledger")
	}
	switch e.Direction {
	case history.In:
		return canvas.Join(canvas.In(theme.MoneyIn, theme.SignIn+" "), format.Account(e.With))
	case history.Out, history.Self:
		return canvas.Join(canvas.In(theme.MoneyOut, theme.SignOut+" "), format.Account(e.With))
	case history.Other:
	}
	switch {
	case e.Name != history.MessageName:
	case e.To.ID == e.With.ID:
		return canvas.Join(canvas.In(theme.Muted, theme.SignOut+" "), format.Account(e.With))
	default:
		return canvas.Join(canvas.In(theme.Muted, theme.SignIn+" "), format.Account(e.With))
	}
	return format.Account(e.With)
}

func (t Table) memoLine(e history.Entry) canvas.Line {
	switch e.MemoState {
	case vault.MemoOpen, vault.MemoPlain:
		return format.Quote(e.Memo, t.memoW)
	case vault.MemoLocked:
		return canvas.In(theme.Muted, "locked")
	case vault.MemoForeign:
		return canvas.In(theme.Muted, "enc")
	case vault.MemoDamaged:
		return canvas.In(theme.Warn, theme.SignCareful+" damaged")
	case vault.MemoNone:
	}
	if e.Amount == 0 && e.Fee != 0 && e.From.ID == t.env.Account.ID {
		return canvas.In(theme.Muted, "fee only")
	}
	return canvas.In(theme.Muted, "–")
}

// State shows in a sign and a word whether a row's block can still be undone.
func State(e history.Entry) canvas.Line {
	if e.Final {
		return canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(" final"))
	}
	return canvas.In(theme.Pending, theme.SignWork+" block")
}

// Head returns the names of the columns.
func (t Table) Head() canvas.Line {
	time := "TIME (" + t.zones + ")"
	if len(time) > t.timeW() {
		time = t.zones
	}
	out := canvas.Text(time).Pad(t.timeW() + gap)
	if t.op {
		out = canvas.Join(out, canvas.Text("OPERATION").Pad(t.opW+gap))
	}
	out = canvas.Join(out, canvas.Text("WITH").Pad(t.with+gap))
	if t.memo {
		out = canvas.Join(out, canvas.Text("MEMO").Pad(t.memoW+gap))
	}
	out = canvas.Join(out, canvas.Text("AMOUNT").PadLeft(max(t.amount.Int, 6)).Pad(t.amountW()+gap))
	if t.state {
		out = canvas.Join(out, canvas.Text("STATE"))
	}
	return out.As(theme.Muted)
}

// Row returns one operation, in as many lines as it needs.
func (t Table) Row(e history.Entry) []canvas.Line {
	out := canvas.Text(t.env.Times().Moment(e.Time, t.seconds)).Pad(t.timeW() + gap)
	if t.op {
		out = canvas.Join(out, canvas.Text(canvas.Cut(format.Clean(e.Name), t.opW)).Pad(t.opW+gap))
	}
	with, amount := t.withLine(e), t.amountLine(e)
	if with.Width() > t.with || t.timeW()+gap+t.with+gap+amount.Width() > t.w {
		return t.tallRow(out, with, e)
	}
	out = canvas.Join(out, with.Pad(t.with+gap))
	if t.memo {
		out = canvas.Join(out, t.memoLine(e).Pad(t.memoW+gap))
	}
	out = canvas.Join(out, amount.Pad(t.amountW()+gap))
	if t.state {
		out = canvas.Join(out, State(e))
	}
	return append([]canvas.Line{out}, t.alsoLines(e, t.amountAt())...)
}

// amountAt returns the cell at which the amounts of one-line rows begin.
func (t Table) amountAt() int {
	at := t.timeW() + gap + t.with + gap
	if t.op {
		at += t.opW + gap
	}
	if t.memo {
		at += t.memoW + gap
	}
	return at
}

// alsoLines returns the amounts of the other assets that a row moves, for the lines below its own, starting at a cell.
func (t Table) alsoLines(e history.Entry, at int) (out []canvas.Line) {
	for _, part := range e.Also {
		e.Asset, e.Amount = part.Asset, part.Amount
		out = append(out, canvas.Join(canvas.Line{}.Pad(at), t.amountLine(e)))
	}
	return out
}

// tallRow puts account and amount on lines of their own, wrapped if nothing else helps, never cut.
func (t Table) tallRow(start, with canvas.Line, e history.Entry) []canvas.Line {
	first := canvas.Join(start, with)
	out := []canvas.Line{first}
	if first.Width() > t.w {
		out = append([]canvas.Line{start}, with.Wrap(t.w-2)...)
	}
	for _, l := range append([]canvas.Line{t.amountLine(e)}, t.alsoLines(e, 0)...) {
		out = append(out, t.wrapAmount(l, start.Width())...)
	}
	return out
}

// wrapAmount wraps an amount that has no room; if it can, it ends where those of other rows end.
func (t Table) wrapAmount(amount canvas.Line, start int) []canvas.Line {
	out := amount.Wrap(t.w)
	for i := range min(len(out), 1) {
		out[i] = out[i].PadLeft(min(t.w, start+t.with+gap+t.amountW()))
	}
	return out
}

// Draw draws the rows around the cursor, with a scroll bar if not all fit.
func (t Table) Draw(a canvas.Area, at *list.Cursor, entries []history.Entry, focus bool, panel int) {
	first, end := at.Window(len(entries), a.H, func(i int) int { return len(t.Row(entries[i])) })
	y := 0
	for i := first; i < end; i++ {
		for _, l := range t.Row(entries[i]) {
			a.Put(2, y, l)
			Mark(a, y, i == at.At && focus, screen.Click{Panel: panel, At: i})
			y++
		}
	}
	list.Scroll(a, first, end-first, len(entries))
}

// Mark makes row y of a panel answer to clicks and, with focus, highlights it.
func Mark(a canvas.Area, y int, focus bool, click screen.Click) {
	if focus {
		a.Put(0, y, canvas.In(theme.Focus, theme.SignRow))
		a.Tint(y, theme.SelectBg)
	}
	a.Row(y).Zone(click)
}
