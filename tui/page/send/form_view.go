package send

import (
	"fmt"
	"strings"

	"billfold/tui/advice"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/rows"
	"billfold/walletcore/contact"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
)

// sheet draws the lines of a form from the top, and marks its fields, so that
// clicks hit them.
type sheet struct {
	form *form
	env  screen.Env
	in   canvas.Area
	y    int
}

func (s *sheet) put(l canvas.Line) {
	for _, r := range l.Wrap(s.in.W - 3) {
		s.in.Put(2, s.y, r)
		s.y++
	}
}

// putUnder draws a line below a field, aligned with its text.
func (s *sheet) putUnder(l canvas.Line) {
	for _, r := range l.Wrap(max(s.in.W-13, 10)) {
		s.in.Put(12, s.y, r)
		s.y++
	}
}

// draw draws the form.
func (f *form) draw(env screen.Env, a canvas.Area) {
	foot := canvas.In(theme.Muted, "ctrl+s review · nothing is signed yet"+f.draftsText())
	title, state := f.title(env), f.checkState(env)
	if canvas.Width(title)+env.AsOf(f.funds.readAt).Width()+state.Width()+10 > a.W {
		title = f.name()
	}
	s := &sheet{form: f, env: env, in: panel(env, a, title, f.funds.readAt, state, foot)}
	s.draw()
}

// draftsText returns how many drafts the account has, and the keys that list them.
func (f *form) draftsText() string {
	keys := "d"
	if f.typing {
		keys = "esc d"
	}
	switch f.draftCount {
	case 0:
		return ""
	case 1:
		return " · 1 draft: " + keys
	}
	return " · " + format.Count(f.draftCount) + " drafts: " + keys
}

func (s *sheet) draw() {
	if s.form.several {
		s.drawTable()
		return
	}
	roomy := s.in.H >= 20
	gap := func() {
		if s.in.H >= 15 {
			s.y++
		}
	}
	if roomy {
		s.y++
	}
	s.drawFrom()
	gap()
	s.drawTo()
	gap()
	s.drawAmount()
	gap()
	s.drawMemo(roomy)
	gap()
	s.drawFee()
	gap()
	s.drawUnknown()
	s.drawFault()
}

func (s *sheet) drawFrom() {
	from := format.Account(s.env.Account)
	if len(s.env.Accounts) == 0 {
		from = canvas.In(theme.Warn, theme.SignCareful+" this wallet has no account yet; i on Home imports a key")
	}
	left := canvas.Join(canvas.In(theme.Muted, "From      "), from)
	var right canvas.Line
	if b, ok := s.form.balance(); ok {
		right = canvas.Join(s.env.Money().Amount(b.Asset, b.Amount), canvas.In(theme.Muted, " available"))
	}
	if left.Width()+right.Width()+6 <= s.in.W {
		s.in.PutRight(3, s.y, right)
		s.put(left)
	} else {
		s.put(left)
		s.put(canvas.Join(canvas.Text("          "), right))
	}
	if owner := s.form.owner; owner.ID != 0 && owner.ID != s.env.Account.ID {
		s.putUnder(canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" started as a payment of "), format.Account(owner),
			canvas.In(theme.Warn, "; @ switches back")))
	}
}

// drawInput draws a labelled field of w cells.
func (s *sheet) drawInput(id fieldID, x, w int) {
	live := s.form.typing && s.form.focus == id
	s.in.Put(x, s.y, canvas.In(theme.Muted, id.name()))
	if s.form.focus == id {
		s.in.Put(x+9, s.y, canvas.In(theme.Focus, theme.SignRow))
	}
	box := s.in.Sub(x+10, s.y, w, 1)
	box.Put(0, 0, s.form.fields[id].Line(w, live))
	box.Zone(screen.Click{Panel: clickField, At: int(id)})
}

func (s *sheet) drawTo() {
	state := s.recipientState()
	w := s.in.W - 14
	if wide := w - state.Width() - 2; wide > 16 {
		s.in.PutRight(3, s.y, state)
		s.drawInput(fieldTo, 2, wide)
		s.y++
	} else {
		s.drawInput(fieldTo, 2, w)
		s.y++
		s.put(canvas.Join(canvas.Text("          "), state))
	}
	if p := s.form.problem(fieldTo); p != "" {
		s.putUnder(canvas.In(theme.Warn, theme.SignCareful+" "+fieldTo.name()+": "+p))
		return
	}
	if ref, ok, _ := s.form.recipient(s.env); ok {
		if err := contact.Compare(s.env.Contacts, ref); err != nil {
			what, _ := advice.Of(err)
			s.putUnder(canvas.Bold(theme.Danger, theme.SignFailed+" "+what+". Do not pay; = chooses another node."))
			return
		}
		s.drawLookAlike(ref)
		return
	}
	if s.form.focus == fieldTo && s.form.typing {
		s.drawSuggestions()
	}
}

