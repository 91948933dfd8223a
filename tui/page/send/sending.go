package send

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/progress"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
	"billfold/walletcore/vault"

	tea "github.com/charmbracelet/bubbletea"
)

// Resender sends the signed bytes of a payment again.
type Resender interface {
	Resend(ctx context.Context, id ledger.TransactionID) error
}

const (
	doResend action.ID = "sending.resend"
	doKeep   action.ID = "sending.contact"
	doLabel  action.ID = "sending.label"
)

// sending is the page of a payment after S.
type sending struct {
	resender Resender
	tasks    *screen.Tasks

	page            review.Page    // the review that was confirmed; empty after a lock
	review          txbuild.Review // of what was confirmed
	startedAt       time.Time
	several         screen.Several // what was confirmed, if it is a table; else nil
	fromForm        bool           // it was typed in the form
	busy            bool           // the outcome of sending is not known yet
	cancelReread    func()         // cancels the last review before the signature; nil: nothing was confirmed
	leftBeforeFault bool           // the person left the page before there was a fault
	id              ledger.TransactionID
	idKnown         bool // id is set
	lastKnown       payment.Payment
	fault           string // why nothing was sent, with what to do next
	note            string // about the last re-send
	row             historyRow
	scrolled        int // first line on screen
}

// historyRow is the row of a payment in the history; zero: it is not known.
type historyRow struct {
	id    ledger.HistoryID
	block uint32 // the payment's block; after a fork that moves it to another one, the row is another, too
}

func sendingPlace() action.Place {
	return action.Place{ID: "sending", Title: "Sending", Actions: []action.Action{
		{ID: "esc", Keys: []string{"esc"}, Word: "leave", Help: "leave; progress goes on and stays on Home", Hint: 1, Typing: true},
		{ID: doResend, Keys: []string{"r"}, Word: "re-send same bytes", Help: "re-send the same signed bytes, only while unknown", Hint: 2},
		{ID: "sending.again", Keys: []string{"b"}, Word: "new payment like this", Help: "fills the form for another payment like this", Hint: 3},
		{ID: doLabel, Keys: []string{"n"}, Word: "label", Help: "private label on the payment", Hint: 6},
		{ID: doKeep, Keys: []string{"c"}, Word: "save contact", Help: "save the other side as a contact", Hint: 5},
		{ID: "enter", Keys: []string{"enter"}, Word: "history", Help: "open the history", Hint: 4},
	}}
}

// lockedFault is the fault if nothing was signed because the wallet was locked.
const lockedFault = "the wallet was locked before it was signed."

// takeOver takes over what is being sent when the wallet is locked. If it is not signed yet, it is given up.
func (s *sending) takeOver(before sending, tasks *screen.Tasks) {
	*s = before
	s.tasks, s.page, s.leftBeforeFault = tasks, review.Page{}, before.leftBeforeFault || before.fault == ""
	if s.cancelReread != nil {
		s.cancelReread()
	}
}

// faultUnseen reports whether nothing was sent and the person has not seen why yet.
func (s *sending) faultUnseen() bool { return s.leftBeforeFault && s.fault != "" }

// reportUnseen shows in a toast why nothing was sent, if the person has left the page.
func (s *sending) reportUnseen() tea.Cmd {
	if !s.leftBeforeFault {
		return nil
	}
	line := canvas.In(theme.Danger, theme.SignFailed+" Not sent: "+s.fault)
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Line: line})
}

// showSent shows a payment that was sent before.
func (s *sending) showSent(id ledger.TransactionID) {
	s.reset()
	s.id, s.idKnown = id, true
}

// start shows a payment that is being sent.
func (s *sending) start(env screen.Env, confirmed review.Page, ofForm bool) {
	s.reset()
	s.page, s.review, s.startedAt, s.busy, s.fromForm = confirmed, confirmed.Shown, env.Now, true, ofForm
}

func (s *sending) reset() { *s = sending{resender: s.resender, tasks: s.tasks} }

// payment returns the newest state of the payment, even before sending has ended,
// as far as it is known.
func (s *sending) payment(env screen.Env) (payment.Payment, bool) {
	if s.several != nil {
		return s.tablePayment(env)
	}
	for _, p := range env.Payments {
		if s.idKnown && p.ID == s.id || !s.idKnown && s.busy && !p.Prepared.Before(s.startedAt) && p.Review.Same(s.review) {
			return progress.Known(env, p), true
		}
	}
	if !s.idKnown {
		return payment.Payment{}, false
	}
	return progress.Known(env, s.lastKnown), s.lastKnown.ID == s.id
}

// isOver reports whether there is nothing left to wait for.
func (s *sending) isOver(env screen.Env) bool {
	switch {
	case s.several != nil:
		return s.isTableOver(env)
	case s.busy:
		return false
	}
	p, ok := s.payment(env)
	switch p.State {
	case payment.Irreversible, payment.Rejected, payment.Expired:
		return true
	case payment.Prepared, payment.Sent, payment.InBlock, payment.Unknown:
	}
	return !ok
}

