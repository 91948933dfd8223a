package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/list"
	"billfold/tui/widget/progress"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// unbroken is wider than any row: the UI that writes row by row breaks lines itself.
const unbroken = 1 << 20

// footRows is the number of rows that the confirmation or the buttons take under the text.
const footRows = 3

// lines returns the text of the page in lines of at most w cells. All of it comes from the operation's Review; nothing of that is ever
// left out. Where not all fits, there is no air between the lines; where that does not suffice, they are fewer. Amounts are never hidden
// here.
func (p *Page) lines(env screen.Env, w int) []canvas.Line {
	if p.raw {
		return rawLines(p.Shown, w)
	}
	for dense := airy; dense <= solid; dense++ {
		if out := p.write(env, sheet{w: w, dense: dense}); len(out) <= p.room(env) {
			return out
		}
	}
	return p.write(env, sheet{w: w, dense: solid, tight: true})
}

// Tight reports whether not all lines fit, even without air between them.
func (p *Page) Tight(env screen.Env) bool {
	w, _ := p.textSize(env)
	return len(p.write(env, sheet{w: w, dense: solid})) > p.room(env)
}

func (p *Page) write(env screen.Env, s sheet) []canvas.Line {
	p.fill(env, &s)
	if s.tight {
		return s.lines()
	}
	intro := p.ask.Intro
	if intro == "" {
		intro = "You are about to sign this operation. It was read back from the bytes that will be signed."
		if canvas.Width(intro) > s.w {
			intro = "Read back from the bytes that will be signed:"
		}
	}
	return append(canvas.Text(intro).Wrap(s.w), s.lines()...)
}

// fill writes everything under the first sentence: what decides first, then all contents.
func (p *Page) fill(env screen.Env, s *sheet) {
	v := p.Shown
	if p.ask.Above != nil {
		s.add(p.ask.Above(env, s.tight))
	}
	s.sinceOpened(env, v, p.first)
	s.gap()
	if p.ask.Action != "" {
		s.put("Wants to", canvas.Bold(theme.Warn, theme.SignCareful+" "+format.Clean(p.ask.Action)))
		s.add(p.ask.Below)
		return
	}
	if !v.Pays() {
		s.put("Operation", canvas.Text(format.Clean(v.Operation)))
	}
	s.warnings(v)
	if v.Approves != nil {
		s.approves(env, v)
		s.gap()
	}
	if s.summed = len(sentences(v)) > few; s.summed {
		s.fees(v)
		if !judgedTogether(v) {
			s.outgoing(v)
		}
		p.fillEnd(env, s)
		s.gap()
	}
	s.describe(env, v)
	s.proposed(env, v)
	if !s.summed {
		p.fillEnd(env, s)
	}
	if !p.ask.Table {
		s.contents(v)
	}
	s.add(p.ask.Below)
	if env.Hidden {
		s.put("", canvas.In(theme.Muted, "amounts are visible here"))
	}
}

// few is the maximum number of operations that are listed before what they come to. What more of them come to stands before the list: the
// list may be longer than any screen.
const few = 4

// fillEnd fills in what holds for the transaction as a whole. What is the same for every payment is quiet, and comes last.
func (p *Page) fillEnd(env screen.Env, s *sheet) {
	v := p.Shown
	if v.Pays() {
		s.gap()
		s.put("Operation", canvas.In(theme.Muted, format.Clean(v.Operation)))
	} else {
		s.recipientChanges(env, v)
		s.repeats(env, v)
	}
	s.signing(v)
	life := cmp.Or(p.ask.Life, "30 s after you press "+p.ask.Key)
	network := format.Clean(env.Status.Network) + " "
	if strings.HasPrefix(network, "chain ") { // the network has no name, and the id follows
		network = "chain "
	}
	s.put("Expires", canvas.In(theme.Muted, life+" · "+network+shortChain(v)))
}

