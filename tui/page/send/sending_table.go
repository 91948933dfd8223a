package send

import (
	"fmt"

	"billfold/ledger"
	"billfold/ledger/printable"
	"billfold/tui/format"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/walletcore/payment"
	"billfold/walletcore/paytable"
)

// TablePrompt returns the prompt for a table: what is unusual about it stands above its payments.
func TablePrompt(ask review.Prompt, of screen.Several) review.Prompt {
	ask.Table = true
	ask.Above = func(screen.Env, bool) []review.Row { return noteRows(of.Notes()) }
	return ask
}

// noteRows returns the rows of a review for what a person has to know beside it.
func noteRows(notes []paytable.Note) (rows []review.Row) {
	for _, n := range notes {
		line := canvas.Text(format.Clean(n.Text))
		if n.Careful {
			line = canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "), line)
		}
		rows = append(rows, review.Row{Label: n.Label, Line: line})
	}
	return rows
}

// PartState returns where a transaction of a table stands, by what the wallet knows of it now.
func PartState(env screen.Env, p paytable.Part) (state payment.State, known bool) {
	if p.Payment.ID == (ledger.TransactionID{}) {
		return 0, false
	}
	for _, recent := range env.Payments {
		if recent.ID == p.Payment.ID {
			return progress.Known(env, recent).State, true
		}
	}
	return p.Payment.State, p.Payment.Review.Operation != ""
}

// partLine returns the line of a transaction of a table.
func partLine(env screen.Env, p paytable.Part, turn bool) canvas.Line {
	what := fmt.Sprintf("%s: %s   ", p.Lines, printable.Many(p.Rows, "payment"))
	state, known := PartState(env, p)
	sign, text := canvas.In(theme.Muted, theme.SignOff+" "), canvas.In(theme.Muted, "not sent")
	switch {
	case p.Payment.ID != (ledger.TransactionID{}) && !known:
		sign, text = canvas.In(theme.OK, theme.SignDone+" "), canvas.Text("sent before")
	case known && state == payment.Unknown:
		sign, text = canvas.Bold(theme.Danger, theme.SignUnknown+" "), canvas.Bold(theme.Danger, "outcome unknown; it is looked up")
	case known && (state == payment.Rejected || state == payment.Expired):
		sign, text = canvas.In(theme.Danger, theme.SignFailed+" "), canvas.In(theme.Danger, "did not happen; nothing of it was spent")
	case known && state == payment.Irreversible:
		sign, text = canvas.In(theme.OK, theme.SignDone+" "), canvas.In(theme.OK, "final")
	case known && state == payment.InBlock:
		sign, text = canvas.In(theme.OK, theme.SignDone+" "), canvas.Text("in a block")
	case known:
		sign, text = canvas.In(theme.Pending, theme.SignWork+" "), canvas.In(theme.Pending, "sent, waiting for a block")
	case turn:
		sign, text = canvas.In(theme.Pending, env.Spinner()+" "), canvas.In(theme.Pending, "signing and sending")
	}
	return canvas.Join(sign, canvas.Text(what), text)
}

// putParts puts where each transaction of a table stands, and what to do if it was broken off.
func (s *sending) putParts(env screen.Env, t *text) {
	parts, turn := s.several.Parts(), s.busy
	left := 0
	for _, p := range parts {
		state, known := PartState(env, p)
		if p.Payment.ID == (ledger.TransactionID{}) || known && (state == payment.Rejected || state == payment.Expired) {
			left += p.Rows
		}
	}
	switch {
	case s.fault != "":
		t.put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" Broken off: "), canvas.Text(s.fault)))
		next := "Nothing was sent. esc goes back to the table, as it was typed."
		if left < s.rows() {
			next = fmt.Sprintf("%s left. esc goes back to the table, as it was typed: paying it again looks first what was paid, and pays exactly the rest.",
				printable.Many(left, "payment"))
		}
		t.put(canvas.Text(next))
		t.gap()
	case !s.busy && left > 0:
		t.put(canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "),
			canvas.Text(printable.Many(left, "payment")+" did not happen. Pay the same table again: it pays exactly these.")))
		t.gap()
	}
	for _, p := range parts {
		unsent := p.Payment.ID == (ledger.TransactionID{})
		t.put(partLine(env, p, turn && unsent))
		turn = turn && !unsent
	}
	if s.busy {
		t.gap()
		t.put(canvas.In(theme.Muted, "You may leave this page; it goes on. A lock stops it between two transactions."))
	}
}

// rows returns how many payments the table makes, with those that were sent before.
func (s *sending) rows() (n int) {
	for _, p := range s.several.Parts() {
		n += p.Rows
	}
	return n
}

// isTableOver reports whether there is nothing left to wait for in a table.
func (s *sending) isTableOver(env screen.Env) bool {
	for _, p := range s.several.Parts() {
		if state, known := PartState(env, p); known && state != payment.Irreversible && state != payment.Rejected && state != payment.Expired {
			return false
		}
	}
	return !s.busy
}

// tableState returns the state of a table for the title.
func (s *sending) tableState(env screen.Env) canvas.Line {
	sent, final := 0, 0
	parts := s.several.Parts()
	for _, p := range parts {
		state, known := PartState(env, p)
		if p.Payment.ID != (ledger.TransactionID{}) {
			sent++
		}
		if known && state == payment.Irreversible || p.Payment.ID != (ledger.TransactionID{}) && !known {
			final++
		}
	}
	switch {
	case s.fault != "":
		return canvas.In(theme.Danger, fmt.Sprintf("broken off, %d of %d sent", sent, len(parts)))
	case final == len(parts):
		return canvas.In(theme.OK, "final")
	}
	return canvas.In(theme.Pending, fmt.Sprintf("%d of %s sent", sent, printable.Many(len(parts), "transaction")))
}

// tableSum returns what the table pays in all.
func (s *sending) tableSum(env screen.Env) canvas.Line {
	l := canvas.Join(canvas.Text(printable.Many(len(s.review.Moves), "payment")+" from "), format.Account(s.review.From), canvas.Text(": "))
	for i, o := range s.review.Outgoing {
		if i > 0 {
			l = canvas.Join(l, canvas.Text(" + "))
		}
		l = canvas.Join(l, env.Money().Amount(o.Asset, o.Amount))
	}
	return canvas.Join(l, canvas.In(theme.Muted, ", with fees"))
}

// tablePayment returns the transaction of a table that needs most attention: one whose outcome is unknown, or else the last that was sent.
func (s *sending) tablePayment(env screen.Env) (last payment.Payment, known bool) {
	for _, part := range s.several.Parts() {
		for _, p := range env.Payments {
			if part.Payment.ID == p.ID && p.ID != (ledger.TransactionID{}) {
				if last, known = progress.Known(env, p), true; last.State == payment.Unknown {
					return last, true
				}
			}
		}
	}
	return last, known
}
