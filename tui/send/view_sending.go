package send

import (
	"fmt"

	"billfold/tui/canvas"
	"billfold/tui/progress"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/tui/theme"
	"billfold/walletcore"
)

func (m *Model) drawSending(env screen.Env, a canvas.Area) {
	s := &m.sending
	p, ok := s.payment(env)
	in := panel(env, a, "Sending", s.state(p, ok), canvas.In(theme.Muted, "esc leave · this stays in Home › Pending"))
	t := &sheet{in: in}
	r := s.review
	if ok {
		r = p.Review
	}
	gap := func() {
		if in.H >= 16 {
			t.y++
		}
	}
	gap()
	t.put(canvas.Join(env.Money().Amount(r.Asset, r.Amount), canvas.Say("   "), show.Account(r.From),
		canvas.Say("  "+theme.SignOut+"  "), show.Recipient(r)))
	gap()
	switch {
	case s.fault != "":
		t.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" Refused before it entered the chain: "), canvas.Say(s.fault)))
		t.put(canvas.Say("Nothing was spent. esc goes back to the form, filled."))
	case !ok:
		t.put(canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" Signing, writing to the journal, sending … "+show.Age(env.Now.Sub(s.since))))
		if env.Now.Sub(s.since).Seconds() > 10 {
			t.put(canvas.In(theme.Muted, "esc leaves, work goes on"))
		}
	default:
		for _, l := range progress.Steps(env, p) {
			t.put(l)
		}
		gap()
		s.after(env, t, p)
	}
}

func (s *sending) state(p walletcore.Payment, ok bool) canvas.Line {
	switch {
	case s.fault != "":
		return canvas.In(theme.Danger, "refused")
	case !ok:
		return canvas.In(theme.Pending, "step 1 of 4")
	}
	switch p.State {
	case walletcore.PaymentUnknown:
		return canvas.Bold(theme.Danger, "outcome unknown")
	case walletcore.PaymentRejected:
		return canvas.In(theme.Danger, "refused")
	case walletcore.PaymentExpired:
		return canvas.In(theme.Danger, "not included")
	case walletcore.PaymentIrreversible:
		return canvas.In(theme.OK, "final")
	}
	return canvas.In(theme.Pending, fmt.Sprintf("step %d of 4", int(p.State)+2))
}

// after says what the state means and what a person can do.
func (s *sending) after(env screen.Env, t *sheet, p walletcore.Payment) {
	switch p.State {
	case walletcore.PaymentUnknown:
		s.unknown(env, t, p)
	case walletcore.PaymentRejected:
		t.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" Refused before it entered the chain. "), canvas.Say("Nothing was spent.")))
		t.put(canvas.In(theme.Muted, show.Clean(p.Reason)))
	case walletcore.PaymentExpired:
		t.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" Not included. "),
			canvas.Say("It expired at "+show.Clock(p.Expiration.Time())+" and the irreversible block is later. Nothing was spent. You can send again: b.")))
	case walletcore.PaymentIrreversible:
		t.put(canvas.Join(canvas.In(theme.OK, theme.SignDone), canvas.Say(" Final in block "+show.Block(p.Block)+".")))
	case walletcore.PaymentInBlock:
		done, total := progress.Blocks(env, p)
		w := min(t.in.W-24, 54)
		t.put(canvas.Join(canvas.Say("  "), progress.Bar(w, done, total), canvas.Say(fmt.Sprintf("  %d of %d blocks", done, total))))
		t.y++
	}
	if p.ID != (walletcore.Payment{}).ID {
		t.put(canvas.Join(canvas.In(theme.Muted, "Tx id   "), canvas.Say(p.ID.String())))
	}
	if p.State < walletcore.PaymentIrreversible {
		t.y++
		t.put(canvas.In(theme.Muted, "You may leave this page. Progress goes on and stays in Home › Pending payments."))
	}
	if s.note != "" {
		t.put(canvas.Say(s.note))
	}
}

// unknown is the box that forbids the same payment and says when the outcome
// is certain.
func (s *sending) unknown(env screen.Env, t *sheet, p walletcore.Payment) {
	w := min(t.in.W-4, 88)
	title := "Outcome unknown. Do not send again."
	var text []canvas.Line
	say := func(l canvas.Line) { text = append(text, l.Wrap(w-4)...) }
	until := "before it expires."
	if p.Expiration != 0 {
		until = "only until " + show.Clock(p.Expiration.Time()) + "."
	}
	say(canvas.Say("The payment may still go through. It can enter a block " + until))
	say(canvas.Say("When the irreversible block is later than that, the answer is certain, either way."))
	say(canvas.Bold(theme.Text, "It is "+progress.Certain(env, p)+left(env, p)+"."))
	box := t.in.Sub(2, t.y, w, len(text)+2)
	box.Fill(theme.Style{Bg: theme.DangerBg})
	in := box.Box(canvas.Frame{Title: canvas.Bold(theme.Danger, title), Bg: theme.DangerBg})
	for i, l := range text {
		in.Put(1, i, l.On(theme.DangerBg))
	}
	t.y += len(text) + 3
	t.put(canvas.In(theme.Muted, "r re-sends the very same signed bytes. It cannot pay twice: the chain takes one id once."))
}

func left(env screen.Env, p walletcore.Payment) string {
	d := progress.CertainBy(env, p).Sub(env.Now)
	if !env.Online() || p.Expiration == 0 || d <= 0 {
		return ""
	}
	return ", in " + show.Age(d)
}
