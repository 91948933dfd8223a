package history

import (
	"fmt"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/rows"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// drawDetail draws the whole of one operation. Long accounts, amounts and memos take
// as many rows as they need. On a page of its own, what has no room is scrolled to, else it is cut; the title
// of that page names the time of reading if that is not now.
func (v view) drawDetail(a canvas.Area, e history.Entry, page bool) {
	env := v.env
	foot, title := "v hide", canvas.Bold(theme.Text, "Detail")
	if page {
		foot, title = "esc back to the rows", canvas.Join(title, env.AsOf(v.l.asOf()))
	}
	if answers := "b " + rows.AnswerWord(e) + " · e message · " + foot; canvas.Width(answers)+6 <= a.W {
		foot = answers
	}
	height, shown := v.detailHeight(a.W, a.H, e)
	scrolls := page && height > shown
	if scrolls {
		foot = "pgdn scrolls · esc back"
	}
	in := frameless(env, a, canvas.Frame{Title: title, Foot: canvas.In(theme.Muted, env.KeyHints(foot)), Heavy: page})
	if !scrolls {
		v.drawParts(in, e, page)
		return
	}
	whole := canvas.New(in.W, height).All()
	v.drawParts(whole, e, true)
	top := max(min(v.m.detailTop, height-in.H), 0)
	in.CopyRows(whole, top)
	list.Scroll(in, top, in.H, height)
}

// detailHeight returns how many rows the detail of an operation needs on a page of w by h cells, and how many it has there.
func (v view) detailHeight(w, h int, e history.Entry) (needs, has int) {
	const tallest = 400 // a memo has at most some thousand bytes
	in := frameless(v.env, canvas.New(max(w, 1), tallest).All(), canvas.Frame{})
	return v.drawParts(in, e, true), h - (tallest - in.H)
}

// scrollDetail scrolls the detail that has the page to itself by so many windows. It reports false if all of it is on screen.
func (m *Model) scrollDetail(env screen.Env, windows int) bool {
	e, ok := m.list.table.focused()
	if !ok || !m.detailPage {
		return false
	}
	at := m.panels(env.W, env.H, env).List
	needs, has := viewOf(m, env).detailHeight(at.W, at.H, e)
	if needs <= has {
		return false
	}
	m.detailTop = max(min(m.detailTop+windows*max(has-1, 1), needs-has), 0)
	return true
}

// drawParts draws an operation into an area without a frame, and returns the row after it.
func (v view) drawParts(in canvas.Area, e history.Entry, page bool) int {
	env := v.env
	parts := detailParts(env, e)
	if with := append(parts, v.transactionParts()...); page || twoColumns(in, with) || in.H > len(with)+3 && !twoColumns(in, parts) {
		parts = with
	}
	label := v.labelLines(e, in.W-4)
	if text, _ := v.m.rowInfo.labelOf(e); text != "" && len(parts) == len(detailParts(env, e)) { // the id has no room, but the label may
		if with := append(parts, part{"Label", canvas.Text(format.Clean(text)), 3, true, rest{}}); twoColumns(in, with) {
			parts, label = with, nil
		}
	}
	y := columns(in, parts)
	for _, l := range append(memoLines(e, in.W-4), label...) {
		in.Put(2, y, l)
		y++
	}
	return y
}

// transactionParts returns the id of the transaction in focus and since when it is irreversible, as far as they are known.
func (v view) transactionParts() []part {
	b := v.m.rowInfo
	switch {
	case b.id != "" && !b.final.IsZero():
		seen := canvas.Text("irreversible since " + v.env.Times().Stamp(ledger.TimeOf(b.final)))
		return []part{{"Tx id", canvas.Text(b.id), 3, true, rest{}}, {"Final", seen, 4, true, rest{}}}
	case b.id != "":
		return []part{{"Tx id", canvas.Text(b.id), 3, true, rest{}}}
	case b.missing:
		return []part{{"Tx id", canvas.In(theme.Muted, "the node has no such block"), 3, true, rest{}}}
	case b.failed:
		return []part{{"Tx id", canvas.In(theme.Muted, "asked again when a node answers"), 3, true, rest{}}}
	}
	return []part{{"Tx id", canvas.In(theme.Muted, "…"), 3, true, rest{}}}
}

// labelLines returns the person's label of the row.
func (v view) labelLines(e history.Entry, w int) []canvas.Line {
	text, state := v.m.rowInfo.labelOf(e)
	value := canvas.In(theme.Muted, "– n adds one")
	switch {
	case state == vault.MemoLocked:
		value = canvas.In(theme.Muted, "locked")
	case text != "":
		value = canvas.Join(canvas.Text(format.Clean(text)), canvas.In(theme.Muted, "  private, kept only in this wallet"))
	}
	return canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-*s", labelW, "Label")), value).Wrap(w)
}

// leftColumn returns the width of the widest part of the left column.
func leftColumn(parts []part) int {
	left := 0
	for _, p := range parts {
		if !p.right {
			left = max(left, p.line().Width())
		}
	}
	return left
}

// twoColumns reports whether the parts of the right column have room next to those of the left one.
func twoColumns(in canvas.Area, parts []part) bool {
	left := leftColumn(parts)
	for _, p := range parts {
		if p.right && 2+left+3+p.line().Width() > in.W-1 {
			return false
		}
	}
	return true
}

// columns draws the parts in two columns if they fit, else below each other,
// and returns the row after them.
func columns(in canvas.Area, parts []part) int {
	if !twoColumns(in, parts) {
		return stack(in, parts)
	}
	left, y := leftColumn(parts), 0
	for _, p := range parts {
		x := 2
		if p.right {
			x = 2 + left + 3
		}
		in.Put(x, p.row, p.line())
		y = max(y, p.row+1)
	}
	return y
}

func stack(in canvas.Area, parts []part) int {
	y := 0
	for _, p := range parts {
		for _, r := range p.wrapped(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	return y
}

// part is one label and value of the detail; row and right are its place
// if there are two columns.
type part struct {
	label string
	value canvas.Line
	row   int
	right bool
	rest  rest
}

// rest holds what follows a value: after a gap, or on a line of its own if it has no room there.
type rest struct {
	gap  string
	text canvas.Line
}

func (p part) line() canvas.Line {
	return canvas.Join(p.labelled(p.value), canvas.Text(p.rest.gap), p.rest.text)
}

func (p part) labelled(value canvas.Line) canvas.Line {
	if p.label == "" {
		return value
	}
	return canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-*s", labelW, p.label)), value)
}

// wrapped returns the part in lines of at most w cells.
func (p part) wrapped(w int) []canvas.Line {
	if l := p.line(); l.Width() <= w || p.rest.gap == "" {
		return l.Wrap(w)
	}
	indent := canvas.Line{}.Pad(p.labelled(nil).Width())
	return append(p.labelled(p.value).Wrap(w), canvas.Join(indent, p.rest.text).Wrap(w)...)
}

func detailParts(env screen.Env, e history.Entry) []part {
	times, at := env.Times(), e.Time.Time()
	when := part{"Time", canvas.Text("not known"), 2, true, rest{}}
	if e.Time != 0 {
		when.value = canvas.Text(times.Day(at) + " " + times.Bare(at))
		when.rest = rest{" ", canvas.Text(times.Zone(at) + " (" + format.Age(env.Now.Sub(at)) + " ago)")}
	}
	out := []part{
		{"", canvas.Join(canvas.Bold(theme.Text, format.Clean(e.Name)), canvas.Text("  "+e.ID.String())), 0, false, rest{}},
		{"", canvas.Text(fmt.Sprintf("block %s · tx %d", format.Block(e.Block), e.TrxInBlock)), 0, true, rest{" · ", finalText(env, e)}},
	}
	row := 3 // of the amount; anything but a payment has it in row 2, and a sentence below it
	if e.Direction != history.Other && e.Pays() || e.Name == history.MessageName {
		out = append(out, part{"From", accountLine(env, e.From), 1, false, rest{}}, part{"To", accountLine(env, e.To), 2, false, rest{}})
	} else {
		out = append(out, part{"By", accountLine(env, e.From), 1, false, rest{}})
		row = 2
	}
	if e.Amount != 0 {
		out = append(out, part{"Amount", amountsLine(env, e), row, false, rest{}})
	}
	out = append(out, part{"Fee", env.Money().Amount(e.FeeAsset, e.Fee), 1, true, rest{"  ", canvas.In(theme.Muted, "by sender")}}, when)
	if e.Sentence != "" && !env.Hidden && (e.Direction == history.Other || !e.Pays()) {
		out = append(out, part{"", canvas.Text(format.Clean(e.Sentence)), 3, false, rest{}})
	}
	return out
}

// amountsLine returns what a row moves of each asset.
func amountsLine(env screen.Env, e history.Entry) canvas.Line {
	out := env.Money().Amount(e.Asset, e.Amount)
	for _, also := range e.Also {
		out = canvas.Join(out, canvas.Text(" and "), env.Money().Amount(also.Asset, also.Amount))
	}
	return out
}

func accountLine(env screen.Env, a ledgerview.AccountRef) canvas.Line {
	if env.Owns(a.ID) {
		return canvas.Join(format.Account(a), canvas.In(theme.OK, "  yours"))
	}
	if _, saved := env.Contact(a.ID); saved {
		return canvas.Join(format.Account(a), canvas.In(theme.OK, "  "+theme.SignDone+" contact"))
	}
	if like := ledgerview.LookAlikes(a.Name, env.KnownExcept(a.ID)); len(like) > 0 {
		return canvas.Join(format.Account(a), canvas.In(theme.Warn, "  "+theme.SignCareful+" looks like "), format.Account(like[0]))
	}
	return format.Account(a)
}

// finalText returns whether a row's block can still be undone.
func finalText(env screen.Env, e history.Entry) canvas.Line {
	if isFinal(env, e) {
		return canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(" irreversible"))
	}
	return canvas.In(theme.Pending, theme.SignWork+" not final yet")
}

// labelW is the width of the labels.
const labelW = 7

// memoLabel returns the label of a row's memo: that of a message is its text.
func memoLabel(e history.Entry) string {
	if e.Name == history.MessageName {
		return "Text"
	}
	return "Memo"
}

// memoLines returns the kind of the memo and, if it can be read, its whole text.
func memoLines(e history.Entry, w int) []canvas.Line {
	kind := ""
	switch e.MemoState {
	case vault.MemoNone:
		return nil
	case vault.MemoOpen:
		kind = "encrypted to " + format.Name(e.To).String() + ", opened with your memo key"
	case vault.MemoPlain:
		kind = "plain, anyone can read it"
	case vault.MemoLocked:
		kind = "encrypted, wallet locked"
	case vault.MemoForeign:
		kind = "encrypted, the key is not in this wallet"
	case vault.MemoDamaged:
		kind = "damaged: checksum does not match"
	}
	rows := canvas.Text(kind).Wrap(max(w-labelW, 2))
	if e.MemoState == vault.MemoOpen || e.MemoState == vault.MemoPlain {
		rows = append(rows, format.Gutter(e.Memo, max(w-labelW, 2))...)
	}
	label := canvas.In(theme.Muted, memoLabel(e))
	for i := range rows {
		rows[i], label = canvas.Join(label.Pad(labelW), rows[i]), nil
	}
	return rows
}
