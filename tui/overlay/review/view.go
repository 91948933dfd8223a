package review

import (
	"cmp"
	"fmt"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
	"billfold/walletcore/vault"
)

// footRows is what the confirmation or the buttons take under the text.
const footRows = 3

// lines is what the page says, in lines of at most w cells. All of it comes from
// the operation's Review. Amounts are never hidden here.
func (p *Page) lines(env screen.Env, w int) []canvas.Line {
	if p.raw {
		return rawLines(p.Shown, w)
	}
	out := p.write(env, sheet{w: w})
	if p.ask.Box && len(out) > p.tallest(env) {
		out = p.write(env, sheet{w: w, brief: true})
	}
	return out
}

func (p *Page) write(env screen.Env, s sheet) []canvas.Line {
	intro := p.ask.Intro
	if intro == "" {
		intro = "You are about to sign this operation. It was read back from the bytes that will be signed."
		if canvas.Width(intro) > s.w {
			intro = "Read back from the bytes that will be signed:"
		}
	}
	p.fill(env, &s)
	return append(canvas.Text(intro).Wrap(s.w), s.lines()...)
}

// fill writes what stands under the first sentence.
func (p *Page) fill(env screen.Env, s *sheet) {
	v := p.Shown
	if p.ask.Above != nil {
		s.add(p.ask.Above(env))
	}
	s.gap()
	if p.ask.Action != "" {
		s.put("Wants to", canvas.Bold(theme.Warn, theme.SignCareful+" "+format.Clean(p.ask.Action)))
		s.add(p.ask.Below)
		return
	}
	s.put("Operation", canvas.Text(format.Clean(v.Operation)))
	if v.Pays() {
		s.payment(env, v)
	} else {
		s.effect(v)
	}
	s.changes(v)
	if !s.brief {
		s.signing(v)
		life := cmp.Or(p.ask.Life, "30 s after you press "+p.ask.Key)
		s.put("Expires", canvas.Text(life+" · "+format.Clean(env.Status.Network)+" "+shortChain(v)))
	}
	if v.Repeats != nil {
		age := format.Age(env.Now.Sub(v.Repeats.Time.Time()))
		s.put("", canvas.Bold(theme.Warn, fmt.Sprintf("%s same as %s ago (%s)", theme.SignCareful, age, v.Repeats.ID)))
	}
	s.add(p.ask.Below)
	if env.Hidden {
		s.put("", canvas.In(theme.Muted, "amounts are visible here"))
	}
}

// Describe returns what an operation does that others made, as a review says it, in lines of at
// most w cells.
func Describe(env screen.Env, v build.Review, w int) []canvas.Line {
	s := sheet{w: w, brief: true, other: true}
	s.describe(env, v)
	return s.lines()
}

func (s *sheet) describe(env screen.Env, v build.Review) {
	if v.Pays() {
		s.payment(env, v)
	} else {
		s.effect(v)
	}
}

// sheet gathers rows with a label before them.
type sheet struct {
	w     int
	brief bool // what v shows as well is left out, so that the rest fits a pop-up
	other bool // somebody else pays: what they have and whom they paid before is not known
	rows  []Row
}

func (s *sheet) gap() {
	if !s.brief {
		s.rows = append(s.rows, Row{})
	}
}

func (s *sheet) put(label string, l canvas.Line) { s.rows = append(s.rows, Row{label, l}) }

// add puts the asker's own rows, apart from those of the operation.
func (s *sheet) add(rows []Row) {
	if len(rows) > 0 {
		s.gap()
	}
	s.rows = append(s.rows, rows...)
}

// lines are the rows in lines of at most w cells; a row without anything is an empty line.
func (s *sheet) lines() (out []canvas.Line) {
	for _, r := range s.rows {
		if r.Label == "" && r.Line == nil {
			out = append(out, nil)
			continue
		}
		label := r.Label
		for _, l := range r.Line.Wrap(max(s.w-12, 2)) {
			out = append(out, canvas.Join(canvas.In(theme.Muted, fmt.Sprintf("%-12s", label)), l))
			label = ""
		}
	}
	return out
}