// Describe returns what an operation made by others does, worded as in a review, in lines of at most w cells.
func Describe(env screen.Env, v txbuild.Review, w int) []canvas.Line {
	s := sheet{w: w, part: true, other: true}
	s.warnings(v)
	s.describe(env, v)
	s.contents(v)
	return s.lines()
}

// textSize returns the size of the text, on a page or in a pop-up that fits it.
func (p *Page) textSize(env screen.Env) (w, h int) {
	switch {
	case p.ask.Box:
		w = p.popup(env, env.H).W - 6
		h = min(len(p.lines(env, max(w, 2))), p.room(env))
	case env.Class == layout.Tiny:
		w, h = env.W-4, p.room(env)
	default:
		w, h = env.W-6, p.room(env)
	}
	return max(w, 2), max(h, 1)
}

// room returns how many lines the page, or a pop-up that covers all it may, has room for.
func (p *Page) room(env screen.Env) int {
	switch {
	case p.ask.Box:
		return p.popup(env, env.H).H - 2 - footRows
	case env.Class == layout.Tiny:
		return env.H - 1 - footRows
	}
	return env.H - 2 - footRows
}

// popup returns where a pop-up of h rows stands.
func (p *Page) popup(env screen.Env, h int) layout.Rect {
	return layout.Popup(layout.Rect{W: env.W, H: env.H}, popupWidth, h, env.Class)
}

// popupWidth is the width of a pop-up where there is room.
const popupWidth = 88

// Size returns how much room the pop-up wants.
func (p *Page) Size(env screen.Env) (w, h int) {
	w, h = p.textSize(env)
	return w + 6, h + 2 + footRows
}

// noteRead records that the last line is in view, if it is.
func (p *Page) noteRead(env screen.Env) {
	w, h := p.textSize(env)
	if !p.raw && !p.wasRead(env) && p.top+h >= len(p.lines(env, w)) {
		p.seen, p.seenIn = true, size{env.W, env.H}
	}
}

// wasRead reports whether the last line was in view in a window that was no larger than this one, or all lines fit into this one: a
// smaller window hides again what was read.
func (p *Page) wasRead(env screen.Env) bool {
	if p.seen && env.W >= p.seenIn.w && env.H >= p.seenIn.h {
		return true
	}
	w, h := p.textSize(env)
	return !p.raw && len(p.lines(env, w)) <= h
}

// firstLine returns the first line in view. If the window has become smaller, the text must be read again from its beginning.
func (p *Page) firstLine(env screen.Env) int {
	if p.seen && !p.raw && !p.wasRead(env) {
		return 0
	}
	return p.top
}

func (p *Page) scroll(env screen.Env, by int) {
	w, h := p.textSize(env)
	p.top = max(min(p.firstLine(env)+by*max(h/2, 1), len(p.lines(env, w))-h), 0)
	p.seen = p.seen && (p.raw || p.wasRead(env))
	p.noteRead(env)
}

// Draw draws the page inside its frame.
func (p *Page) Draw(env screen.Env, in canvas.Area) {
	if !p.seen {
		if p.noteRead(env); p.seen { // the window has become larger
			p.since = env.Now
		}
	}
	w, h := p.textSize(env)
	lines := p.lines(env, w)
	top := max(min(p.firstLine(env), len(lines)-h), 0)
	for i := top; i < min(top+h, len(lines)); i++ {
		in.Put(2, i-top, lines[i])
	}
	list.Scroll(in.Top(h), top, h, len(lines))
	p.foot(env, in.Below(h))
}

// State returns what is still to be done, for the title.
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
	return canvas.In(theme.Muted, "read, then "+strings.Fields(p.Word())[0])
}