// recipientState returns what is known about the typed recipient.
func (s *sheet) recipientState() canvas.Line {
	text := s.form.text(fieldTo)
	ref, ok, asked := s.form.recipient(s.env)
	switch {
	case text == "":
		return canvas.In(theme.Muted, "account name or id; paste a table for several")
	case s.form.problem(fieldTo) != "":
		return nil
	case ok && contact.Compare(s.env.Contacts, ref) != nil:
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), format.Account(ref))
	case ok:
		return canvas.Join(
			canvas.In(theme.OK, theme.SignDone+" "),
			format.Account(ref),
			canvas.In(theme.Muted, "  "+s.form.recipients.relationText(s.env, ref)),
		)
	case strings.HasPrefix(text, "2.13."):
		return canvas.In(theme.Muted, "a content object")
	case strings.HasPrefix(text, "1.2.") && !asked:
		return canvas.In(theme.Muted, "the review shows whose id this is")
	case !s.env.Online():
		return canvas.In(theme.Muted, "cannot check: no node")
	case !asked && s.form.recipients.searchFailed:
		return canvas.In(theme.Muted, "cannot check: the look-up failed")
	case !asked:
		return canvas.In(theme.Pending, theme.SignWork+" looking")
	case !s.env.Live():
		return canvas.In(theme.Muted, "unknown to this node, which is behind")
	}
	none := canvas.In(theme.Warn, theme.SignCareful+" no such account")
	like, near := s.form.recipients.meant(s.env, text)
	switch {
	case near && s.form.typing && s.form.focus == fieldTo:
		return canvas.Join(none, canvas.Text("; did you mean this? "), canvas.In(theme.Muted, "↵ take it"))
	case near:
		return canvas.Join(none, canvas.Text("; did you mean "), format.Account(like), canvas.Text("?"))
	case !s.form.lacksRecipient(s.env):
		return canvas.In(theme.Muted, "↑↓ choose  ↵ take it")
	}
	return none
}

func (s *sheet) drawLookAlike(ref ledgerview.AccountRef) {
	like, ok := s.form.recipients.lookAlike(s.env, ref)
	if !ok {
		return
	}
	s.put(canvas.Join(canvas.Text("          "), canvas.In(theme.Warn, theme.SignCareful+" "), format.Account(ref),
		canvas.In(theme.Warn, " looks like "), format.Account(like)))
	if n := firstDifference(ref.Name, like.Name); n > 0 {
		this, other := markLetter(ref.Name, n), markLetter(like.Name, n)
		s.put(canvas.In(theme.Warn, fmt.Sprintf("            differs at letter %d:  %s  %s", n, this, other)))
	}
}

// firstDifference returns the number of the first letter in which a and b differ, from 1.
func firstDifference(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i + 1
		}
	}
	return min(len(a), len(b)) + 1
}

// markLetter puts letter n into brackets: caro[1].
func markLetter(name string, n int) string {
	if n > len(name) {
		return format.Clean(name) + "[]"
	}
	return format.Clean(name[:n-1]) + "[" + format.Clean(name[n-1:n]) + "]" + format.Clean(name[n:])
}

func (s *sheet) drawSuggestions() {
	for i, ref := range s.form.suggestions(s.env) {
		relation := s.form.recipients.relationText(s.env, ref)
		l := canvas.Join(canvas.Text("  "), format.AccountIn(ref, 14, 2), canvas.In(theme.Muted, "   "+relation))
		if like, ok := s.form.recipients.lookAlike(s.env, ref); ok {
			l = canvas.Join(l, canvas.In(theme.Warn, " "+theme.SignCareful+" looks like "), format.Account(like))
		}
		box := s.in.Sub(11, s.y, s.in.W-13, 1)
		for _, row := range l.Wrap(box.W) {
			box = s.in.Sub(11, s.y, s.in.W-13, 1)
			box.Put(0, 0, row)
			rows.Mark(box, 0, i == s.form.suggestionCursor.At, screen.Click{Panel: clickSuggestion, At: i})
			s.y++
		}
	}
}

func (s *sheet) drawAmount() {
	const assetX = 35
	s.drawInput(fieldAmount, 2, 22)
	if s.in.W >= assetX+24 {
		s.drawAsset(assetX)
		s.in.PutRight(3, s.y, canvas.In(theme.Muted, "ctrl+g max"))
		s.y++
	} else {
		s.y++
		s.drawAsset(2)
		s.y++
	}
	s.drawValue()
	for _, id := range []fieldID{fieldAmount, fieldAsset} {
		if p := s.form.problem(id); p != "" {
			s.putUnder(canvas.In(theme.Warn, theme.SignCareful+" "+id.name()+": "+p))
		}
	}
}

