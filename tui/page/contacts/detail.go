package contacts

import (
	"fmt"
	"math"
	"math/big"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/overlay/card"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/walletcore/contact"
	"billfold/walletcore/history"
	"billfold/walletcore/ledgerview"
)

// labelW is the width of the labels of the detail.
const labelW = 14

// sheet collects rows.
type sheet struct {
	rows  []card.Row
	room  int  // how wide a row without its label may be
	roomy bool // keys are shown whole; the state of one that fills its row stands below it
}

func (s *sheet) put(label string, text canvas.Line) {
	s.rows = append(s.rows, card.Row{Label: label, Line: text})
}

// card returns the card of a contact; inFocus reports whether the page under it still has the contact in focus.
func (r *readings) card(c contact.Contact, inFocus func(env screen.Env) bool) card.Card {
	head := card.Named("Account", c.AccountRef)
	return card.Card{Title: "Contact card", Copies: r.copies(c),
		Rows: func(env screen.Env) []card.Row {
			saved := card.Row{Label: "Saved", Line: canvas.Text(env.Times().DayIn(c.Saved) + ", id pinned")}
			return append([]card.Row{head, saved}, r.rows(env, c, math.MaxInt, true)...)
		},
		Can: func(env screen.Env) []card.Offer {
			off, gone := "", ""
			if len(env.Accounts) == 0 {
				off = "this wallet has no account yet"
			}
			if !inFocus(env) {
				gone = "it is no contact any more"
			}
			return append(card.ToAccount(c.AccountRef, off),
				card.Offer{Do: card.Edit, Off: gone, Then: screen.Command{ID: doNote}}, card.Offer{Do: card.Remove, Off: gone, Then: screen.Command{ID: doRemove}})
		}}
}

func (r *readings) draw(env screen.Env, a canvas.Area, c contact.Contact) {
	frame := canvas.Frame{Title: canvas.Bold(theme.Text, "Detail"), State: canvas.In(theme.Muted, "↵ card")}
	in := a.Panel(frame, env.Class > layout.Tiny)
	lines := r.lines(env, in.W-4, in.H, c)
	for i, l := range lines {
		in.Put(2, i, l)
	}
	list.Scroll(in, 0, min(in.H, len(lines)), len(lines))
}

// lines returns the text about a contact for a panel of w by h cells.
func (r *readings) lines(env screen.Env, w, h int, c contact.Contact) []canvas.Line {
	head := canvas.Join(format.Account(c.AccountRef), canvas.In(theme.Muted, "   saved "+env.Times().DayIn(c.Saved)+", id pinned"))
	out := head.Wrap(w)
	for _, row := range r.rows(env, c, max(w-labelW, 8), h >= roomyRows) {
		label := row.Label
		for _, l := range row.Lines(max(w-labelW, 8)) {
			out = append(out, canvas.Join(canvas.In(theme.Muted, label).Pad(labelW), l))
			label = ""
		}
	}
	return out
}

// rows returns everything about a contact besides its name.
func (r *readings) rows(env screen.Env, c contact.Contact, room int, roomy bool) []card.Row {
	s := &sheet{room: room, roomy: roomy}
	if note := noteText(r.notes[c.ID]); note != nil {
		s.put("Note", note)
	}
	r.putKeys(s, c)
	r.putBackground(env, s, c)
	r.putDealings(env, s, c)
	return s.rows
}

// roomyRows is the height from which on keys are shown whole; the state of one that fills its line stands below it.
const roomyRows = 20

// putKeys puts the authorities and the memo key as they were saved, and whether they are still the same.
func (r *readings) putKeys(s *sheet, c contact.Contact) {
	status, checked := r.statuses[c.ID]
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
			if s.roomy {
				s.put(k.label, canvas.Text(k.was))
				s.put("", now)
				s.put("now", canvas.In(theme.Warn, one.Now))
				continue
			}
		default:
			now = canvas.In(theme.OK, "unchanged since saved")
		}
		if s.roomy && canvas.Width(k.was)+2+now.Width() > s.room {
			s.put(k.label, canvas.Text(k.was))
			s.put("", now)
			continue
		}
		s.put(k.label, canvas.Join(canvas.Text(shorten(k.was, s.room-now.Width()-2)+"  "), now))
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

// putBackground puts who registered the account, and which names look like its own.
func (r *readings) putBackground(env screen.Env, s *sheet, c contact.Contact) {
	background, known := r.backgrounds[c.ID]
	switch {
	case !known && !env.Online():
		s.put("Look-alikes", canvas.In(theme.Muted, "cannot be checked: no node"))
		return
	case !known:
		s.put("Look-alikes", canvas.In(theme.Pending, theme.SignWork+" looking …"))
		return
	}
	if background.registrar.ID != 0 {
		s.rows = append(s.rows, card.Named("Registered by", background.registrar))
	}
	label := "Look-alikes"
	switch {
	case background.fault != nil:
		s.put(label, canvas.In(theme.Muted, "could not be checked"))
	case len(background.alike) == 0:
		s.put(label, canvas.In(theme.Muted, "none among the names that begin with “"+format.Clean(c.Name[:min(stemLetters, len(c.Name))])+"”"))
	}
	for _, like := range background.alike {
		row := card.Named(label, like)
		row.Line, label = canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), row.Line), ""
		s.rows = append(s.rows, row)
	}
}

// putDealings puts how much was paid to the contact and by it.
func (r *readings) putDealings(env screen.Env, s *sheet, c contact.Contact) {
	dealt, any := r.dealings[c.ID]
	switch {
	case len(env.Accounts) == 0:
		return
	case r.dealings == nil:
		s.put("Payments", canvas.In(theme.Muted, "not read yet"))
		return
	case !any:
		none := canvas.In(theme.Muted, "none with ")
		s.put("Payments", canvas.Join(none, format.Account(env.Account), canvas.In(theme.Muted, r.extent())))
		return
	}
	s.put("Payments", canvas.Join(canvas.Text(fmt.Sprintf("%s out, %s in", format.Count(int(dealt.Out)), format.Count(int(dealt.In)))),
		canvas.In(theme.Muted, " with "), format.Account(env.Account), canvas.In(theme.Muted, r.extent())))
	for _, sum := range dealt.Sums {
		s.put("", sumLine(env, sum))
	}
}

// extent returns a note that not the whole history was counted; empty if it was.
func (r *readings) extent() string {
	if r.all {
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
