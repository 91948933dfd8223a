package send

import (
	"fmt"
	"strings"

	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/contact"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payout"
)

// drawTable draws the form of a table: its lines, beside each how it is read, and below what they come to.
func (s *sheet) drawTable() {
	f := s.form
	s.drawFrom()
	head, count := "One payment a line: name, amount, and if wanted asset and memo", printable.Many(len(f.readTable().Rows), "payment")
	if canvas.Width(head+count)+6 > s.in.W {
		head = "Each line: name amount [asset] [memo]"
	}
	if canvas.Width(head+count)+6 <= s.in.W {
		s.in.PutRight(3, s.y, canvas.In(theme.Muted, count))
	}
	s.put(canvas.In(theme.Muted, head))
	foot := s.tableFoot()
	fields := 1
	h := max(s.in.H-s.y-len(foot)-fields, 1)
	s.drawRows(h)
	s.y += h
	for _, l := range foot {
		s.in.Put(2, s.y, l)
		s.y++
	}
	half := s.in.W / 2
	s.drawInput(fieldAsset, 2, max(half-14, 6))
	s.drawInput(fieldLabel, half, max(s.in.W-half-14, 6))
}

// drawRows draws the lines in h rows, those around the cursor.
func (s *sheet) drawRows(h int) {
	f := s.form
	at, n := f.fields[fieldTo].Row()
	first := max(min(at-h/2, n-h), 0)
	wide := min(max((s.in.W-8)*9/20, 12), 60)
	texts := f.fields[fieldTo].RowLines(first, h, wide, f.typing && f.focus == fieldTo)
	for i, text := range texts {
		line, y := first+i+1, s.y+i
		s.in.Put(2, y, canvas.In(theme.Muted, fmt.Sprintf("%4d", line)))
		if f.focus == fieldTo && line-1 == at {
			s.in.Put(1, y, canvas.In(theme.Focus, theme.SignRow))
		}
		s.in.Put(7, y, text)
		room := s.in.W - 8 - wide - 3
		s.in.Put(8+wide, y, fit(s.readAs(line, room), room))
		s.in.Row(y).Zone(screen.Click{Panel: clickRow, At: line - 1})
	}
	list.Scroll(s.in.Sub(0, s.y, s.in.W, h), first, len(texts), n)
}

// fit cuts a line that does not fit.
func fit(l canvas.Line, w int) canvas.Line {
	if l.Width() <= w || w < 2 {
		return l
	}
	return canvas.Join(l.Wrap(w - 1)[0], canvas.In(theme.Muted, theme.SignCut))
}

// readAs returns how a line is read, in w cells if all of it fits: an amount is never cut.
func (s *sheet) readAs(line, w int) canvas.Line {
	f := s.form
	r, is := f.table.lines[line]
	if wrong := f.rowProblems(s.env, line); len(wrong) > 0 {
		return canvas.In(theme.Warn, theme.SignCareful+" "+format.Clean(wrong[0]))
	}
	if !is {
		return nil
	}
	found, asked := f.table.accounts[r.Account]
	switch {
	case !asked && !s.env.Online():
		return canvas.In(theme.Muted, "cannot check: no node")
	case !asked && f.table.failed:
		return canvas.In(theme.Muted, "cannot check: the look-up failed")
	case !asked:
		if at, _ := f.fields[fieldTo].Row(); f.typing && at == line-1 {
			return nil
		}
		return canvas.In(theme.Pending, theme.SignWork+" looking")
	case contact.Compare(s.env.Contacts, found.account) != nil:
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" not your contact "), format.Account(found.account))
	}
	who := format.Account(found.account)
	if like, alike := f.recipients.lookAlike(s.env, found.account); alike {
		return canvas.Join(canvas.In(theme.Warn, theme.SignCareful+" "), who, canvas.In(theme.Warn, " looks like "), format.Account(like))
	}
	done := canvas.In(theme.OK, theme.SignDone+" ")
	if n, of, ok := f.amountOf(r); ok {
		if whole := canvas.Join(done, format.Money{}.Amount(of, n), canvas.Text(" "+theme.SignOut+" "), who); whole.Width() <= w {
			return whole
		}
	}
	return canvas.Join(done, who)
}

