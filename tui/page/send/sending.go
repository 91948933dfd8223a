package send

import (
	"context"
	"errors"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/advice"
	"billfold/tui/overlay/review"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/tui/widget/progress"
	"billfold/walletcore"
	"billfold/walletcore/fault"

	tea "github.com/charmbracelet/bubbletea"
)

// sending is the page of a payment after S.
type sending struct {
	review walletcore.Review // what was confirmed
	since  time.Time
	busy   bool // the core has not answered yet
	id     ledger.TransactionID
	known  bool // id is
	last   walletcore.Payment
	fault  string // refused, with what to do next
	note   string // about the last re-send
	top    int    // first line on screen
}

// payment is the newest that is known of the payment, also before the core
// answered, as far as can be said now.
func (s *sending) payment(env screen.Env) (walletcore.Payment, bool) {
	for _, p := range env.Payments {
		if s.known && p.ID == s.id || !s.known && s.busy && !p.Prepared.Before(s.since) && review.Same(p.Review, s.review) {
			return progress.Seen(env, p), true
		}
	}
	if !s.known {
		return walletcore.Payment{}, false
	}
	return progress.Seen(env, s.last), s.last.ID == s.id
}

// over reports whether there is nothing left to wait for.
func (s *sending) over(env screen.Env) bool {
	if s.busy {
		return false
	}
	p, ok := s.payment(env)
	return !ok || p.State == walletcore.PaymentIrreversible || p.State == walletcore.PaymentRejected || p.State == walletcore.PaymentExpired
}

// sent takes the core's answer. An outcome that is not known is not an error
// here but a state of the payment.
func (m *Model) sent(env screen.Env, msg screen.Result) tea.Cmd {
	s := &m.sending
	s.busy = false
	if p, ok := msg.Body.(walletcore.Payment); ok && p.ID != (ledger.TransactionID{}) {
		s.id, s.known, s.last = p.ID, true, p
	}
	switch {
	case msg.Err == nil, s.known && s.last.State != walletcore.PaymentRejected && s.last.State != walletcore.PaymentExpired:
		return m.onItsWay(env) // also refused: the node had the bytes
	case unsettled(msg.Err):
		if !s.known {
			what, _ := advice.Of(msg.Err)
			s.last = walletcore.Payment{State: walletcore.PaymentUnknown, Review: s.review, Reason: what, Prepared: s.since, Sent: s.since}
			s.known = true
		}
		return m.onItsWay(env)
	default:
		s.fault = advice.Said(msg.Err)
	}
	return nil
}

// unsettled reports whether the payment may still happen, whatever the error is.
func unsettled(err error) bool {
	var e *fault.Error
	return fault.CodeOf(err) == fault.OutcomeUnknown || errors.As(err, &e) && e.Unsettled
}

// onItsWay drops what the payment was typed in: form and draft.
func (m *Model) onItsWay(env screen.Env) tea.Cmd {
	number := m.draftOf
	if m.forget(); number == 0 {
		return nil
	}
	return m.dropThen(env, number, "spent draft")
}

// forget empties the form once the payment is on its way, so that the same
// one is not sent again by habit.
func (m *Model) forget() {
	m.Restore(Form{Asset: m.fields[fieldAsset].Value()})
	m.plain, m.focus, m.cleared = false, fieldTo, nil
	m.fields[fieldTo] = field.Field{}
}

func (m *Model) resent(msg screen.Result) tea.Cmd {
	m.sending.note = "The same bytes were sent again."
	if msg.Err != nil {
		what, _ := advice.Of(msg.Err)
		m.sending.note = what
	}
	return nil
}

func (m *Model) doSending(env screen.Env, id action.ID) tea.Cmd {
	s := &m.sending
	switch id {
	case "esc":
		return m.leaveSending(env)
	case "up", "pgup":
		s.top = max(s.top-1, 0)
	case "down", "pgdn":
		s.top = min(s.top+1, max(len(s.lines(env, max(env.W-7, 2), env.H >= 18))-env.H+2, 0))
	case doResend:
		p, ok := s.payment(env)
		if !ok || p.State != walletcore.PaymentUnknown || p.ID == (ledger.TransactionID{}) {
			return screen.Request(screen.Toast{Line: canvas.Text("r works only while the outcome is unknown")})
		}
		if !env.Online() {
			return screen.Request(screen.Toast{Line: canvas.Text("r waits for a node: none answers now")})
		}
		return m.tasks.Start(env, "resend", askLimit, func(ctx context.Context) (any, error) { return nil, m.core.Resend(ctx, p.ID) })
	case "sending.again":
		return m.again(env)
	case "enter":
		if !s.busy {
			return screen.Request(screen.Navigate{To: screen.History})
		}
	}
	return nil
}

// leaveSending goes back to the filled form after a refusal, else to Home,
// where the payment stays under Pending.
func (m *Model) leaveSending(env screen.Env) tea.Cmd {
	refused := m.sending.fault != ""
	if m.sending.busy {
		return screen.Request(screen.Navigate{To: screen.Home})
	}
	m.stage, m.sending, m.typing = stageForm, sending{}, true
	if refused {
		return m.readAround(env)
	}
	return screen.Request(screen.Navigate{To: screen.Home})
}

// again starts a new payment like this one; it goes through form and review
// as any other.
func (m *Model) again(env screen.Env) tea.Cmd {
	p, ok := m.sending.payment(env)
	if m.sending.busy || ok && p.State == walletcore.PaymentUnknown {
		return screen.Request(screen.Toast{Line: canvas.Text("Not while the outcome is unknown: this payment may still happen")})
	}
	r := m.sending.review
	if ok {
		r = p.Review
	}
	m.stage, m.sending = stageForm, sending{}
	m.prefill(screen.Payment{To: r.To, Asset: r.Asset, Amount: r.Amount, Memo: memoText(r)})
	return m.readAround(env)
}

func memoText(r walletcore.Review) string {
	if r.MemoState == walletcore.MemoOpen || r.MemoState == walletcore.MemoPlain {
		return r.Memo
	}
	return ""
}
