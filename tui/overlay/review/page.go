// Package review shows what will be signed and asks for the capital key that
// signs it: for a payment of one's own and for one that a program asks for; and
// for what a program asks to do with keys or the password.
//
// It promises that all it says comes from the operation that was built, read
// back from its bytes; that the key is deaf until the page stood still for
// 600 ms with its last line in view; and that a large, repeated, first or easily
// mistaken payment is typed before. It signs nothing itself.
package review

import (
	"strings"
	"time"

	"billfold/ledger"
	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"
	"billfold/walletcore"
	"billfold/walletcore/ledgerview"

	tea "github.com/charmbracelet/bubbletea"
)

// settle is how long the page must stand still before the key works.
const settle = 600 * time.Millisecond

// The limits above which a payment asks for more, in whole DCT.
const (
	smallLimit = 50
	largeLimit = 1000
)

// Ask is what a page asks for.
type Ask struct {
	Key, Word string // "S", "Sign and send"
	Back      string // what esc does: "Back, change it"
	Box       bool   // the page is a pop-up, not the body

	Intro string                 // the first sentence; "" = that the operation is about to be signed
	Above func(screen.Env) []Row // stands over the operation; may be nil
	Below []Row                  // stands under it

	Deed  string // what is asked for where it is no operation of the ledger, such as "export all private keys"
	Typed string // the word that is typed for it; "" = none
}

// Row is a line with a label before it.
type Row struct {
	Label string
	Line  canvas.Line
}

// Page is the page. Everything about the payment comes from its review.
type Page struct {
	Shown walletcore.Review
	Built time.Time // when the page was made of what was read from the ledger

	ask    Ask
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
	wrong func(text string) string // why a text is none at all; may be nil
	text  field.Field
	done  bool
}

// New opens a page on what was built.
func New(env screen.Env, shown walletcore.Review, ask Ask) Page {
	p := Page{Shown: shown, Built: env.Now, ask: ask, since: env.Now}
	p.checks = confirmations(env, shown)
	if ask.Typed != "" {
		p.checks = []check{{what: "word " + ask.Typed, why: "it cannot be undone", want: ask.Typed, match: func(text string) bool { return text == ask.Typed }}}
	}
	p.look(env)
	return p
}

// Reopen says that the page is shown again: again it must stand still first.
func (p *Page) Reopen(env screen.Env) tea.Cmd {
	p.since = env.Now
	return p.Wake()
}

// changedWord is typed where a recipient has other keys than before.
const changedWord = "changed"

// confirmations lists what must be typed: the amount for a large or repeated
// payment, or a large fee, the id of a recipient never paid before or easily
// mistaken, and that its keys are others than those that were accepted.
func confirmations(env screen.Env, r walletcore.Review) []check {
	var out []check
	if r.Amount != 0 {
		out = paymentChecks(env, r)
	} else if dctOut(r) > whole(r.FeeAsset, largeLimit) {
		out = append(out, amountCheck("fee", "a large fee", r.FeeAsset, r.Fee))
	}
	if len(r.Changed) > 0 {
		out = append(out, check{what: "word " + changedWord, why: "the recipient's keys changed",
			want: changedWord, match: func(text string) bool { return text == changedWord }})
	}
	return out
}

func paymentChecks(env screen.Env, r walletcore.Review) []check {
	var out []check
	why := amountWhy(r)
	if why == "" && underway(env, r) {
		why = "the same payment was sent just now"
	}
	if why != "" {
		out = append(out, amountCheck("amount", why, r.Asset, r.Amount))
	}
	if why := recipientWhy(env, r); why != "" {
		id := format.RecipientID(r)
		out = append(out, check{what: "object id of the recipient", why: why, want: id, match: func(text string) bool { return text == id }})
	}
	return out
}

// amountCheck asks for an amount in the digits that it is typed with elsewhere.
func amountCheck(what, why string, asset ledgerview.AssetRef, amount int64) check {
	return check{what: what, why: why, want: format.Digits(asset, amount), match: func(text string) bool {
		n, err := ledger.ParseAmountOf(strings.Trim(text, " "), asset.Symbol, asset.Precision)
		return err == nil && n == amount
	}, wrong: func(text string) string {
		_, err := ledger.ParseAmountOf(text, asset.Symbol, asset.Precision)
		return format.AmountFault(err)
	}}
}

// amountWhy is why the amount must be typed. What is paid counts with its fee.
func amountWhy(r walletcore.Review) string {
	switch {
	case r.Repeats != nil:
		return "the same payment was made within 24 h"
	case dctOut(r) > whole(coreOf(r), largeLimit):
		return "a large payment"
	case r.Available > 0 && r.Spent() > r.Available/2:
		return "more than half of what there is"
	}
	return ""
}

func recipientWhy(env screen.Env, r walletcore.Review) string {
	own := env.Owns(r.To.ID)
	account := r.To.Name != "" || r.ToObject == 0
	switch {
	case len(r.LooksLike) > 0:
		return "the name is easily mistaken"
	case account && own, !r.FirstTime:
		return ""
	case r.Asset.ID != ledger.CoreAsset || dctOut(r) > whole(r.Asset, smallLimit):
		return "a first payment to this account"
	}
	return ""
}

// dctOut is what leaves the account in DCT, the fee included. Other assets have
// no such limit.
func dctOut(r walletcore.Review) int64 {
	switch {
	case r.Asset.ID == ledger.CoreAsset && r.Amount != 0:
		return r.Spent()
	case r.FeeAsset.ID == ledger.CoreAsset:
		return r.Fee
	}
	return 0
}