// tableFoot returns what stands below the lines: what is to be known of the one with the cursor, or why nothing was built, and the totals.
func (s *sheet) tableFoot() (out []canvas.Line) {
	f, w := s.form, s.in.W-4
	at, _ := f.fields[fieldTo].Row()
	if f.fault != "" {
		out = append(out, canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(f.fault)).Wrap(w)...)
	}
	switch wrong := f.rowProblems(s.env, at+1); {
	case f.fields[fieldTo].Held() != "":
		out = append(out, canvas.In(theme.Warn, theme.SignCareful+" "+f.fields[fieldTo].Fault()).Wrap(w)...)
	case len(wrong) > 0:
		for _, why := range wrong {
			out = append(out, canvas.In(theme.Warn, fmt.Sprintf("%s line %d: %s", theme.SignCareful, at+1, format.Clean(why))).Wrap(w)...)
		}
	case f.text(fieldTo) == "":
		out = append(out, canvas.In(theme.Muted, "Paste them, or type: carol 12.5 rent of May. alt+enter or enter makes a line.").Wrap(w)...)
	default:
		if r, is := f.table.lines[at+1]; is {
			if l := s.rowDetail(r); l != nil {
				out = append(out, fit(l, w))
			}
		}
	}
	if most := max(s.in.H/3, 2); len(out) > most {
		out = append(out[:most-1], fit(canvas.Join(out[most-1], canvas.Text(" "+theme.SignCut)), w))
	}
	return append(out, s.totalLines()...)
}

// rowDetail returns what a line pays to whom, and what that account is to this wallet.
func (s *sheet) rowDetail(r payout.Row) canvas.Line {
	found := s.form.table.accounts[r.Account].account
	if found.ID == 0 {
		return nil
	}
	var l canvas.Line
	if n, of, ok := s.form.amountOf(r); ok {
		l = canvas.Join(format.Money{}.Amount(of, n), canvas.Text(" "+theme.SignOut+" "))
	}
	l = canvas.Join(l, format.Account(found), canvas.In(theme.Muted, "  "+s.form.recipients.relationText(s.env, found)))
	if like, alike := s.form.recipients.lookAlike(s.env, found); alike {
		n := firstDifference(found.Name, like.Name)
		l = canvas.Join(l, canvas.In(theme.Warn, fmt.Sprintf("  %s differs from %s at letter %d", theme.SignCareful, format.Clean(like.Name), n)))
	}
	return l
}

// totalLines returns what the rows come to, with the fees of all.
func (s *sheet) totalLines() (out []canvas.Line) {
	f := s.form
	sums, complete := f.totals()
	for i, sum := range sums {
		if i == 3 {
			out = append(out, canvas.In(theme.Muted, fmt.Sprintf("          and %d more assets", len(sums)-i)))
			break
		}
		l := canvas.Join(canvas.In(theme.Muted, []string{"Total     ", "          "}[min(i, 1)]), format.Money{}.Amount(sum.Asset, sum.Amount))
		if fee := f.tableFee(sum.Asset); fee > 0 {
			l = canvas.Join(l, canvas.In(theme.Muted, " · fees "), s.env.Money().Amount(sum.Asset, fee))
		}
		if !complete && i == 0 {
			l = canvas.Join(l, canvas.In(theme.Muted, " · without wrong lines"))
		}
		out = append(out, fit(l, s.in.W-4))
	}
	if why := f.tooMuchText(); why != "" {
		out = append(out, fit(canvas.In(theme.Warn, theme.SignCareful+" "+why), s.in.W-4))
	}
	return out
}

// tableState returns what stands at the right of the title of a table.
func (f *form) tableState(env screen.Env) canvas.Line {
	wrong := f.wrongLines(env)
	unknown := 0
	for _, r := range f.readTable().Rows {
		if _, asked := f.table.accounts[r.Account]; !asked {
			unknown++
		}
	}
	switch {
	case len(wrong) > 0:
		return canvas.In(theme.Warn, printable.Many(len(wrong), "line")+" to correct")
	case f.tooMuchText() != "":
		return canvas.In(theme.Warn, "more than you have")
	case strings.TrimSpace(f.text(fieldTo)) == "":
		return canvas.In(theme.Muted, "the table is empty")
	case !env.Online():
		return canvas.In(theme.Muted, "live check: not possible, no node")
	case unknown > 0:
		return canvas.In(theme.Muted, "live check: "+printable.Many(unknown, "line")+" to look up")
	}
	for _, r := range f.readTable().Rows {
		if a := f.table.accounts[r.Account].account; contact.Compare(env.Contacts, a) != nil {
			return canvas.Bold(theme.Danger, theme.SignFailed+" not your contact")
		} else if _, alike := f.recipients.lookAlike(env, ledgerview.AccountRef{ID: a.ID, Name: a.Name}); alike {
			return canvas.In(theme.Warn, "a name is easily mistaken")
		}
	}
	return canvas.In(theme.OK, "live check: all good")
}
