package send

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/rows"
	"billfold/walletcore"
)

// Draw implements screen.Screen.
func (m *Model) Draw(env screen.Env, a canvas.Area) {
	switch m.stage {
	case stageReview:
		m.drawReview(env, a)
	case stageSending:
		m.drawSending(env, a)
	case stageDrafts:
		m.drawDrafts(env, a)
	default:
		m.drawForm(env, a)
	}
}

// panel is a framed page that shows what was read then; on a tiny terminal the frame is left out.
func panel(env screen.Env, a canvas.Area, title string, read time.Time, state, foot canvas.Line) canvas.Area {
	head := canvas.Join(canvas.Bold(theme.Focus, title), env.AsOf(read))
	return a.Panel(canvas.Frame{Title: head, State: state, Foot: foot, Heavy: true}, env.Class > layout.Tiny)
}

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

func (m *Model) drawForm(env screen.Env, a canvas.Area) {
	in := panel(env, a, "Send", m.balancesRead, m.health(env), canvas.In(theme.Muted, "ctrl+s review · nothing is signed yet"))
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
	m.drawFrom(env, s)
	gap()
	m.drawTo(env, s)
	gap()
	m.drawAmount(env, s)
	gap()
	m.drawMemo(env, s, roomy)
	gap()
	m.drawFee(env, s)
	gap()
	m.drawUnknown(env, s)
	m.drawFault(in)
}

// health is what the title's right end says: that every field was checked and is
// good, or why that cannot be said.
func (m *Model) health(env screen.Env) canvas.Line {
	if _, busy := m.tasks.Busy("build"); busy {
		return canvas.In(theme.Pending, theme.SpinnerFrame(env.Tick)+" building")
	}
	n := 0
	for f := fieldTo; f < fieldCount; f++ {
		if m.problem(f) != "" {
			n++
		}
	}
	ref, known, _ := m.recipient(env)
	if _, like := m.lookAlike(env, ref); known && like {
		n++
	}
	switch open := m.unchecked(env); {
	case n == 1:
		return canvas.In(theme.Warn, "1 warning")
	case n > 1:
		return canvas.In(theme.Warn, fmt.Sprintf("%d warnings", n))
	case open != "":
		return canvas.In(theme.Muted, "live check: "+open)
	}
	return canvas.In(theme.OK, "live check: all good")
}

// unchecked returns what the live check cannot vouch for yet; empty when there is
// nothing.
func (m *Model) unchecked(env screen.Env) string {
	ref, known, asked := m.recipient(env)
	_, _, amount := m.amount()
	_, held := m.balance()
	switch {
	case len(env.Accounts) == 0:
		return "no account to pay from"
	case env.Status.JournalFault != "":
		return "sending is off"
	case m.text(fieldTo) == "":
		return "To is empty"
	case m.text(fieldAmount) == "":
		return "Amount is empty"
	case m.text(fieldAsset) == "":
		return "Asset is empty"
	case !env.Online():
		return "not possible, no node"
	case env.Status.Stale:
		return "not possible, the node is behind"
	case !known && !asked && m.lookFault && !isObject(m.text(fieldTo)):
		return "the recipient could not be looked up"
	case !known && !asked && !isObject(m.text(fieldTo)):
		return "looking for the recipient"
	case !known && isObject(m.text(fieldTo)):
		return "the review shows the recipient"
	case !known:
		return "no such recipient"
	case ref.ID == env.Account.ID:
		return "From and To are the same"
	case !amount || !held:
		return "balances not read yet"
	case !m.feeKnown:
		return "fee not read yet"
	}
	return ""
}

// isObject reports whether a recipient is named by an id, which the form cannot look up.
func isObject(text string) bool {
	_, err := ledger.ParseObjectID(text)
	return err == nil
}