// payment shows who pays whom how much.
func (s *sheet) payment(env screen.Env, v build.Review) {
	s.put("From", format.Account(v.From))
	to := canvas.Join(format.Recipient(v), canvas.Text("   "), known(env, v))
	if s.other {
		to = canvas.Join(format.Recipient(v), canvas.Text("   "), yours(env, v))
	}
	s.put("To", to)
	for _, a := range v.LooksLike {
		s.put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" looks like "), format.Account(a)))
	}
	col, total, same := sums(v)
	money := format.Money{}
	s.put("Amount", canvas.Join(money.Aligned(col, "", theme.Text, v.Asset, v.Amount), canvas.In(theme.Muted, "  "+v.Asset.ID.String())))
	s.put("Fee", canvas.Join(money.Aligned(col, "", theme.Text, v.FeeAsset, v.Fee), canvas.In(theme.Muted, "  "+v.FeeAsset.ID.String())))
	if same && !s.brief {
		s.put("Total out", money.Aligned(col, "", theme.Text, v.Asset, total))
	}
	for i, l := range memoLines(v, s.w-12) {
		s.put([]string{"Memo", ""}[min(i, 1)], l)
	}
	switch {
	case s.other:
	case v.Spent() > v.Available:
		s.put("", canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" more than you have: "), money.Amount(v.Asset, v.Available)))
	case same && !s.brief:
		s.put("After this", canvas.Join(money.Amount(v.Asset, v.Available-total), canvas.In(theme.Muted, " available")))
	}
}

// changes shows what differs from when the recipient was last accepted, in full:
// a daemon that lies looks the same as an owner who took new keys.
func (s *sheet) changes(v build.Review) {
	for _, c := range v.Changed {
		s.put("Changed", canvas.Join(canvas.Bold(theme.Danger, theme.SignCareful+" "+c.What+" of "), format.Account(c.Account),
			canvas.In(theme.Muted, ", accepted "+format.Stamp(ledger.TimeOf(c.Since))+" UTC")))
		s.put("  was", canvas.Text(format.Clean(c.Was)))
		s.put("  now", canvas.Bold(theme.Warn, format.Clean(c.Now)))
	}
	if len(v.Changed) > 0 {
		who := format.Clean(v.Changed[0].Account.Name)
		s.put("", canvas.In(theme.Warn, "Ask "+who+" another way whether this is true; the node may be lying."))
	}
}

func (s *sheet) signing(v build.Review) {
	for i, k := range v.SignsWith {
		if i == 0 {
			s.put("Signs with", canvas.Join(canvas.Text("active key of "), format.Name(v.From)))
		}
		s.put("", format.Key(k))
	}
}

// effect shows what an operation that pays nobody does, and everything in it: a
// key in it may matter more than any amount.
func (s *sheet) effect(v build.Review) {
	label := "If signed"
	if s.other {
		label = "Would do"
	}
	for i, text := range v.Sentences {
		s.put([]string{label, ""}[min(i, 1)], canvas.Text(format.Clean(text)))
	}
	if len(v.Sentences) == 0 {
		s.put(label, canvas.Text(format.Clean(v.Sentence)))
	}
	s.recipients(v)
	if v.MemoState != vault.MemoNone {
		for i, l := range memoLines(v, s.w-12) {
			s.put([]string{"Text", ""}[min(i, 1)], l)
		}
	}
	for _, e := range v.Effects {
		s.put("Changes", canvas.Text(format.Clean(e.What)))
		if e.Was != "" {
			s.put("  was", canvas.Text(format.Clean(e.Was)))
		}
		if e.Now != "" {
			s.put("  then", canvas.Bold(theme.Warn, format.Clean(e.Now)))
		}
		if e.Note != "" {
			s.put("", canvas.In(theme.Warn, format.Clean(e.Note)))
		}
	}
	for i, m := range members(v.JSON) {
		if m.path == "data" && (v.MemoState == vault.MemoOpen || v.MemoState == vault.MemoPlain) {
			continue // it is the text above
		}
		s.put(
			[]string{"Holds", ""}[min(i, 1)],
			canvas.Join(canvas.In(theme.Muted, format.Clean(m.path)+"  "), canvas.Text(format.Clean(m.value))),
		)
	}
	s.put("Fee", canvas.Join(format.Money{}.Amount(v.FeeAsset, v.Fee), canvas.In(theme.Muted, "  "+v.FeeAsset.ID.String())))
	s.put("Paid by", format.Account(v.From))
	for _, o := range v.Outgoing {
		if o.Amount == o.Fee {
			continue
		}
		takes := canvas.Join(format.Money{}.Amount(o.Asset, o.Amount), canvas.Text(" from "), format.Account(o.Account),
			canvas.In(theme.Muted, "  fees included"))
		if o.Available > 0 { // else it is not known
			takes = canvas.Join(takes, canvas.In(theme.Muted, ", of "), format.Money{}.Amount(o.Asset, o.Available))
		}
		s.put("Takes", takes)
	}
	for _, needed := range v.Signers {
		if !needed.Met && needed.Keys == nil {
			whose := canvas.Bold(theme.Warn, theme.SignCareful+" the "+needed.Role+" authority of ")
			s.put("Missing", canvas.Join(whose, format.Account(needed.Account)))
		}
	}
}