// drawAsset draws the field of the asset, marked if there are several to choose from.
func (s *sheet) drawAsset(x int) {
	const w = 16
	s.drawInput(fieldAsset, x, w)
	if at := s.form.fields[fieldAsset].Line(w, false).Width(); len(s.form.funds.balances) > 1 && at < w {
		s.in.Put(x+10+at, s.y, canvas.In(theme.Muted, theme.SignChoice))
	}
}

// drawValue draws the typed amount as it will be paid, and what it leaves.
func (s *sheet) drawValue() {
	n, a, ok := s.form.amount()
	if !ok {
		return
	}
	value := canvas.Join(canvas.Text("= "), format.Money{}.Amount(a, n))
	if b, held := s.form.balance(); held && s.form.problem(fieldAmount) == "" && !s.form.proposes {
		value = canvas.Join(value, canvas.In(theme.Muted, " · leaves "), s.env.Money().Amount(a, b.Amount-n-s.form.funds.feeIn(a)),
			canvas.In(theme.Muted, " after the fee"))
	}
	s.putUnder(value)
}

func (s *sheet) drawMemo(roomy bool) {
	s.drawInput(fieldMemo, 2, s.in.W-14)
	s.y++
	kind := "          (•) encrypted, only the recipient can read it    ( ) plain   ctrl+t"
	if canvas.Width(kind) > s.in.W-4 {
		kind = "          (•) encrypted  ( ) plain  ctrl+t"
	}
	if s.form.plain {
		s.put(canvas.In(theme.Warn, "          ( ) encrypted  (•) plain "+theme.SignCareful+" anyone can read this, for ever"))
	} else {
		s.put(canvas.In(theme.Muted, kind))
	}
	if n := len(s.form.fields[fieldMemo].Value()); n > 0 && roomy {
		s.put(canvas.In(theme.Muted, fmt.Sprintf("          %s of %s bytes", format.Count(n), format.Count(memoLimit))))
	}
	if memo := s.form.fields[fieldMemo].Value(); strings.Trim(memo, " ") != memo {
		s.putUnder(canvas.In(theme.Muted, "it begins or ends with a space, which is sent too"))
	}
	if p := s.form.problem(fieldMemo); p != "" {
		s.putUnder(canvas.In(theme.Warn, theme.SignCareful+" "+p))
	}
}

func (s *sheet) drawFee() {
	if !s.form.funds.feeKnown || s.form.proposes { // a proposal costs more than the payment, and leaves it to others
		s.put(canvas.In(theme.Muted, "Fee       shown in the review"))
		return
	}
	n, a, ok := s.form.amount()
	if !ok || a.ID != s.form.funds.feeAsset.ID {
		s.put(canvas.Join(canvas.In(theme.Muted, "Fee       "), s.env.Money().Amount(s.form.funds.feeAsset, s.form.funds.fee)))
		return
	}
	col := format.Column{}.Fit("", s.form.funds.feeAsset, s.form.funds.fee).Fit("", a, n+s.form.funds.fee)
	s.put(
		canvas.Join(
			canvas.In(theme.Muted, "Fee       "),
			s.env.Money().Aligned(col, "", theme.Text, s.form.funds.feeAsset, s.form.funds.fee),
		),
	)
	s.put(canvas.Join(canvas.In(theme.Muted, "Total     "), s.env.Money().Aligned(col, "", theme.Text, a, n+s.form.funds.fee)))
}

// drawFault draws why there is no review into the last rows, over whatever is there.
func (s *sheet) drawFault() {
	if s.form.fault == "" {
		return
	}
	rows := canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(s.form.fault)).Wrap(s.in.W - 3)
	foot := s.in.Below(max(s.in.H-len(rows), 0))
	foot.Fill(theme.Style{})
	for i, r := range rows {
		foot.Put(2, i, r)
	}
}

// drawUnknown draws the payments whose outcome is not known.
func (s *sheet) drawUnknown() {
	for _, p := range s.env.Payments {
		if p.State == payment.Unknown {
			s.put(
				canvas.Join(
					canvas.In(theme.Warn, theme.SignCareful+" "),
					s.env.Money().Amount(p.Review.Asset, p.Review.Amount),
					canvas.Text(" to "),
					format.Recipient(p.Review),
					canvas.In(theme.Warn, " still has an unknown outcome. You can send to others."),
				),
			)
		}
	}
}
