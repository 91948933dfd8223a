package history

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/vault"
)

// drawDetail shows one operation whole. Long accounts, amounts and memos take
// as many rows as they need; what does not fit below is what comes last. asOf is
// when it was read, for a page of its own.
func drawDetail(env screen.Env, a canvas.Area, e history.Entry, page bool, asOf canvas.Line) {
	foot, title := "v hide", canvas.Bold(theme.Text, "Detail")
	if page {
		foot, title = "esc back to the rows", canvas.Join(title, asOf)
	}
	in := frameless(env, a, canvas.Frame{Title: title, Foot: canvas.In(theme.Muted, foot), Heavy: page})
	parts := detail(env, e)
	y := columns(in, parts)
	for _, l := range memo(e, in.W-4) {
		in.Put(2, y, l)
		y++
	}
}

// columns puts what goes right next to what goes left where both fit in a
// row, else below each other, and gives the row after them.
func columns(in canvas.Area, parts []part) int {
	left := 0
	for _, p := range parts {
		if !p.right {
			left = max(left, p.line().Width())
		}
	}
	for _, p := range parts {
		if p.right && 2+left+3+p.line().Width() > in.W-1 {
			return stack(in, parts)
		}
	}
	y := 0
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
		for _, r := range p.line().Wrap(in.W - 4) {
			in.Put(2, y, r)
			y++
		}
	}
	return y
}

// part is one label and value of the detail; row and right say where it goes
// when there are two columns.
type part struct {
	label string
	value canvas.Line
	row   int
	right bool
}

func (p part) line() canvas.Line {
	if p.label == "" {
		return p.value
	}
	return canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-7s", p.label)), p.value)
}

func detail(env screen.Env, e history.Entry) []part {
	block := canvas.Join(canvas.Text(fmt.Sprintf("block %s · tx %d · ", format.Block(e.Block), e.TrxInBlock)), final(env, e))
	when := format.Stamp(e.Time)
	if e.Time != 0 {
		when += " UTC (" + format.Age(env.Now.Sub(e.Time.Time())) + " ago)"
	}
	out := []part{
		{"", canvas.Join(canvas.Bold(theme.Text, format.Clean(e.Name)), canvas.Text("  "+e.ID.String())), 0, false},
		{"", block, 0, true},
	}
	if e.Direction != history.Other {
		out = append(out, part{"From", whose(env, e.From), 1, false}, part{"To", whose(env, e.To), 2, false})
	} else {
		out = append(out, part{"By", whose(env, e.From), 1, false})
	}
	if e.Amount != 0 {
		out = append(out, part{"Amount", env.Money().Amount(e.Asset, e.Amount), 3, false})
	}
	out = append(out, part{"Fee", canvas.Join(env.Money().Amount(e.FeeAsset, e.Fee), canvas.In(theme.Muted, "  by sender")), 1, true},
		part{"Time", canvas.Text(when), 2, true})
	if e.Sentence != "" && !env.Hidden && e.Direction == history.Other {
		out = append(out, part{"", canvas.Text(format.Clean(e.Sentence)), 3, false})
	}
	return out
}

func whose(env screen.Env, a ledgerview.AccountRef) canvas.Line {
	if env.Owns(a.ID) {
		return canvas.Join(format.Account(a), canvas.In(theme.OK, "  yours"))
	}
	if _, saved := env.Contact(a.ID); saved {
		return canvas.Join(format.Account(a), canvas.In(theme.OK, "  "+theme.SignDone+" contact"))
	}
	if like := ledgerview.LookAlikes(a.Name, env.Known(a.ID)); len(like) > 0 {
		return canvas.Join(format.Account(a), canvas.In(theme.Warn, "  "+theme.SignCareful+" looks like "), format.Account(like[0]))
	}
	return format.Account(a)
}

// final returns in words whether a row's block can be undone.
func final(env screen.Env, e history.Entry) canvas.Line {
	if isFinal(env, e) {
		return canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(" irreversible"))
	}
	return canvas.In(theme.Pending, theme.SignWork+" not final yet")
}

// memo is the kind of the memo and, where it can be read, its whole text.
func memo(e history.Entry, w int) []canvas.Line {
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
	out := canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-7s", "Memo")), canvas.Text(kind)).Wrap(w)
	if e.MemoState == vault.MemoOpen || e.MemoState == vault.MemoPlain {
		out = append(out, format.Gutter(e.Memo, w)...)
	}
	return out
}