// recipients warns of those who are paid by several operations.
func (s *sheet) recipients(v build.Review) {
	if v.FirstTime && !v.Pays() {
		s.put("", canvas.Bold(theme.Warn, theme.SignCareful+" somebody is paid here for the first time"))
	}
	for _, a := range v.LooksLike {
		if !v.Pays() {
			s.put("", canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" a recipient's name looks like "), format.Account(a)))
		}
	}
}

// sums returns the column for the amounts, and their sum when they are in one
// asset.
func sums(v build.Review) (col format.Column, total int64, same bool) {
	col = col.Fit("", v.Asset, v.Amount).Fit("", v.FeeAsset, v.Fee)
	if v.Asset.ID != v.FeeAsset.ID {
		return col, 0, false
	}
	total = v.Amount + v.Fee
	return col.Fit("", v.Asset, total), total, true
}

// yours marks a recipient that is the wallet's.
func yours(env screen.Env, v build.Review) canvas.Line {
	if v.To.Name != "" && env.Owns(v.To.ID) {
		return canvas.In(theme.OK, theme.SignDone+" yours")
	}
	return nil
}

// known returns in a word who the recipient is to this wallet.
func known(env screen.Env, v build.Review) canvas.Line {
	switch {
	case v.To.Name == "" && v.ToObject != 0:
		return canvas.In(theme.Muted, "a content object")
	case env.Owns(v.To.ID):
		return yours(env, v)
	case v.FirstTime:
		first := canvas.Bold(theme.Warn, theme.SignCareful+" FIRST PAYMENT to this account")
		if v.Contact {
			return canvas.Join(canvas.In(theme.OK, theme.SignDone+" contact · "), first)
		}
		return first
	}
	past := fmt.Sprintf("paid %d times", v.PaidBefore)
	if v.PaidBefore == 1 {
		past = "paid once before"
	}
	if v.Contact {
		past = "contact · " + past
	}
	return canvas.In(theme.OK, theme.SignDone+" "+past)
}

// room is the size of the text on a page, or in a pop-up that fits it.
func (p *Page) room(env screen.Env) (w, h int) {
	if p.ask.Box {
		body := layout.Rect{W: env.W, H: env.H}
		w = max(layout.Popup(body, popupWidth, env.H, env.Class).W-6, 2)
		return w, max(min(len(p.lines(env, w)), p.tallest(env)), 1)
	}
	w, h = env.W-6, env.H-2-footRows
	if env.Class == layout.Tiny {
		w, h = env.W-4, env.H-1-footRows
	}
	return max(w, 2), max(h, 1)
}

// tallest is how many lines a pop-up has room for.
func (p *Page) tallest(env screen.Env) int {
	return layout.Popup(layout.Rect{W: env.W, H: env.H}, popupWidth, env.H, env.Class).H - 2 - footRows
}

