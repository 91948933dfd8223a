package home

import (
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/panel"
	"billfold/tui/widget/progress"
	"billfold/tui/widget/rows"
	"billfold/walletcore/payment"
)

func (m *Model) drawPending(env screen.Env, a canvas.Area) {
	all := progress.Underway(env)
	title := canvas.Join(canvas.Bold(theme.Text, "Pending payments"), env.AsOf(env.LastSeen()))
	text := m.draftCounts.text(env, a.W-8)
	in := m.box(env, a, panelPending, title, canvas.In(theme.Muted, format.Count(len(all))), text)
	if env.Class == layout.Tiny && text != "" && m.pendingHeight(env, in.W-4) < in.H { // without a frame
		in = panel.Bottom(in, canvas.In(theme.Muted, env.KeyHints(text)))
	}
	if n := len(env.Unanswered); n > 0 && in.H > m.pendingHeight(env, in.W-4) {
		in.Put(2, in.H-1, unanswered(env))
		in = in.Top(in.H - 1)
	}
	if len(all) == 0 && in.H > 0 {
		in.Put(2, 0, canvas.In(theme.Muted, "No pending payments."))
		return
	}
	at := m.cursors[panelPending]
	height := func(i int) int { return len(paymentRows(env, all[i], in.W-4)) }
	first, end := at.Window(len(all), in.H, height)
	y := 0
	for i := first; i < end; i++ {
		for _, l := range paymentRows(env, all[i], in.W-4) {
			in.Put(2, y, l)
			rows.Mark(in, y, i == at.At && m.focus == panelPending, screen.Click{Panel: panelPending, At: i})
			y++
		}
	}
	list.Scroll(in, first, end-first, len(all))
}

// unanswered returns that requests of programs expired without an answer, and where they are listed.
func unanswered(env screen.Env) canvas.Line {
	newest := env.Unanswered[0]
	return canvas.Join(canvas.In(theme.Warn, theme.SignFailed+" "+format.Many(len(env.Unanswered), "request")+" of programs unanswered"),
		canvas.In(theme.Muted, ", last at "+env.Times().ClockOn(newest.Ended)+": "+env.KeyHints("- lists them")))
}

// pendingHeight returns how many lines all pending payments take.
func (m *Model) pendingHeight(env screen.Env, w int) int {
	n := 0
	for _, p := range progress.Underway(env) {
		n += len(paymentRows(env, p, w))
	}
	return n
}

// paymentRows returns what is paid and how far the payment is: in one line if that
// fits, else in as many as it takes.
func paymentRows(env screen.Env, p payment.Payment, w int) []canvas.Line {
	p = progress.Known(env, p)
	r, what := p.Review, format.Summary(env.Money(), p.Review)
	if r.Pays() {
		what = canvas.Join(env.Money().Amount(r.Asset, r.Amount), canvas.Text("  "+theme.SignOut+" "), format.Recipient(r))
	}
	what = canvas.Join(progress.Sign(p.State), canvas.Text(" "), what)
	how := progress.Short(env, p)
	if env.Class <= layout.Home {
		one := canvas.Join(what, canvas.Text("   "), progress.Brief(env, p))
		if one.Width() <= w {
			return []canvas.Line{one}
		}
		how = progress.Brief(env, p)
	}
	out := what.Wrap(w)
	for _, l := range how.Wrap(w - 2) {
		out = append(out, canvas.Join(canvas.Text("  "), l))
	}
	return out
}