// foot draws the confirmation to type, or the buttons.
func (p *Page) foot(env screen.Env, a canvas.Area) {
	if why := p.over(env); why != "" {
		a.Put(2, 1, canvas.Text("[ esc  close ]"))
		a.Put(2, 2, canvas.In(theme.Muted, p.ask.Key+" is off: "+why))
		return
	}
	c := p.nextCheck()
	if c == nil || p.raw {
		p.buttons(env, a)
		return
	}
	ask := canvas.Join(canvas.In(theme.OK, p.matched("  ")), canvas.Text(fmt.Sprintf("To go on, type the %s:  ", c.what)))
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Text("Type the " + c.what + ":  ")
	}
	if ask.Width()+len(c.want)+4 > a.W {
		ask = canvas.Text("Type " + cmp.Or(c.brief, "it") + ": ")
	}
	x := a.Put(2, 0, ask)
	a.Put(x, 0, c.text.Line(max(a.W-x-1, 2), !p.onButtons))
	rows := footRows - 1
	if p.onButtons { // the keys of the buttons work
		rows--
		p.labels(a, footRows-1, canvas.In(theme.Muted, p.label()))
	}
	why := p.whyTyped(c, max(a.W-4, 2), rows)
	for i, l := range why[:min(len(why), rows)] {
		a.Put(2, 1+i, l)
	}
}

// whyTyped returns why something must be typed, or what is wrong with what was typed, in at most rows lines if it can be said so briefly.
func (p *Page) whyTyped(c *check, w, rows int) []canvas.Line {
	if wrong := c.fault(); wrong != "" {
		return canvas.In(theme.Warn, theme.SignCareful+" "+wrong).Wrap(w)
	}
	why := strings.ToUpper(c.why[:1]) + c.why[1:] + ": " + p.ask.Key
	lines := canvas.In(theme.Muted, why+" stays off until it matches.").Wrap(w)
	if len(lines) <= rows {
		return lines
	}
	return canvas.In(theme.Muted, why+" is off.").Wrap(w)
}

// fault returns what is wrong with what was typed; empty if it is right as far as it goes.
func (c *check) fault() string {
	text := strings.Trim(c.text.Value(), " ")
	if text == "" {
		return ""
	}
	if c.wrong != nil {
		if fault := c.wrong(text); fault != "" {
			return fault
		}
	}
	if !strings.HasPrefix(c.want, text) {
		return "it does not match"
	}
	return ""
}

// matched lists the checks that are done, each followed by end.
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
	sign, why := canvas.Bold(theme.Key, p.label()), p.Blocked(env)
	if why != "" {
		sign = canvas.In(theme.Muted, p.label())
	}
	p.labels(a, 1, sign)
	if why != "" {
		a.Put(2, 2, canvas.In(theme.Muted, p.ask.Key+" is off: "+why))
	}
}

// label returns the button of the key that signs.
func (p *Page) label() string { return fmt.Sprintf("[ %s  %s ]", p.ask.Key, p.word()) }

// labels puts the buttons into a row, the one that signs first.
func (p *Page) labels(a canvas.Area, y int, sign canvas.Line) {
	x := a.Put(2, y, sign)
	others := []string{"[ esc  " + p.ask.Back + " ]", "[ v  JSON and bytes ]"}
	if p.ask.Action != "" {
		others = others[:1]
	}
	for _, next := range others {
		if x+2+canvas.Width(next) < a.W {
			x = a.Put(x+2, y, canvas.Text(next))
		}
	}
}

// Add adds a row under all others and scrolls to it.
func (p *Page) Add(env screen.Env, row Row) {
	p.ask.Below = append(slices.Clip(p.ask.Below), row)
	w, _ := p.textSize(env)
	p.scroll(env, len(p.lines(env, w)))
}

// over returns why nothing can be agreed to any more; empty while something can.
func (p *Page) over(env screen.Env) string {
	if p.ask.Over == nil {
		return ""
	}
	return p.ask.Over(env)
}

