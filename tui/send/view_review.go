package send

import (
	"fmt"
	"strings"

	"billfold/tui/canvas"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/tui/theme"
	"billfold/walletcore"
)

// footRows is what the confirmation or the buttons take under the text.
const footRows = 3

// text is what the review says, in lines of at most w cells. All of it comes
// from the draft's Review. Amounts are never hidden here.
func (r *review) lines(env screen.Env, w int) []canvas.Line {
	if r.raw {
		return rawLines(r.shown, w)
	}
	v, out := r.shown, []canvas.Line(nil)
	put := func(label string, l canvas.Line) {
		rows := l.Wrap(max(w-12, 2))
		for i, row := range rows {
			if i > 0 {
				label = ""
			}
			out = append(out, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-12s", label)), row))
		}
	}
	intro := "You are about to sign this operation. It was read back from the bytes that will be signed."
	if canvas.Width(intro) > w {
		intro = "Read back from the bytes that will be signed:"
	}
	out = append(out, canvas.Say(intro).Wrap(w)...)
	out = append(out, nil)
	put("Operation", canvas.Say(show.Clean(v.Operation)))
	put("From", show.Account(v.From))
	put("To", canvas.Join(show.Recipient(v), canvas.Say("   "), known(env, v)))
	for _, a := range v.LooksLike {
		put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), show.Account(a)))
	}
	col, total, same := sums(v)
	money := show.Money{}
	put("Amount", canvas.Join(money.Aligned(col, "", theme.Text, v.Asset, v.Amount), canvas.In(theme.Muted, "  "+v.Asset.ID.String())))
	put("Fee", canvas.Join(money.Aligned(col, "", theme.Text, v.FeeAsset, v.Fee), canvas.In(theme.Muted, "  "+v.FeeAsset.ID.String())))
	if same {
		put("Total out", money.Aligned(col, "", theme.Text, v.Asset, total))
	}
	for i, l := range memoLines(v, w-12) {
		put([]string{"Memo", ""}[min(i, 1)], l)
	}
	if same {
		put("After this", canvas.Join(money.Amount(v.Asset, v.Available-total), canvas.In(theme.Muted, " available")))
	}
	for i, k := range v.SignsWith {
		if i == 0 {
			put("Signs with", canvas.Join(canvas.Say("active key of "), show.Name(v.From)))
		}
		put("", show.Key(k))
	}
	put("Expires", canvas.Say("30 s after you press S · "+show.Clean(env.Status.Network)+" "+shortChain(v)))
	if v.Repeats != nil {
		put("", canvas.Bold(theme.Warn, fmt.Sprintf("%s same as %s ago (%s)", theme.SignCareful, show.Age(env.Now.Sub(v.Repeats.Time.Time())), v.Repeats.ID)))
	}
	if env.Hidden {
		put("", canvas.In(theme.Muted, "amounts are visible here"))
	}
	return out
}

// sums gives the column for the amounts, and their sum when they are in one
// asset.
func sums(v walletcore.Review) (col show.Column, total int64, same bool) {
	col = col.Fit("", v.Asset, v.Amount).Fit("", v.FeeAsset, v.Fee)
	if v.Asset.ID != v.FeeAsset.ID {
		return col, 0, false
	}
	total = v.Amount + v.Fee
	return col.Fit("", v.Asset, total), total, true
}

// known says in a word who the recipient is to this wallet.
func known(env screen.Env, v walletcore.Review) canvas.Line {
	_, own := env.Owns(v.To.ID)
	switch {
	case v.To.Name == "" && v.ToObject != 0:
		return canvas.In(theme.Muted, "a content object")
	case own:
		return canvas.In(theme.OK, theme.SignDone+" yours")
	case v.FirstTime:
		return canvas.Bold(theme.Warn, theme.SignCareful+" FIRST PAYMENT to this account")
	case v.PaidBefore == 1:
		return canvas.In(theme.OK, theme.SignDone+" paid once before")
	}
	return canvas.In(theme.OK, fmt.Sprintf("%s paid %d times", theme.SignDone, v.PaidBefore))
}

func memoLines(v walletcore.Review, w int) []canvas.Line {
	switch v.MemoState {
	case walletcore.MemoNone:
		return []canvas.Line{canvas.In(theme.Muted, "none")}
	case walletcore.MemoOpen:
		head := canvas.Say(fmt.Sprintf("encrypted for %s · %d bytes, decrypted here from the operation:", show.Name(v.To).String(), v.MemoBytes))
		if head.Width() > w {
			head = canvas.Say(fmt.Sprintf("encrypted for %s · %d bytes:", show.Name(v.To).String(), v.MemoBytes))
		}
		return append([]canvas.Line{head}, show.Gutter(v.Memo, w)...)
	case walletcore.MemoPlain:
		head := canvas.In(theme.Warn, theme.SignCareful+" plain, anyone can read it, for ever:")
		return append([]canvas.Line{head}, show.Gutter(v.Memo, w)...)
	}
	return []canvas.Line{canvas.In(theme.Warn, theme.SignCareful+" encrypted, cannot be read back with the keys at hand")}
}