func (m *Model) drawFrom(env screen.Env, s *sheet) {
	from := format.Account(env.Account)
	if len(env.Accounts) == 0 {
		from = canvas.In(theme.Warn, theme.SignCareful+" this wallet has no account yet; i on Home imports a key")
	}
	left := canvas.Join(canvas.In(theme.Muted, "From      "), from)
	var right canvas.Line
	if b, ok := m.balance(); ok {
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

// input draws a labelled field of w cells.
func (m *Model) input(s *sheet, f fieldID, x, w int) {
	live := m.typing && m.focus == f
	s.in.Put(x, s.y, canvas.In(theme.Muted, f.name()))
	if m.focus == f {
		s.in.Put(x+9, s.y, canvas.In(theme.Focus, theme.SignRow))
	}
	box := s.in.Sub(x+10, s.y, w, 1)
	box.Put(0, 0, m.fields[f].Line(w, live))
	box.Zone(screen.Click{Panel: clickField, At: int(f)})
}

func (m *Model) drawTo(env screen.Env, s *sheet) {
	says := m.toState(env)
	w := s.in.W - 14
	if wide := w - says.Width() - 2; wide > 16 {
		s.in.PutRight(3, s.y, says)
		m.input(s, fieldTo, 2, wide)
		s.y++
	} else {
		m.input(s, fieldTo, 2, w)
		s.y++
		s.put(canvas.Join(canvas.Text("          "), says))
	}
	if p := m.problem(fieldTo); p != "" {
		s.under(canvas.In(theme.Warn, theme.SignCareful+" "+fieldTo.name()+": "+p))
		return
	}
	if ref, ok, _ := m.recipient(env); ok {
		m.drawLookAlike(env, s, ref)
		return
	}
	if m.focus == fieldTo && m.typing {
		m.drawSuggestions(env, s)
	}
}

// toState returns what is known of the recipient typed.
func (m *Model) toState(env screen.Env) canvas.Line {
	text := m.text(fieldTo)
	ref, ok, asked := m.recipient(env)
	switch {
	case text == "":
		return canvas.In(theme.Muted, "account name or id")
	case m.problem(fieldTo) != "":
		return nil
	case ok:
		return canvas.Join(canvas.In(theme.OK, theme.SignDone+" "), format.Account(ref), canvas.In(theme.Muted, "  "+m.relation(env, ref)))
	case strings.HasPrefix(text, "2.13."):
		return canvas.In(theme.Muted, "a content object")
	case strings.HasPrefix(text, "1.2."):
		return canvas.In(theme.Muted, "the review shows whose id this is")
	case !env.Online():
		return canvas.In(theme.Muted, "cannot check: no node")
	case !asked && m.lookFault:
		return canvas.In(theme.Muted, "cannot check: the look-up failed")
	case !asked:
		return canvas.In(theme.Pending, theme.SignWork+" looking")
	case !env.Live():
		return canvas.In(theme.Muted, "not known to a node that is behind")
	}
	return canvas.In(theme.Warn, theme.SignCareful+" no such account")
}

func (m *Model) relation(env screen.Env, a walletcore.AccountRef) string {
	if env.Owns(a.ID) {
		return "yours"
	}
	switch p := m.paid[a.ID]; {
	case p.times == 1:
		return "paid once, " + strings.SplitN(format.Stamp(p.last), " ", 2)[0]
	case p.times > 1:
		return fmt.Sprintf("paid %d times, last %s", p.times, strings.SplitN(format.Stamp(p.last), " ", 2)[0])
	}
	return "first payment"
}

func (m *Model) drawLookAlike(env screen.Env, s *sheet, ref walletcore.AccountRef) {
	like, ok := m.lookAlike(env, ref)
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

func (m *Model) drawSuggestions(env screen.Env, s *sheet) {
	for i, ref := range m.suggestions(env) {
		l := canvas.Join(canvas.Text("  "), format.AccountIn(ref, 14, 2), canvas.In(theme.Muted, "   "+m.relation(env, ref)))
		if like, ok := m.lookAlike(env, ref); ok {
			l = canvas.Join(l, canvas.In(theme.Warn, " "+theme.SignCareful+" looks like "), format.Account(like))
		}
		box := s.in.Sub(11, s.y, s.in.W-13, 1)
		for _, row := range l.Wrap(box.W) {
			box = s.in.Sub(11, s.y, s.in.W-13, 1)
			box.Put(0, 0, row)
			rows.Mark(box, 0, i == m.pick.At, screen.Click{Panel: clickSuggestion, At: i})
			s.y++
		}
	}
}

func (m *Model) drawAmount(env screen.Env, s *sheet) {
	const assetX = 35
	m.input(s, fieldAmount, 2, 22)
	if s.in.W >= assetX+24 {
		m.input(s, fieldAsset, assetX, 16)
		s.in.PutRight(3, s.y, canvas.In(theme.Muted, "ctrl+g max"))
		s.y++
	} else {
		s.y++
		m.input(s, fieldAsset, 2, 16)
		s.y++
	}
	m.drawValue(env, s)
	for _, f := range []fieldID{fieldAmount, fieldAsset} {
		if p := m.problem(f); p != "" {
			s.under(canvas.In(theme.Warn, theme.SignCareful+" "+f.name()+": "+p))
		}
	}
}

// drawValue says what the amount typed is, as it will be paid, and what it leaves.
func (m *Model) drawValue(env screen.Env, s *sheet) {
	n, a, ok := m.amount()
	if !ok {
		return
	}
	value := canvas.Join(canvas.Text("= "), format.Money{}.Amount(a, n))
	if b, held := m.balance(); held && m.problem(fieldAmount) == "" {
		value = canvas.Join(value, canvas.In(theme.Muted, " · leaves "), env.Money().Amount(a, b.Amount-n-m.feeIn(a)),
			canvas.In(theme.Muted, " after the fee"))
	}
	s.under(value)
}

func (m *Model) drawMemo(_ screen.Env, s *sheet, roomy bool) {
	m.input(s, fieldMemo, 2, s.in.W-14)
	s.y++
	kind := "          (•) encrypted, only the recipient can read it    ( ) plain   ctrl+t"
	if canvas.Width(kind) > s.in.W-4 {
		kind = "          (•) encrypted  ( ) plain  ctrl+t"
	}
	if m.plain {
		s.put(canvas.In(theme.Warn, "          ( ) encrypted  (•) plain "+theme.SignCareful+" anyone can read this, for ever"))
	} else {
		s.put(canvas.In(theme.Muted, kind))
	}
	if n := len(m.fields[fieldMemo].Value()); n > 0 && roomy {
		s.put(canvas.In(theme.Muted, fmt.Sprintf("          %s of %s bytes", format.Count(n), format.Count(memoLimit))))
	}
	if memo := m.fields[fieldMemo].Value(); strings.Trim(memo, " ") != memo {
		s.under(canvas.In(theme.Muted, "it begins or ends in a blank, which is sent as well"))
	}
	if p := m.problem(fieldMemo); p != "" {
		s.under(canvas.In(theme.Warn, theme.SignCareful+" "+p))
	}
}

func (m *Model) drawFee(env screen.Env, s *sheet) {
	if !m.feeKnown {
		s.put(canvas.In(theme.Muted, "Fee       the review says it"))
		return
	}
	n, a, ok := m.amount()
	if !ok || a.ID != m.feeAsset.ID {
		s.put(canvas.Join(canvas.In(theme.Muted, "Fee       "), env.Money().Amount(m.feeAsset, m.fee)))
		return
	}
	col := format.Column{}.Fit("", m.feeAsset, m.fee).Fit("", a, n+m.fee)
	s.put(canvas.Join(canvas.In(theme.Muted, "Fee       "), env.Money().Aligned(col, "", theme.Text, m.feeAsset, m.fee)))
	s.put(canvas.Join(canvas.In(theme.Muted, "Total     "), env.Money().Aligned(col, "", theme.Text, a, n+m.fee)))
}

// drawFault says why there was no review, in the last rows whatever is there.
func (m *Model) drawFault(in canvas.Area) {
	if m.fault == "" {
		return
	}
	rows := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(m.fault)).Wrap(in.W - 3)
	foot := in.Below(max(in.H-len(rows), 0))
	foot.Fill(theme.Style{})
	for i, r := range rows {
		foot.Put(2, i, r)
	}
}

// drawUnknown names the payments whose outcome is not known.
func (m *Model) drawUnknown(env screen.Env, s *sheet) {
	for _, p := range env.Payments {
		if p.State == walletcore.PaymentUnknown {
			s.put(canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), env.Money().Amount(p.Review.Asset, p.Review.Amount), canvas.Text(" to "),
				format.Recipient(p.Review), canvas.In(theme.Warn, " still has an unknown outcome. You can send to others.")))
		}
	}
}
