package send

import (
	"fmt"
	"strings"
	"time"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/progress"
	"billfold/walletcore/payment"
)

// draw draws the page.
func (s *sending) draw(env screen.Env, a canvas.Area) {
	p, ok := s.payment(env)
	foot := "esc leave · this stays in Home › Pending"
	switch {
	case s.isOver(env):
		foot = "esc leave"
	case s.several != nil && s.busy:
		foot = "esc leave · it goes on here"
	case !ok: // Pending lists only what is signed
		foot = "esc leave · it goes on here, not signed yet"
	}
	state := s.stateText(p, ok)
	if s.several != nil {
		state = s.tableState(env)
	}
	in := panel(env, a, "Sending", env.LastSeen(), state, canvas.In(theme.Muted, foot))
	lines := s.bodyLines(env, in.W-5, in.H >= 16)
	top := max(min(s.scrolled, len(lines)-in.H), 0)
	for i := top; i < min(top+in.H, len(lines)); i++ {
		in.Put(2, i-top, lines[i])
	}
	list.Scroll(in, top, in.H, len(lines))
}

// scroll scrolls the lines.
func (s *sending) scroll(env screen.Env, by int) {
	last := len(s.bodyLines(env, max(env.W-7, 2), env.H >= 18)) - env.H + 2
	s.scrolled = max(min(s.scrolled+by, last), 0)
}

// text collects wrapped lines of at most w cells.
type text struct {
	w     int
	roomy bool
	lines []canvas.Line
}

func (t *text) put(l canvas.Line) { t.lines = append(t.lines, l.Wrap(t.w)...) }

func (t *text) gap() {
	if t.roomy {
		t.lines = append(t.lines, nil)
	}
}

// bodyLines returns all lines of the page. If there is little room, what must not
// be missed comes first.
func (s *sending) bodyLines(env screen.Env, w int, roomy bool) []canvas.Line {
	p, ok := s.payment(env)
	r := s.shownReview(env)
	t := &text{w: w, roomy: roomy}
	t.gap()
	if s.several != nil {
		t.put(s.tableSum(env))
	} else if r.Pays() {
		t.put(canvas.Join(env.Money().Amount(r.Asset, r.Amount), canvas.Text("   "), format.Account(r.From),
			canvas.Text("  "+theme.SignOut+"  "), format.Recipient(r)))
	} else if done := ok && (p.State == payment.InBlock || p.State == payment.Irreversible); !done && len(r.Intents) > 0 {
		t.put(canvas.Text(format.Clean(r.Intent())))
	} else {
		t.put(format.Summary(env.Money(), r))
	}
	t.gap()
	if s.several != nil {
		s.putParts(env, t)
		return t.lines
	}
	switch {
	case s.fault != "":
		t.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "+s.faultPrefix(env)), canvas.Text(s.fault)))
		back := "Nothing was spent. esc goes back."
		if s.fromForm {
			back = "Nothing was spent. esc goes back to the form, filled."
		}
		t.put(canvas.Text(back))
	case !ok:
		t.put(canvas.In(theme.Pending, env.Spinner()+" Signing and sending … "+format.Age(env.Now.Sub(s.startedAt))))
		if env.Now.Sub(s.startedAt).Seconds() > 10 {
			t.put(canvas.In(theme.Muted, "esc leaves, work goes on"))
		}
	case roomy:
		t.putSteps(env, p)
		t.gap()
		s.putMeaning(env, t, p)
	default:
		s.putMeaning(env, t, p)
		t.putSteps(env, p)
	}
	if who, is := s.unsavedRecipient(env); is && ok && (p.State == payment.InBlock || p.State == payment.Irreversible) {
		t.gap()
		t.put(canvas.Join(format.Account(who), canvas.In(theme.Muted, " is not a contact yet: c saves it")))
	}
	return t.lines
}

// faultPrefix returns what stands before the fault: whether it was refused, or not even signed.
func (s *sending) faultPrefix(env screen.Env) string {
	if _, signed := s.payment(env); !signed {
		return "Not sent: "
	}
	return "It did not enter the chain: "
}

func (t *text) putSteps(env screen.Env, p payment.Payment) {
	for _, l := range progress.Steps(env, p, t.w) {
		t.put(l)
	}
}

func (s *sending) stateText(p payment.Payment, ok bool) canvas.Line {
	switch {
	case s.fault != "" && !ok:
		return canvas.In(theme.Danger, "not sent")
	case s.fault != "":
		return canvas.In(theme.Danger, "refused")
	case !ok:
		return canvas.In(theme.Pending, "step 1 of 4")
	}
	switch p.State {
	case payment.Unknown:
		return canvas.Bold(theme.Danger, theme.SignUnknown+" outcome unknown")
	case payment.Rejected:
		return canvas.In(theme.Danger, "refused")
	case payment.Expired:
		return canvas.In(theme.Danger, "not included")
	case payment.Irreversible:
		return canvas.In(theme.OK, "final")
	case payment.Prepared, payment.Sent, payment.InBlock:
	}
	return canvas.In(theme.Pending, fmt.Sprintf("step %d of 4", int(p.State)+2))
}

