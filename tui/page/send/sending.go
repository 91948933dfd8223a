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
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
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

	page   review.Page  // that was confirmed; empty after a lock
	review build.Review // of it
	since  time.Time
	ofForm bool   // what was confirmed was typed in the form
	busy   bool   // the core has not answered yet
	lock   func() // ends the last look before the signature; nil: nothing was confirmed
	away   bool   // the page was left before there was a fault
	id     ledger.TransactionID
	known  bool // the id is
	last   payment.Payment
	fault  string // refused, with what to do next
	note   string // about the last re-send
	row    row
	top    int // first line on screen
}

// row is the one that a payment has in the history; the zero value: none is known.
type row struct {
	id    ledger.HistoryID
	block uint32 // that the payment is in; in another one after a fork it has another row
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

// lockedFirst is the fault of what was not signed because somebody locked the wallet.
const lockedFirst = "the wallet was locked before it was signed."

// locks takes over what is being sent when the wallet is locked: before the signature it is given up.
func (s *sending) locks(before sending, tasks *screen.Tasks) {
	*s = before
	s.tasks, s.page, s.away = tasks, review.Page{}, before.away || before.fault == ""
	if s.lock != nil {
		s.lock()
	}
}

// unread reports whether nobody has seen yet why nothing was sent.
func (s *sending) unread() bool { return s.away && s.fault != "" }

// sayAway shows why nothing was sent to a person who does not see this page.
func (s *sending) sayAway() tea.Cmd {
	if !s.away {
		return nil
	}
	line := canvas.In(theme.Danger, theme.SignFailed+" Not sent: "+s.fault)
	return screen.Request(screen.Toast{Bad: true, Urgent: true, Line: line})
}

// show shows a payment that was sent before.
func (s *sending) show(id ledger.TransactionID) {
	s.reset()
	s.id, s.known = id, true
}

// begin shows a payment that is being sent.
func (s *sending) begin(env screen.Env, confirmed review.Page, ofForm bool) {
	s.reset()
	s.page, s.review, s.since, s.busy, s.ofForm = confirmed, confirmed.Shown, env.Now, true, ofForm
}

func (s *sending) reset() { *s = sending{resender: s.resender, tasks: s.tasks} }

// payment is the newest that is known of the payment, also before the core
// answered, as far as can be said now.
func (s *sending) payment(env screen.Env) (payment.Payment, bool) {
	for _, p := range env.Payments {
		if s.known && p.ID == s.id || !s.known && s.busy && !p.Prepared.Before(s.since) && p.Review.Same(s.review) {
			return progress.Seen(env, p), true
		}
	}
	if !s.known {
		return payment.Payment{}, false
	}
	return progress.Seen(env, s.last), s.last.ID == s.id
}

// over reports whether there is nothing left to wait for.
func (s *sending) over(env screen.Env) bool {
	if s.busy {
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

// sent takes the core's answer and reports whether the payment is on its way. An
// outcome that is not known is not an error here but a state of the payment.
func (s *sending) sent(msg screen.Result) (onItsWay bool) {
	s.busy = false
	if p, ok := msg.Body.(payment.Payment); ok && p.ID != (ledger.TransactionID{}) {
		s.id, s.known, s.last = p.ID, true, p
	}
	if !payment.OnItsWay(s.last, msg.Err) {
		if s.fault = advice.Said(msg.Err); fault.CodeOf(msg.Err) == fault.Locked {
			s.fault = lockedFirst
		}
		return false
	}
	if msg.Err != nil && !s.known {
		what, _ := advice.Of(msg.Err)
		s.last = payment.Payment{State: payment.Unknown, Review: s.review, Reason: what, Prepared: s.since, Sent: s.since}
		s.known = true
	}
	return true
}

// resent takes the end of a re-send.
func (s *sending) resent(msg screen.Result) {
	s.note = "The same bytes were sent again."
	if msg.Err != nil {
		s.note, _ = advice.Of(msg.Err)
	}
}

// noResend is why the bytes cannot be sent again now.
func (s *sending) noResend(env screen.Env) string {
	switch p, ok := s.payment(env); {
	case !ok || p.State != payment.Unknown:
		return "only while the outcome is unknown"
	case !env.Online():
		return "no node answers"
	}
	return ""
}

// resend sends the same signed bytes again.
func (s *sending) resend(env screen.Env) tea.Cmd {
	p, ok := s.payment(env)
	if !ok || p.State != payment.Unknown || p.ID == (ledger.TransactionID{}) {
		return screen.Request(screen.Toast{Line: canvas.Text("r works only while the outcome is unknown")})
	}
	if !env.Online() {
		return screen.Request(screen.Toast{Line: canvas.Text("r waits for a node: none answers now")})
	}
	return s.tasks.Start(env, "resend", askLimit, func(ctx context.Context) (any, error) { return nil, s.resender.Resend(ctx, p.ID) })
}

// paid is what the operations do: as the core knows it, before that as it was confirmed.
func (s *sending) paid(env screen.Env) build.Review {
	if p, known := s.payment(env); known {
		return p.Review
	}
	return s.review
}

// stranger is who was paid, where that is nobody's own account and no contact yet.
func (s *sending) stranger(env screen.Env) (who ledgerview.AccountRef, is bool) {
	r := s.review
	if p, known := s.payment(env); known {
		r = p.Review
	}
	_, saved := env.Contact(r.To.ID)
	return r.To, r.To.Name != "" && r.To.ID != 0 && !saved && !env.Owns(r.To.ID) && s.fault == ""
}

// another is a new payment like this one; ok is false while this one may still
// happen.
func (s *sending) another(env screen.Env) (like screen.Payment, ok bool) {
	p, known := s.payment(env)
	if s.busy || known && p.State == payment.Unknown {
		return like, false
	}
	r := s.paid(env)
	like = screen.Payment{To: r.To, Asset: r.Asset, Amount: r.Amount}
	if r.MemoState == vault.MemoOpen || r.MemoState == vault.MemoPlain {
		like.Memo = r.Memo
	}
	return like, true
}
