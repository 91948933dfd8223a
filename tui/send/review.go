package send

import (
	"context"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/canvas"
	"billfold/tui/field"
	"billfold/tui/screen"
	"billfold/tui/show"
	"billfold/walletcore"

	tea "github.com/charmbracelet/bubbletea"
)

// settle is how long the page must stand still before S works.
const settle = 600 * time.Millisecond

// The limits above which a payment asks for more, in whole DCT.
const (
	smallLimit = 50
	largeLimit = 1000
)

// review is the page that asks for S. All that it shows is the draft's Review.
type review struct {
	draft  Draft
	shown  walletcore.Review
	since  time.Time // when the page opened or last changed
	checks []check   // what must be typed, in order
	aside  bool      // the keyboard is on the buttons although a check is left
	raw    bool      // JSON and bytes instead
	top    int
	seen   bool // the last line was in view
}

// check is a text that a person types to show that they read it.
type check struct {
	what  string // "amount" or "object id"
	why   string
	want  string
	match func(text string) bool
	text  field.Field
	done  bool
}

func newReview(env screen.Env, d Draft) review {
	r := review{draft: d, shown: d.Review(), since: env.Now}
	r.checks = confirmations(env, r.shown)
	r.look(env)
	return r
}

// confirmations lists what must be typed: the amount for a large or repeated
// payment, then the id of a recipient never paid before or easily mistaken.
func confirmations(env screen.Env, r walletcore.Review) []check {
	var out []check
	why := amountWhy(r)
	if why == "" && underway(env, r) {
		why = "the same payment was sent just now"
	}
	if why != "" {
		out = append(out, check{what: "amount", why: why, want: show.Digits(r.Asset, r.Amount), match: func(text string) bool {
			n, err := ledger.ParseAmount(plainDigits(text), r.Asset.Precision)
			return err == nil && n == r.Amount
		}})
	}
	if why := recipientWhy(env, r); why != "" {
		id := show.RecipientID(r)
		out = append(out, check{what: "object id of the recipient", why: why, want: id, match: func(text string) bool { return text == id }})
	}
	return out
}

func amountWhy(r walletcore.Review) string {
	switch {
	case r.Repeats != nil:
		return "the same payment was made within 24 h"
	case above(r, largeLimit):
		return "a large payment"
	case r.Available > 0 && r.Amount > r.Available/2:
		return "more than half of what there is"
	}
	return ""
}

func recipientWhy(env screen.Env, r walletcore.Review) string {
	_, own := env.Owns(r.To.ID)
	account := r.To.Name != "" || r.ToObject == 0
	switch {
	case len(r.LooksLike) > 0:
		return "the name is easily mistaken"
	case account && own, !r.FirstTime:
		return ""
	case r.Asset.ID != 0 || above(r, smallLimit):
		return "a first payment to this account"
	}
	return ""
}

// above says whether the amount is more than a number of whole DCT. Assets
// other than DCT have no such limit.
func above(r walletcore.Review, whole int64) bool {
	if r.Asset.ID != 0 {
		return false
	}
	for range r.Asset.Precision {
		whole *= 10
	}
	return r.Amount > whole
}

// left gives the check that is to be typed next.
func (r *review) left() *check {
	for i := range r.checks {
		if !r.checks[i].done {
			return &r.checks[i]
		}
	}
	return nil
}

func (r *review) typing() bool { return r.left() != nil && !r.aside && !r.raw }

// wake redraws when the page has stood long enough.
func (r *review) wake() tea.Cmd {
	return tea.Tick(settle, func(time.Time) tea.Msg { return screen.Tick{} })
}

// settled says whether the page ignores keys no more.
func (r *review) settled(env screen.Env) bool { return env.Now.Sub(r.since) >= settle }

// blocked says why S does nothing now; empty means that it signs and sends.
func (r *review) blocked(env screen.Env) string {
	switch {
	case r.draft == nil:
		return "there is nothing to sign"
	case !env.Online():
		return "no node of the right chain answers"
	case !env.Unlocked():
		return "the wallet is locked"
	case r.unsettled(env) != "":
		return r.unsettled(env)
	case len(r.shown.SignsWith) == 0:
		return "no key at hand can sign this"
	case r.raw:
		return "v goes back to the review"
	case r.left() != nil:
		return "type the " + r.left().what + " first"
	case !r.seen:
		return "scroll to the last line first"
	case !r.settled(env):
		return "read it first"
	}
	return ""
}

// same says that two reviews pay the same amount to the same recipient.
func same(a, b walletcore.Review) bool {
	return a.From.ID == b.From.ID && a.To.ID == b.To.ID && a.ToObject == b.ToObject && a.Asset.ID == b.Asset.ID && a.Amount == b.Amount
}

// underway says that the same payment is on its way but not yet in a block, so
// that the history cannot show it as a repetition.
func underway(env screen.Env, r walletcore.Review) bool {
	for _, p := range env.Payments {
		if p.State <= walletcore.PaymentInBlock && same(p.Review, r) {
			return true
		}
	}
	return false
}

// unsettled finds the same payment among those whose outcome is not known.
func (r *review) unsettled(env screen.Env) string {
	for _, p := range env.Payments {
		if same(p.Review, r.shown) && p.State == walletcore.PaymentUnknown {
			return "the same payment has an unknown outcome; wait until it is certain"
		}
	}
	return ""
}

func (r *review) text(env screen.Env, k tea.KeyMsg) tea.Cmd {
	c := r.left()
	if c == nil || r.since.Add(settle).After(env.Now) && c.text.Empty() && c == &r.checks[0] {
		return nil // typed ahead, before the page was there to be read
	}
	if k.Paste { // a confirmation is typed, that is its use
		return screen.Ask(screen.Say{Line: canvas.Say("Type it: a paste shows nothing")})
	}
	if c.text.Key(k) && c.match(c.text.Value()) {
		c.done, r.since = true, env.Now
		return r.wake()
	}
	return nil
}

func (m *Model) doReview(env screen.Env, id action.ID) tea.Cmd {
	r := &m.review
	switch id {
	case "esc":
		if r.raw {
			r.raw, r.top = false, 0
			return nil
		}
		m.leaveReview()
	case "review.raw":
		r.raw, r.top, r.since = !r.raw, 0, env.Now
		return r.wake()
	case "next", "prev":
		r.aside = !r.aside
	case "clear":
		if c := r.left(); c != nil {
			c.text.Set("")
		}
	case "up", "pgup":
		r.scroll(env, -1)
	case "down", "pgdn":
		r.scroll(env, 1)
	case doSign:
		return m.sign(env)
	}
	return nil
}

// leaveReview goes back to the form; nothing was signed and nothing is lost.
func (m *Model) leaveReview() {
	if m.stage == stageReview {
		m.stage, m.review, m.typing = stageForm, review{}, true
	}
	m.desk.Forget("build")
}

// sign turns the page to Sending before anything leaves the program.
func (m *Model) sign(env screen.Env) tea.Cmd {
	if why := m.review.blocked(env); why != "" {
		if !m.review.settled(env) {
			return nil
		}
		return screen.Ask(screen.Say{Line: canvas.Say("S is off: " + why)})
	}
	draft := m.review.draft
	m.stage, m.sending = stageSending, sending{review: m.review.shown, since: env.Now, busy: true}
	m.review = review{}
	return m.desk.Ask(env, "send", 0, func(ctx context.Context) (any, error) { return m.core.Send(ctx, draft) })
}
