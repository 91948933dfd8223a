package contacts

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/vault"
)

// table is the columns of the list. Those that do not fit are left out; the account and its state never are.
type table struct {
	k     *readings
	times format.Times
	w     int
	ref   int // width of name and id
	nameW int
	lastW int  // of the column of the last payment, whose head names the zone
	paid  bool // the column of how often the contact was paid is shown
	last  bool // the column of the last payment is shown
	note  int  // width of the note; 0: it is not shown
}

// The widths of the columns.
const (
	gap    = 2
	paidW  = 5
	stateW = 2
	noteW  = 8 // at least
	nameW  = 24
)

func (r *readings) table(times format.Times, list []contact.Contact, w int) table {
	t := table{k: r, times: times, w: w}
	idW := 0
	for _, c := range list {
		t.nameW = max(t.nameW, min(canvas.Width(format.Clean(c.Name)), nameW))
		idW = max(idW, len(c.ID.String()))
	}
	t.nameW, t.lastW = max(t.nameW, 12), max(len(time.DateOnly), len(t.lastHead()))
	t.ref = t.nameW + gap + max(idW, len("OBJECT ID"))
	left := w - t.ref - gap - stateW
	if t.paid = left >= gap+paidW; t.paid {
		left -= gap + paidW
	}
	if t.last = left >= gap+t.lastW; t.last {
		left -= gap + t.lastW
	}
	if left >= gap+noteW {
		t.note = min(left-gap, 60)
	}
	return t
}

// lastHead returns the head of the column of the last payment.
func (t table) lastHead() string { return "LAST (" + t.times.Zone(t.times.Now) + ")" }

func (t table) head() canvas.Line {
	out := canvas.Join(canvas.Text("NAME").Pad(t.nameW+gap), canvas.Text("OBJECT ID").Pad(t.ref-t.nameW-gap))
	if t.paid {
		out = canvas.Join(out, canvas.Text("PAID").PadLeft(gap+paidW))
	}
	if t.last {
		out = canvas.Join(out.Pad(out.Width()+gap), canvas.Text(t.lastHead()).Pad(t.lastW))
	}
	if t.note > 0 {
		out = canvas.Join(out.Pad(out.Width()+gap), canvas.Text("NOTE").Pad(t.note))
	}
	return out.As(theme.Muted)
}

// row returns the row of a contact, in as many lines as its name needs.
func (t table) row(c contact.Contact) []canvas.Line {
	ref := format.AccountIn(c.AccountRef, t.nameW, gap)
	d := t.k.dealings[c.ID]
	rest := canvas.Line(nil)
	if t.paid {
		rest = canvas.Join(rest, canvas.Text(count(d.Out)).PadLeft(gap+paidW))
	}
	if t.last {
		rest = canvas.Join(rest.Pad(rest.Width()+gap), canvas.Text(dayOf(t.times, d.Last)).Pad(t.lastW))
	}
	if t.note > 0 {
		text := noteText(t.k.notes[c.ID])
		if text.Width() > t.note {
			text = append(text.Wrap(max(t.note-1, 2))[0], canvas.Span{Text: theme.SignCut})
		}
		rest = canvas.Join(rest.Pad(rest.Width()+gap), text.Pad(t.note))
	}
	rest = canvas.Join(rest.Pad(rest.Width()+gap), t.k.statusSign(c))
	if ref.Width() <= t.ref {
		return []canvas.Line{canvas.Join(ref.Pad(t.ref), rest)}
	}
	return append(ref.Wrap(t.w), canvas.Join(canvas.Text(strings.Repeat(" ", t.ref)), rest))
}

func count(n uint64) string {
	if n == 0 {
		return "–"
	}
	return format.Count(int(n))
}

func dayOf(times format.Times, at ledger.Time) string {
	if at == 0 {
		return "–"
	}
	return times.Day(at.Time())
}

// statusSign returns the sign for the state of a contact: not checked yet, unchanged, changed or gone.
func (r *readings) statusSign(c contact.Contact) canvas.Line {
	switch s, checked := r.statuses[c.ID]; {
	case !checked:
		return canvas.In(theme.Muted, theme.SignOff)
	case s.Account == nil:
		return canvas.Bold(theme.Danger, theme.SignFailed)
	case len(s.Changed) > 0:
		return canvas.Bold(theme.Warn, theme.SignCareful)
	}
	return canvas.In(theme.OK, theme.SignDone)
}

// changeLine returns a sentence on what changed about a contact, nil if nothing did.
func (r *readings) changeLine(times format.Times, c contact.Contact) canvas.Line {
	s, checked := r.statuses[c.ID]
	switch {
	case !checked:
		return nil
	case s.Account == nil:
		return canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" "), format.Account(c.AccountRef),
			canvas.In(theme.Danger, ": this node does not have the account. Do not pay; = chooses another node."))
	case len(s.Changed) == 0:
		return nil
	}
	var what []string
	for _, change := range s.Changed {
		what = append(what, change.What)
	}
	return canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), format.Account(c.AccountRef), canvas.In(theme.Warn, ": "+
		strings.Join(what, ", ")+" changed since it was saved on "+times.DayIn(c.Saved)+". Ask them before you send a secret or a payment."))
}

// noteText returns the text of a note, or why it cannot be read; nil if there is none.
func noteText(n note) canvas.Line {
	switch n.state {
	case vault.MemoOpen, vault.MemoPlain:
		return canvas.Text(format.Clean(n.text))
	case vault.MemoLocked:
		return canvas.In(theme.Muted, "locked")
	case vault.MemoForeign, vault.MemoDamaged:
		return canvas.In(theme.Warn, theme.SignCareful+" cannot be read with the keys of this wallet")
	case vault.MemoNone:
	}
	return nil
}