func shortChain(v walletcore.Review) string {
	id := v.Chain.String()
	if len(id) < 12 {
		return id
	}
	return id[:8] + "…" + id[len(id)-4:]
}

// rawLines are the transaction as JSON and as bytes.
func rawLines(v walletcore.Review, w int) []canvas.Line {
	var out []canvas.Line
	for _, l := range strings.Split(v.JSON, "\n") {
		indent := len(l) - len(strings.TrimLeft(l, " "))
		for _, row := range canvas.Say(show.Clean(l[indent:])).Wrap(max(w-indent, 2)) {
			out = append(out, canvas.Join(canvas.Say(strings.Repeat(" ", min(indent, w/2))), row))
		}
	}
	out = append(out, nil, canvas.In(theme.Muted, "Bytes"))
	return append(out, canvas.Say(show.Clean(v.Bytes)).Wrap(w)...)
}

// room is the size of the text of the review on a page.
func (r *review) room(env screen.Env) (w, h int) {
	w, h = env.W-6, env.H-2-footRows
	if env.Class == layout.Tiny {
		w, h = env.W-4, env.H-1-footRows
	}
	return max(w, 2), max(h, 1)
}

// look notes whether the last line is in view.
func (r *review) look(env screen.Env) {
	w, h := r.room(env)
	r.seen = r.seen || !r.raw && r.top+h >= len(r.lines(env, w))
}

func (r *review) scroll(env screen.Env, by int) {
	w, h := r.room(env)
	r.top = max(min(r.top+by*max(h/2, 1), len(r.lines(env, w))-h), 0)
	r.look(env)
}

func (m *Model) drawReview(env screen.Env, a canvas.Area) {
	r := &m.review
	title := "Review"
	if env.Status.Sandbox {
		title = theme.SignChip + " Review " + theme.SignChip
	}
	in := panel(env, a, title, r.state(env), canvas.In(theme.Muted, "enter does nothing here"))
	w, h := r.room(env)
	lines := r.lines(env, w)
	top := max(min(r.top, len(lines)-h), 0)
	for i := top; i < min(top+h, len(lines)); i++ {
		in.Put(2, i-top, lines[i])
	}
	in.Top(h).Scroll(top, h, len(lines))
	r.foot(env, in.Below(h))
}

// state is the title's right end: what is still to be done.
func (r *review) state(env screen.Env) canvas.Line {
	n := 0
	for _, c := range r.checks {
		if !c.done {
			n++
		}
	}
	switch {
	case n == 1:
		return canvas.In(theme.Warn, "1 check left")
	case n > 1:
		return canvas.In(theme.Warn, fmt.Sprintf("%d checks left", n))
	}
	return canvas.In(theme.Muted, "read, then sign")
}

// foot is the confirmation to type, or the buttons.
func (r *review) foot(env screen.Env, a canvas.Area) {
	c := r.left()
	if c == nil || r.raw {
		r.buttons(env, a)
		return
	}
	done := ""
	for _, d := range r.checks {
		if d.done {
			done += theme.SignDone + " " + d.what + "  "
		}
	}
	ask := canvas.Join(canvas.In(theme.OK, done), canvas.Say(fmt.Sprintf("To go on, type the %s:  ", c.what)))
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Say("Type the " + c.what + ":  ")
	}
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Say("Type it: ")
	}
	x := a.Put(2, 0, ask)
	a.Put(x, 0, c.text.Line(max(a.W-x-1, 2), !r.aside))
	why := c.why + ": S stays off until it matches."
	a.Put(2, 1, canvas.In(theme.Muted, strings.ToUpper(why[:1])+why[1:]))
}

func (r *review) buttons(env screen.Env, a canvas.Area) {
	done := ""
	for _, d := range r.checks {
		if d.done {
			done += theme.SignDone + " " + d.what + " matches   "
		}
	}
	a.Put(2, 0, canvas.In(theme.OK, done))
	sign := canvas.Bold(theme.Key, "[ S  Sign and send ]")
	why := r.blocked(env)
	if why != "" {
		sign = canvas.In(theme.Muted, "[ S  Sign and send ]")
	}
	x := a.Put(2, 1, sign)
	if x+44 <= a.W {
		x = a.Put(x+2, 1, canvas.Say("[ esc  Back, change it ]"))
	}
	if x+26 <= a.W {
		a.Put(x+2, 1, canvas.Say("[ v  JSON and bytes ]"))
	}
	if why != "" {
		a.Put(2, 2, canvas.In(theme.Muted, "S is off: "+why))
	}
}