// applyOutcome takes the outcome of sending and reports whether the payment was sent, or may
// have been. An unknown outcome is not an error here but a state of the payment.
func (s *sending) applyOutcome(msg screen.Result) (onItsWay bool) {
	s.busy = false
	if p, ok := msg.Body.(payment.Payment); ok && p.ID != (ledger.TransactionID{}) {
		s.id, s.idKnown, s.lastKnown = p.ID, true, p
	}
	if s.several != nil && msg.Err != nil { // some of it may have been sent: its parts are known, and the table stays to pay the rest
		if s.fault = advice.Sentence(msg.Err); fault.CodeOf(msg.Err) == fault.Locked {
			s.fault = "the wallet was locked."
		}
		return false
	}
	if !payment.MayHaveBeenSent(s.lastKnown, msg.Err) {
		if s.fault = advice.Sentence(msg.Err); fault.CodeOf(msg.Err) == fault.Locked {
			s.fault = lockedFault
		}
		return false
	}
	if msg.Err != nil && !s.idKnown {
		what, _ := advice.Of(msg.Err)
		s.lastKnown = payment.Payment{State: payment.Unknown, Review: s.review, Reason: what, Prepared: s.startedAt, Sent: s.startedAt}
		s.idKnown = true
	}
	return true
}

// applyResend takes the end of a re-send.
func (s *sending) applyResend(msg screen.Result) {
	s.note = "The same bytes were sent again."
	if msg.Err != nil {
		s.note, _ = advice.Of(msg.Err)
	}
}

// whyNoResend returns why the bytes cannot be sent again now; empty if they can.
func (s *sending) whyNoResend(env screen.Env) string {
	switch p, ok := s.payment(env); {
	case !ok || p.State != payment.Unknown:
		return "only while the outcome is unknown"
	case !env.Online():
		return env.NoNode()
	}
	return ""
}

// resend starts sending the same signed bytes again.
func (s *sending) resend(env screen.Env) tea.Cmd {
	p, ok := s.payment(env)
	if !ok || p.State != payment.Unknown || p.ID == (ledger.TransactionID{}) {
		return screen.Request(screen.Toast{Line: canvas.Text("r works only while the outcome is unknown")})
	}
	if !env.Online() {
		return screen.Request(screen.Toast{Line: canvas.Text("r waits for a node: none answers now")})
	}
	return s.tasks.Start(env, "resend", readLimit, func(ctx context.Context) (any, error) { return nil, s.resender.Resend(ctx, p.ID) })
}

// shownReview returns the review of the payment: the journal's if it has the payment, else the one that was confirmed.
func (s *sending) shownReview(env screen.Env) txbuild.Review {
	if s.several != nil {
		return s.review
	}
	if p, known := s.payment(env); known {
		return p.Review
	}
	return s.review
}

// unsavedRecipient returns who was paid, if that is neither an own account nor a contact yet.
func (s *sending) unsavedRecipient(env screen.Env) (who ledgerview.AccountRef, is bool) {
	r := s.review
	if p, known := s.payment(env); known {
		r = p.Review
	}
	_, saved := env.Contact(r.To.ID)
	return r.To, r.To.Name != "" && r.To.ID != 0 && !saved && !env.Owns(r.To.ID) && s.fault == ""
}

// likePayment returns a new payment like this one; ok is false while this one may still
// go through.
func (s *sending) likePayment(env screen.Env) (like screen.Payment, ok bool) {
	p, known := s.payment(env)
	if s.busy || known && p.State == payment.Unknown {
		return like, false
	}
	r := s.shownReview(env)
	like = screen.Payment{To: r.To, Asset: r.Asset, Amount: r.Amount}
	if r.MemoState == vault.MemoOpen || r.MemoState == vault.MemoPlain {
		like.Memo = r.Memo
	}
	return like, true
}

const topicRow = "row"

// findRow starts looking for the history row of the payment that Sending shows, once the payment is in a block.
func (s *sending) findRow(env screen.Env, past History) tea.Cmd {
	if s.several != nil { // it has a row for each payment
		return nil
	}
	p, known := s.payment(env)
	_, busy := s.tasks.Busy(topicRow)
	inBlock := p.State == payment.InBlock || p.State == payment.Irreversible
	if !known || busy || !inBlock || s.row.block == p.Block {
		return nil
	}
	return s.tasks.Start(env, topicRow, readLimit, func(ctx context.Context) (any, error) {
		rows, err := past.Entries(ctx, p.Review.From.ID, 0, recentRows)
		found := historyRow{}
		for _, e := range rows { // newest first: of several operations, the first comes last
			if e.Block == p.Block && e.TrxInBlock == p.TrxInBlock {
				found = historyRow{e.ID, e.Block}
			}
		}
		return found, err
	})
}

// applyRow stores the row that was found. If none was, the next block looks for it again.
func (s *sending) applyRow(msg screen.Result) {
	if found, is := msg.Body.(historyRow); is && msg.Err == nil {
		s.row = found
	}
}

// Signing returns what a person has confirmed on the page and the journal does not have yet.
func (m *Model) Signing(env screen.Env) screen.Signing {
	s := &m.sending
	if _, signed := s.payment(env); !s.busy || signed {
		return screen.Signing{}
	}
	out := screen.Signing{Payment: payment.Payment{State: payment.Prepared, Review: s.review, Prepared: s.startedAt}}
	if s.fromForm {
		out.Account, out.Typed = m.form.typedByOwner(env)
		out.Typed.Proposes = out.Typed.Proposes || isProposal(s.review)
		out.Draft = m.form.draftOf(m.form.typed())
	}
	return out
}

// ToDrafts returns the keys that lead from Home to the drafts; empty if a payment that is being sent is in the way.
func (m *Model) ToDrafts(env screen.Env) string {
	switch {
	case m.stage == stageForm, m.stage == stageSending && m.sending.isOver(env) && !m.sending.faultUnseen():
		return "3 esc d"
	case m.stage == stageDrafts:
		return "3"
	}
	return ""
}
