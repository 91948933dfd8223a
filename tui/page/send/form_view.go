package send

import (
	"fmt"
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/rows"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"
)

// sheet writes the lines of a form from the top and keeps apart what is a
// field, so that a click finds it.
type sheet struct {
	in canvas.Area
	y  int
}

func (s *sheet) put(l canvas.Line) {
	for _, r := range l.Wrap(s.in.W - 3) {
		s.in.Put(2, s.y, r)
		s.y++
	}
}

// under writes below a field, in line with its text.
func (s *sheet) under(l canvas.Line) {
	for _, r := range l.Wrap(max(s.in.W-13, 10)) {
		s.in.Put(12, s.y, r)
		s.y++
	}
}

// draw draws the form.
func (f *form) draw(env screen.Env, a canvas.Area) {
	in := panel(env, a, "Send", f.funds.read, f.health(env), canvas.In(theme.Muted, "ctrl+s review · nothing is signed yet"))
	s := &sheet{in: in}
	roomy := in.H >= 20
	gap := func() {
		if in.H >= 15 {
			s.y++
		}
	}
	if roomy {
		s.y++
	}
	f.drawFrom(env, s)
	gap()
	f.drawTo(env, s)
	gap()
	f.drawAmount(env, s)
	gap()
	f.drawMemo(env, s, roomy)
	gap()
	f.drawFee(env, s)
	gap()
	f.drawUnknown(env, s)
	f.drawFault(in)
}

func (f *form) drawFrom(env screen.Env, s *sheet) {
	from := format.Account(env.Account)
	if len(env.Accounts) == 0 {
		from = canvas.In(theme.Warn, theme.SignCareful+" this wallet has no account yet; i on Home imports a key")
	}
	left := canvas.Join(canvas.In(theme.Muted, "From      "), from)
	var right canvas.Line
	if b, ok := f.balance(); ok {
		right = canvas.Join(env.Money().Amount(b.Asset, b.Amount), canvas.In(theme.Muted, " available"))
	}
	if left.Width()+right.Width()+6 <= s.in.W {
		s.in.PutRight(3, s.y, right)
		s.put(left)
		return
	}
	s.put(left)
	s.put(canvas.Join(canvas.Text("          "), right))
}

// drawInput draws a labelled field of w cells.
func (f *form) drawInput(s *sheet, id fieldID, x, w int) {
	live := f.typing && f.focus == id
	s.in.Put(x, s.y, canvas.In(theme.Muted, id.name()))
	if f.focus == id {
		s.in.Put(x+9, s.y, canvas.In(theme.Focus, theme.SignRow))
	}
	box := s.in.Sub(x+10, s.y, w, 1)
	box.Put(0, 0, f.fields[id].Line(w, live))
	box.Zone(screen.Click{Panel: clickField, At: int(id)})
}

func (f *form) drawTo(env screen.Env, s *sheet) {
	state := f.recipientState(env)
	w := s.in.W - 14
	if wide := w - state.Width() - 2; wide > 16 {
		s.in.PutRight(3, s.y, state)
		f.drawInput(s, fieldTo, 2, wide)
		s.y++
	} else {
		f.drawInput(s, fieldTo, 2, w)
		s.y++
		s.put(canvas.Join(canvas.Text("          "), state))
	}
	if p := f.problem(fieldTo); p != "" {
		s.under(canvas.In(theme.Warn, theme.SignCareful+" "+fieldTo.name()+": "+p))
		return
	}
	if ref, ok, _ := f.recipient(env); ok {
		f.drawLookAlike(env, s, ref)
		return
	}
	if f.focus == fieldTo && f.typing {
		f.drawSuggestions(env, s)
	}
}

// recipientState returns what is known of the recipient typed.
func (f *form) recipientState(env screen.Env) canvas.Line {
	text := f.text(fieldTo)
	ref, ok, asked := f.recipient(env)
	switch {
	case text == "":
		return canvas.In(theme.Muted, "account name or id")
	case f.problem(fieldTo) != "":
		return nil
	case ok:
		return canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), format.Account(ref), canvas.In(theme.Muted, "  "+f.who.relation(env, ref)))
	case strings.HasPrefix(text, "2.13."):
		return canvas.In(theme.Muted, "a content object")
	case strings.HasPrefix(text, "1.2."):
		return canvas.In(theme.Muted, "the review shows whose id this is")
	case !env.Online():
		return canvas.In(theme.Muted, "cannot check: no node")
	case !asked && f.who.failed:
		return canvas.In(theme.Muted, "cannot check: the look-up failed")
	case !asked:
		return canvas.In(theme.Pending, theme.SignWork+" looking")
	case !env.Live():
		return canvas.In(theme.Muted, "not known to a node that is behind")
	}
	return canvas.In(theme.Warn, theme.SignCareful+" no such account")
}

func (f *form) drawLookAlike(env screen.Env, s *sheet, ref ledgerview.AccountRef) {
	like, ok := f.who.lookAlike(env, ref)
	if !ok {
		return
	}
	s.put(canvas.Join(canvas.Text("          "), canvas.In(theme.Warn, theme.SignCareful+" "), format.Account(ref),
		canvas.In(theme.Warn, " looks like "), format.Account(like)))
	if n := differs(ref.Name, like.Name); n > 0 {
		s.put(canvas.In(theme.Warn, fmt.Sprintf("            differs at letter %d:  %s  %s", n, mark(ref.Name, n), mark(like.Name, n))))
	}
}

// differs is the number of the first letter that is not the same, from 1.
func differs(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i + 1
		}
	}
	return min(len(a), len(b)) + 1
}