// coreOf is DCT, with the digits that the review gives it.
func coreOf(r walletcore.Review) ledgerview.AssetRef {
	if r.Asset.ID == ledger.CoreAsset {
		return r.Asset
	}
	return r.FeeAsset
}

// whole is a number of whole units of an asset.
func whole(a ledgerview.AssetRef, n int64) int64 {
	for range a.Precision {
		n *= 10
	}
	return n
}

// left returns the check that is to be typed next.
func (p *Page) left() *check {
	for i := range p.checks {
		if !p.checks[i].done {
			return &p.checks[i]
		}
	}
	return nil
}

// Typing reports whether letters go into a confirmation.
func (p *Page) Typing() bool { return p.left() != nil && !p.aside && !p.raw }

// Raw reports whether JSON and bytes are shown.
func (p *Page) Raw() bool { return p.raw }

// Wake redraws when the page has stood long enough.
func (p *Page) Wake() tea.Cmd {
	return tea.Tick(settle, func(time.Time) tea.Msg { return screen.Tick{} })
}

// Settled reports whether the page ignores keys no more.
func (p *Page) Settled(env screen.Env) bool { return env.Now.Sub(p.since) >= settle }

// Blocked returns why the key does nothing now; empty means that it works.
func (p *Page) Blocked(env screen.Env) string {
	if p.ask.Deed != "" {
		return p.unread(env)
	}
	switch {
	case p.Shown.Operation == "":
		return "there is nothing to sign"
	case !env.Online():
		return "no node of the right chain answers"
	case env.Status.Stale:
		return "the node is behind, payments wait"
	case !env.Unlocked():
		return "the wallet is locked"
	case p.unsettled(env) != "":
		return p.unsettled(env)
	case len(p.Shown.SignsWith) == 0:
		return "no key at hand can sign this"
	case p.raw:
		return "v goes back to the review"
	}
	return p.unread(env)
}

// unread returns what is still to be read or typed.
func (p *Page) unread(env screen.Env) string {
	switch {
	case p.left() != nil:
		return "type the " + p.left().what + " first"
	case !p.seen:
		return "scroll to the last line first"
	case !p.Settled(env):
		return "read it first"
	}
	return ""
}

// Same reports whether two reviews pay the same amount to the same recipient.
func Same(a, b walletcore.Review) bool {
	return a.From.ID == b.From.ID && a.To.ID == b.To.ID && a.ToObject == b.ToObject && a.Asset.ID == b.Asset.ID && a.Amount == b.Amount
}

// underway reports whether the same payment is on its way but not yet in a block, so
// that the history cannot show it as a repetition.
func underway(env screen.Env, r walletcore.Review) bool {
	for _, p := range env.Payments {
		if p.State <= walletcore.PaymentInBlock && Same(p.Review, r) {
			return true
		}
	}
	return false
}

// unsettled finds the same payment among those whose outcome is not known.
func (p *Page) unsettled(env screen.Env) string {
	for _, sent := range env.Payments {
		if Same(sent.Review, p.Shown) && sent.State == walletcore.PaymentUnknown {
			return "the same payment has an unknown outcome; wait until it is certain"
		}
	}
	return ""
}

// Text types into the confirmation that is left.
func (p *Page) Text(env screen.Env, k tea.KeyMsg) tea.Cmd {
	c := p.left()
	if c == nil || p.since.Add(settle).After(env.Now) && c.text.Empty() && c == &p.checks[0] {
		return nil // typed ahead, before the page was there to be read
	}
	if k.Paste { // a confirmation is typed, that is its use
		return screen.Request(screen.Toast{Line: canvas.Text("Type it: a paste shows nothing")})
	}
	if c.text.Key(k) && c.match(c.text.Value()) {
		c.done, p.since = true, env.Now
		return p.Wake()
	}
	return nil
}

// Keys are those of a page besides its capital key and esc; typing says that
// letters go into a confirmation.
func Keys(typing bool) []action.Action {
	if typing {
		return []action.Action{
			{ID: "next", Keys: []string{"tab"}, Word: "to the buttons", Help: "leave the field", Hint: 2, Typing: true},
			{ID: "up", Keys: []string{"up"}, Help: "scroll up", Typing: true},
			{ID: "down", Keys: []string{"down"}, Help: "scroll down", Typing: true},
		}
	}
	return []action.Action{
		{ID: "review.raw", Keys: []string{"v"}, Word: "json", Help: "JSON and bytes, or the review again", Hint: 4},
		{ID: "up", Keys: []string{"up", "k"}, Show: "↑ k", Help: "scroll up"},
		{ID: "down", Keys: []string{"down", "j"}, Show: "↓ j", Help: "scroll down"},
		{ID: "pgup", Keys: []string{"pgup"}, Help: "page up"},
		{ID: "pgdn", Keys: []string{"pgdown"}, Help: "page down"},
		{ID: "next", Keys: []string{"tab"}, Help: "to the field that is left to type", Typing: true},
		{ID: "help", Keys: []string{"?"}, Help: "this help"},
	}
}

// Do moves in the page.
func (p *Page) Do(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "review.raw":
		if p.ask.Deed != "" { // there is no operation
			return nil
		}
		p.raw, p.top, p.since = !p.raw, 0, env.Now
		return p.Wake()
	case "next", "prev":
		p.aside = !p.aside
	case "clear":
		if c := p.left(); c != nil {
			c.text.Set("")
		}
	case "up", "pgup":
		p.scroll(env, -1)
	case "down", "pgdn":
		p.scroll(env, 1)
	}
	return nil
}