// putMeaning puts what the state means and what a person can do.
func (s *sending) putMeaning(env screen.Env, t *text, p payment.Payment) {
	switch p.State {
	case payment.Unknown:
		putUnknown(env, t, p)
	case payment.Rejected:
		t.put(
			canvas.Join(
				canvas.Bold(theme.Danger, theme.SignFailed+" It did not enter the chain. "),
				canvas.Text("Nothing was spent."),
			),
		)
		t.put(canvas.In(theme.Muted, format.Clean(p.Reason)))
	case payment.Expired:
		t.put(canvas.Join(
			canvas.Bold(theme.Danger, theme.SignFailed+" Not included. "),
			canvas.Text(
				"It expired at "+env.Times().Clock(p.Expiration.Time())+" and the irreversible block is later. Nothing was spent. You can send again: b.",
			),
		))
	case payment.Irreversible:
		t.put(canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Text(" Final in block "+format.Block(p.Block)+".")))
		t.gap()
	case payment.InBlock:
		if !env.Live() {
			t.put(canvas.Join(
				canvas.Bold(theme.Danger, theme.SignUnknown+" Cannot be checked now. Do not send again. "),
				canvas.Text(
					"It was in block "+format.Block(
						p.Block,
					)+" when a node last answered; until that block is irreversible a fork can undo it.",
				),
			))
			t.gap()
			break
		}
		if p.ByNodesWord {
			t.put(canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" Final by the node's word alone. "),
				canvas.Text("The miners' signatures do not prove it yet; until they do, do not count on it.")))
			t.gap()
			break
		}
		done, total := progress.Blocks(env, p)
		w := min(t.w-24, 54)
		t.put(canvas.Join(canvas.Text("  "), progress.Bar(w, done, total), canvas.Text(fmt.Sprintf("  %d of %d blocks", done, total))))
		t.gap()
	case payment.Prepared, payment.Sent:
	}
	if p.ID != (payment.Payment{}).ID {
		t.put(canvas.Join(canvas.In(theme.Muted, "Tx id   "), canvas.Text(p.ID.String())))
	}
	if s.row.block != 0 && s.row.block == p.Block {
		t.put(canvas.Join(canvas.In(theme.Muted, "History "), canvas.Text(s.row.id.String())))
	}
	if p.State == payment.Unknown {
		t.gap()
		t.put(
			canvas.In(
				theme.Muted,
				fitting(t.w, "r reads the blocks, and sends the same signed bytes again only if none contains it.",
					"r reads the blocks; if none holds it, the same bytes go out again."),
			),
		)
	}
	if p.State < payment.Irreversible {
		t.gap()
		t.put(canvas.In(theme.Muted, fitting(t.w, "You may leave this page. Progress goes on and stays in Home › Pending payments.",
			"You may leave this page. Progress goes on in Home › Pending payments.")))
	}
	if s.note != "" {
		t.put(canvas.Text(s.note))
	}
}

// fitting returns the long text if it fits in w cells, else the short one.
func fitting(w int, long, short string) string {
	if canvas.Width(long) <= w {
		return long
	}
	return short
}

// putUnknown puts the box that warns against sending the same payment again, and
// shows when the outcome will be certain.
func putUnknown(env screen.Env, t *text, p payment.Payment) {
	w := min(t.w, 88)
	var rows []canvas.Line
	for _, s := range []string{
		deadlineText(env, p, w-4),
		fitting(w-4, "When the irreversible block is later than that, the answer is certain, either way.",
			"Once the irreversible block is later, the answer is certain."),
		"It is " + progress.Certain(env, p) + certainInText(env, p) + ".",
	} {
		rows = append(rows, canvas.Text(s).Wrap(w-4)...)
	}
	const title = " Outcome unknown. Do not send again. "
	edge := func(s string) canvas.Line { return canvas.In(theme.Danger, s) }
	t.lines = append(
		t.lines,
		canvas.Join(
			edge("┌"),
			canvas.Bold(theme.Danger, title),
			edge(strings.Repeat("─", max(w-2-canvas.Width(title), 0))+"┐"),
		).On(
			theme.DangerBg,
		),
	)
	for _, r := range rows {
		t.lines = append(t.lines, canvas.Join(edge("│ "), r.Pad(w-4), edge(" │")).On(theme.DangerBg))
	}
	t.lines = append(t.lines, edge("└"+strings.Repeat("─", w-2)+"┘").On(theme.DangerBg))
	t.gap()
}

// deadlineText returns until when the payment can enter a block.
func deadlineText(env screen.Env, p payment.Payment, w int) string {
	if p.Expiration == 0 {
		return "The payment may still go through."
	}
	at := p.Expiration.Time()
	until := env.Times().Clock(at)
	if left := at.Sub(env.Now); left > 0 {
		until += ", in " + format.Age(left+time.Second-1) + "."
		return fitting(
			w,
			"The payment may still go through. It can enter a block only until "+until,
			"It may still go through, only until "+until,
		)
	}
	until += ", " + format.Age(env.Now.Sub(at)) + " ago."
	return fitting(
		w,
		"The payment may have gone through. It could enter a block only until "+until,
		"It may have gone through, only until "+until,
	)
}

func certainInText(env screen.Env, p payment.Payment) string {
	d := progress.CertainBy(env, p).Sub(env.Now)
	if !env.Live() || p.Expiration == 0 || d <= 0 {
		return ""
	}
	return ", in " + format.Age(d)
}