// mark puts letter n between brackets: caro[1].
func mark(name string, n int) string {
	if n > len(name) {
		return format.Clean(name) + "[]"
	}
	return format.Clean(name[:n-1]) + "[" + format.Clean(name[n-1:n]) + "]" + format.Clean(name[n:])
}

func (f *form) drawSuggestions(env screen.Env, s *sheet) {
	for i, ref := range f.suggestions(env) {
		l := canvas.Join(canvas.Text("  "), format.AccountIn(ref, 14, 2), canvas.In(theme.Muted, "   "+f.who.relation(env, ref)))
		if like, ok := f.who.lookAlike(env, ref); ok {
			l = canvas.Join(l, canvas.In(theme.Warn, " "+theme.SignCareful+" looks like "), format.Account(like))
		}
		box := s.in.Sub(11, s.y, s.in.W-13, 1)
		for _, row := range l.Wrap(box.W) {
			box = s.in.Sub(11, s.y, s.in.W-13, 1)
			box.Put(0, 0, row)
			rows.Mark(box, 0, i == f.pick.At, screen.Click{Panel: clickSuggestion, At: i})
			s.y++
		}
	}
}

func (f *form) drawAmount(env screen.Env, s *sheet) {
	const assetX = 35
	f.drawInput(s, fieldAmount, 2, 22)
	if s.in.W >= assetX+24 {
		f.drawInput(s, fieldAsset, assetX, 16)
		s.in.PutRight(3, s.y, canvas.In(theme.Muted, "ctrl+g max"))
		s.y++
	} else {
		s.y++
		f.drawInput(s, fieldAsset, 2, 16)
		s.y++
	}
	f.drawValue(env, s)
	for _, id := range []fieldID{fieldAmount, fieldAsset} {
		if p := f.problem(id); p != "" {
			s.under(canvas.In(theme.Warn, theme.SignCareful+" "+id.name()+": "+p))
		}
	}
}

// drawValue says what the amount typed is, as it will be paid, and what it leaves.
func (f *form) drawValue(env screen.Env, s *sheet) {
	n, a, ok := f.amount()
	if !ok {
		return
	}
	value := canvas.Join(canvas.Text("= "), format.Money{}.Amount(a, n))
	if b, held := f.balance(); held && f.problem(fieldAmount) == "" {
		value = canvas.Join(value, canvas.In(theme.Muted, " · leaves "), env.Money().Amount(a, b.Amount-n-f.funds.feeIn(a)),
			canvas.In(theme.Muted, " after the fee"))
	}
	s.under(value)
}

func (f *form) drawMemo(_ screen.Env, s *sheet, roomy bool) {
	f.drawInput(s, fieldMemo, 2, s.in.W-14)
	s.y++
	kind := "          (•) encrypted, only the recipient can read it    ( ) plain   ctrl+t"
	if canvas.Width(kind) > s.in.W-4 {
		kind = "          (•) encrypted  ( ) plain  ctrl+t"
	}
	if f.plain {
		s.put(canvas.In(theme.Warn, "          ( ) encrypted  (•) plain "+theme.SignCareful+" anyone can read this, for ever"))
	} else {
		s.put(canvas.In(theme.Muted, kind))
	}
	if n := len(f.fields[fieldMemo].Value()); n > 0 && roomy {
		s.put(canvas.In(theme.Muted, fmt.Sprintf("          %s of %s bytes", format.Count(n), format.Count(memoLimit))))
	}
	if memo := f.fields[fieldMemo].Value(); strings.Trim(memo, " ") != memo {
		s.under(canvas.In(theme.Muted, "it begins or ends in a blank, which is sent as well"))
	}
	if p := f.problem(fieldMemo); p != "" {
		s.under(canvas.In(theme.Warn, theme.SignCareful+" "+p))
	}
}

func (f *form) drawFee(env screen.Env, s *sheet) {
	if !f.funds.feeKnown {
		s.put(canvas.In(theme.Muted, "Fee       the review says it"))
		return
	}
	n, a, ok := f.amount()
	if !ok || a.ID != f.funds.feeAsset.ID {
		s.put(canvas.Join(canvas.In(theme.Muted, "Fee       "), env.Money().Amount(f.funds.feeAsset, f.funds.fee)))
		return
	}
	col := format.Column{}.Fit("", f.funds.feeAsset, f.funds.fee).Fit("", a, n+f.funds.fee)
	s.put(canvas.Join(canvas.In(theme.Muted, "Fee       "), env.Money().Aligned(col, "", theme.Text, f.funds.feeAsset, f.funds.fee)))
	s.put(canvas.Join(canvas.In(theme.Muted, "Total     "), env.Money().Aligned(col, "", theme.Text, a, n+f.funds.fee)))
}

// drawFault says why there was no review, in the last rows whatever is there.
func (f *form) drawFault(in canvas.Area) {
	if f.fault == "" {
		return
	}
	rows := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(f.fault)).Wrap(in.W - 3)
	foot := in.Below(max(in.H-len(rows), 0))
	foot.Fill(theme.Style{})
	for i, r := range rows {
		foot.Put(2, i, r)
	}
}

// drawUnknown names the payments whose outcome is not known.
func (f *form) drawUnknown(env screen.Env, s *sheet) {
	for _, p := range env.Payments {
		if p.State == walletcore.PaymentUnknown {
			s.put(canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "),
				format.Recipient(p.Review), canvas.In(theme.Warn, " still has an unknown outcome. You can send to others.")))
		}
	}
}