// Blocked returns why the key does nothing now; empty if it works.
func (p *Page) Blocked(env screen.Env) string {
	if why := p.over(env); why != "" {
		return why
	}
	if p.ask.Action != "" {
		return p.unread(env)
	}
	switch {
	case p.Shown.Operation == "":
		return "there is nothing to sign"
	case !p.ask.Alone && !env.Online():
		return "no node on the right chain answers"
	case !p.ask.Alone && env.Status.Stale:
		return "the node is behind, nothing is sent now"
	case p.Shown.Readable() != nil:
		return "what it approves cannot be read now"
	case !env.Unlocked():
		return "the wallet is locked"
	case !p.ask.Alone && UnknownTwin(env, p.Shown) != "":
		return UnknownTwin(env, p.Shown)
	case len(p.Shown.SignsWith) == 0 && p.Shown.Outcome != txbuild.Writes: // a file is for others to sign
		return "no key in this wallet can sign this"
	case p.raw:
		return "v goes back to the review"
	}
	return p.unread(env)
}

// unread returns what must still be read or typed; empty if nothing must.
func (p *Page) unread(env screen.Env) string {
	switch {
	case p.nextCheck() != nil:
		return "type the " + p.nextCheck().what + " first"
	case !p.wasRead(env):
		return "scroll to the last line first"
	case !p.Ready(env):
		return "read it first"
	}
	return ""
}

// UnknownTwin returns, in words, the payment that is the same as one that is reviewed and has an unknown outcome; empty if there is none.
func UnknownTwin(env screen.Env, reviewed txbuild.Review) string {
	for _, sent := range env.Payments {
		if sent.Review.Same(reviewed) && sent.State == payment.Unknown {
			return nameOf(sent) + " of " + env.Times().ClockOn(sent.Prepared) + " has an unknown outcome, " +
				progress.Certain(env, sent)
		}
	}
	return ""
}

// nameOf returns what a payment is called that another repeats.
func nameOf(sent payment.Payment) string {
	if len(sent.Review.Messages) > 0 {
		return "the same message"
	}
	return "the same payment"
}

// differences returns the rows of a review that an earlier one does not have. What became of the payment that it repeats does not count.
func differences(env screen.Env, was, now txbuild.Review) (out []Row) {
	was.Again, was.Agreed, now.Again, now.Agreed = false, nil, false, nil
	if was.Repeats != nil && now.Repeats != nil {
		was.Repeats = now.Repeats
	}
	rows := func(r txbuild.Review) []Row {
		p, s := Page{Shown: r}, sheet{w: unbroken, spoken: true}
		p.fill(env, &s)
		return s.rows
	}
	before := rows(was)
	for _, r := range rows(now) {
		if !slices.ContainsFunc(before, func(b Row) bool { return b.Label == r.Label && b.Line.String() == r.Line.String() }) {
			out = append(out, r)
		}
	}
	return out
}

// whyAgain returns why a person who agreed is asked again.
func whyAgain(v txbuild.Review) string {
	const unsigned = " Nothing is signed yet."
	switch {
	case v.Agreed == nil:
		return "You agreed to this; its warnings have changed since." + unsigned
	case v.Agreed.Intent() == v.Intent():
		return "You agreed to this before something about it changed." + unsigned
	}
	return "You agreed to: " + v.Agreed.Intent() + ". Now it is: " + v.Intent() + "." + unsigned
}

// sinceOpened shows what changed since the review was opened, or that the person is asked again.
func (s *sheet) sinceOpened(env screen.Env, v txbuild.Review, first *txbuild.Review) {
	if v.Again || first != nil {
		s.gap()
	}
	if v.Again {
		s.put("Again", canvas.Bold(theme.Warn, theme.SignCareful+" "+format.Clean(whyAgain(v))))
	}
	if first == nil && v.Agreed != nil && v.Agreed.Intent() == v.Intent() { // what is different about it does not show in its sentence
		first = v.Agreed
	}
	if first == nil {
		return
	}
	for i, r := range differences(env, *first, v) {
		row := canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "+r.Label+": "), r.Line)
		if strings.HasPrefix(r.Line.String(), theme.SignCareful) {
			row = r.Line
		}
		s.put([]string{"New", ""}[min(i, 1)], row)
	}
}
