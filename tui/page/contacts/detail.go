package contacts

import (
	"fmt"
	"math/big"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/contact"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// labelW is the width of the labels of the detail.
const labelW = 13

// sheet collects lines with labels, w cells wide.
type sheet struct {
	w     int
	lines []canvas.Line
}

func (s *sheet) put(label string, text canvas.Line) {
	for i, l := range text.Wrap(max(s.w-labelW, 8)) {
		if i > 0 {
			label = ""
		}
		s.lines = append(s.lines, canvas.Join(canvas.In(theme.Muted, label).Pad(labelW), l))
	}
}

// detail shows everything about a contact.
type detail struct {
	*readings
	whole bool // it has the whole page
	top   int  // the first line on screen
}

func (d detail) draw(env screen.Env, a canvas.Area, c contact.Contact) {
	state := canvas.In(theme.Muted, "↵ full account")
	if d.whole {
		state = canvas.In(theme.Muted, "↑↓ scroll · esc back")
	}
	frame := canvas.Frame{Title: canvas.Bold(theme.Text, "Detail"), State: state, Heavy: d.whole}
	in := a.Panel(frame, env.Class > layout.Tiny)
	lines := d.lines(env, in.W-4, in.H, c)
	top := max(min(d.top, len(lines)-in.H), 0)
	for i, l := range lines[top:] {
		in.Put(2, i, l)
	}
	list.Scroll(in, top, min(in.H, len(lines)), len(lines))
}

// lines returns the text about a contact for a panel of w by h cells.
func (d detail) lines(env screen.Env, w, h int, c contact.Contact) []canvas.Line {
	s := &sheet{w: w}
	head := canvas.Join(format.Account(c.AccountRef), canvas.In(theme.Muted, "   saved "+env.Times().Day(c.Saved)+", id pinned"))
	s.lines = append(s.lines, head.Wrap(w)...)
	if note := noteText(d.notes[c.ID]); note != nil {
		s.put("Note", note)
	}
	d.drawKeys(s, c, d.whole || h >= roomyRows)
	d.drawBackground(env, s, c)
	d.drawDealings(env, s, c)
	return s.lines
}

// roomyRows is the height from which on keys are shown whole; the state of one that fills its line stands below it.
const roomyRows = 20

// drawKeys draws the authorities and the memo key as they were saved, and whether they are still the same.
func (d detail) drawKeys(s *sheet, c contact.Contact, roomy bool) {
	status, checked := d.statuses[c.ID]
	changed := map[string]ledgerview.Change{}
	for _, one := range status.Changed {
		changed[one.What] = one
	}
	for _, k := range []struct{ label, what, was string }{
		{"Owner key", "owner authority", ledgerview.AuthorityText(c.Keys.Owner)},
		{"Active key", "active authority", ledgerview.AuthorityText(c.Keys.Active)},
		{"Memo key", "memo key", c.Keys.MemoKey.String()},
	} {
		now := canvas.In(theme.Muted, "not compared yet")
		switch one, differs := changed[k.what]; {
		case !checked:
		case status.Account == nil:
			now = canvas.In(theme.Danger, "the node does not have the account")
		case differs:
			now = canvas.Bold(theme.Warn, theme.SignCareful+" CHANGED since saved")
			if roomy {
				s.put(k.label, canvas.Text(k.was))
				s.put("", now)
				s.put("now", canvas.In(theme.Warn, one.Now))
				continue
			}
		default:
			now = canvas.In(theme.OK, "unchanged since saved")
		}
		if roomy && canvas.Width(k.was)+2+now.Width() > s.w-labelW {
			s.put(k.label, canvas.Text(k.was))
			s.put("", now)
			continue
		}
		s.put(k.label, canvas.Join(canvas.Text(shorten(k.was, s.w-labelW-now.Width()-2)+"  "), now))
	}
}

// shorten fits an authority or a key into w cells; the key y copies it whole.
func shorten(text string, w int) string {
	if canvas.Width(text) <= w {
		return text
	}
	if key, err := ledger.ParsePublicKey(text); err == nil {
		return format.KeyShort(key)
	}
	return canvas.Cut(text, max(w, 12))
}

// drawBackground draws who registered the account, and which names look like its own.
func (d detail) drawBackground(env screen.Env, s *sheet, c contact.Contact) {
	background, known := d.backgrounds[c.ID]
	switch {
	case !known && !env.Online():
		s.put("Look-alikes", canvas.In(theme.Muted, "cannot be checked: no node"))
		return
	case !known:
		s.put("Look-alikes", canvas.In(theme.Pending, theme.SignWork+" looking …"))
		return
	}
	if background.registrar.ID != 0 {
		s.put("Registered", canvas.Join(canvas.In(theme.Muted, "by "), format.Account(background.registrar)))
	}
	line := canvas.In(theme.Muted, "none among the names that begin with “"+format.Clean(c.Name[:min(stemLetters, len(c.Name))])+"”")
	if background.fault != nil {
		line = canvas.In(theme.Muted, "could not be checked")
	}
	for i, like := range background.alike {
		if i == 0 {
			line = canvas.Bold(theme.Warn, theme.SignCareful+" ")
		} else {
			line = canvas.Join(line, canvas.Text(" · "))
		}
		line = canvas.Join(line, format.Account(like))
	}
	s.put("Look-alikes", line)
}

// drawDealings draws how much was paid to the contact and by it.
func (d detail) drawDealings(env screen.Env, s *sheet, c contact.Contact) {
	dealt, any := d.dealings[c.ID]
	switch {
	case len(env.Accounts) == 0:
		return
	case d.dealings == nil:
		s.put("Payments", canvas.In(theme.Muted, "not read yet"))
		return
	case !any:
		none := canvas.In(theme.Muted, "none with ")
		s.put("Payments", canvas.Join(none, format.Account(env.Account), canvas.In(theme.Muted, d.extent())))
		return
	}
	s.put("Payments", canvas.Join(canvas.Text(fmt.Sprintf("%s out, %s in", format.Count(int(dealt.Out)), format.Count(int(dealt.In)))),
		canvas.In(theme.Muted, " with "), format.Account(env.Account), canvas.In(theme.Muted, d.extent())))
	for _, sum := range dealt.Sums {
		s.put("", sumLine(env, sum))
	}
}

// extent returns a note that not the whole history was counted; empty if it was.
func (d detail) extent() string {
	if d.all {
		return ""
	}
	return ", as far as it was read"
}

// sumLine returns how much of one asset went out and came in.
func sumLine(env screen.Env, sum history.Sum) canvas.Line {
	part := func(sign string, in theme.Token, amount *big.Int) canvas.Line {
		switch {
		case amount.Sign() == 0:
			return nil
		case !amount.IsInt64():
			return canvas.In(in, sign+"more than fits")
		}
		return env.Money().Aligned(format.Column{}.Fit(sign, sum.Asset, amount.Int64()), sign, in, sum.Asset, amount.Int64())
	}
	out, in := part("-", theme.MoneyOut, sum.Out), part("+", theme.MoneyIn, sum.In)
	if out != nil && in != nil {
		out = canvas.Join(out, canvas.Text("   "))
	}
	return canvas.Join(out, in)
}