// popupWidth is how wide a pop-up is where there is room.
const popupWidth = 88

// Size is how much room the pop-up wants.
func (p *Page) Size(env screen.Env) (w, h int) {
	w, h = p.room(env)
	return w + 6, h + 2 + footRows
}

// look notes whether the last line is in view.
func (p *Page) look(env screen.Env) {
	w, h := p.room(env)
	p.seen = p.seen || !p.raw && p.top+h >= len(p.lines(env, w))
}

func (p *Page) scroll(env screen.Env, by int) {
	w, h := p.room(env)
	p.top = max(min(p.top+by*max(h/2, 1), len(p.lines(env, w))-h), 0)
	p.look(env)
}

// Draw draws the page inside its frame.
func (p *Page) Draw(env screen.Env, in canvas.Area) {
	w, h := p.room(env)
	lines := p.lines(env, w)
	top := max(min(p.top, len(lines)-h), 0)
	for i := top; i < min(top+h, len(lines)); i++ {
		in.Put(2, i-top, lines[i])
	}
	in.Top(h).Scroll(top, h, len(lines))
	p.foot(env, in.Below(h))
}

// State is what is still to be done, for the title.
func (p *Page) State() canvas.Line {
	n := 0
	for _, c := range p.checks {
		if !c.done {
			n++
		}
	}
	switch {
	case n == 1:
		return canvas.In(theme.Warn, "1 check left")
	case n > 1:
		return canvas.In(theme.Warn, fmt.Sprintf("%d checks left", n))
	}
	return canvas.In(theme.Muted, "read, then "+strings.ToLower(strings.Fields(p.ask.Word)[0]))
}

// foot is the confirmation to type, or the buttons.
func (p *Page) foot(env screen.Env, a canvas.Area) {
	c := p.left()
	if c == nil || p.raw {
		p.buttons(env, a)
		return
	}
	ask := canvas.Join(canvas.In(theme.OK, p.matched("  ")), canvas.Text(fmt.Sprintf("To go on, type the %s:  ", c.what)))
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Text("Type the " + c.what + ":  ")
	}
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Text("Type it: ")
	}
	x := a.Put(2, 0, ask)
	a.Put(x, 0, c.text.Line(max(a.W-x-1, 2), !p.aside))
	if wrong := c.fault(); wrong != "" {
		a.Put(2, 1, canvas.In(theme.Warn, theme.SignCareful+" "+wrong))
		return
	}
	why := c.why + ": " + p.ask.Key + " stays off until it matches."
	a.Put(2, 1, canvas.In(theme.Muted, strings.ToUpper(why[:1])+why[1:]))
}

// fault is what is wrong with what was typed, apart from that it does not match yet.
func (c *check) fault() string {
	text := strings.Trim(c.text.Value(), " ")
	if c.wrong == nil || text == "" {
		return ""
	}
	return c.wrong(text)
}

// matched lists what was typed already.
func (p *Page) matched(end string) (done string) {
	for _, d := range p.checks {
		if d.done {
			done += theme.SignDone + " " + d.what + end
		}
	}
	return done
}

func (p *Page) buttons(env screen.Env, a canvas.Area) {
	a.Put(2, 0, canvas.In(theme.OK, p.matched(" matches   ")))
	label := fmt.Sprintf("[ %s  %s ]", p.ask.Key, p.ask.Word)
	sign, why := canvas.Bold(theme.Key, label), p.Blocked(env)
	if why != "" {
		sign = canvas.In(theme.Muted, label)
	}
	x := a.Put(2, 1, sign)
	others := []string{"[ esc  " + p.ask.Back + " ]", "[ v  JSON and bytes ]"}
	if p.ask.Action != "" {
		others = others[:1]
	}
	for _, next := range others {
		if x+2+canvas.Width(next) < a.W {
			x = a.Put(x+2, 1, canvas.Text(next))
		}
	}
	if why != "" {
		a.Put(2, 2, canvas.In(theme.Muted, p.ask.Key+" is off: "+why))
	}
}
