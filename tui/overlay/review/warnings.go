package review

import (
	"fmt"
	"slices"
	"strings"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/txbuild"
)

// warnings shows first what matters more than any amount: who may act from then on, a phrase that can be guessed, and proposals that
// are approved unread. If approved proposals are judged together with the rest of the transaction, they show the warnings of both.
func (s *sheet) warnings(v txbuild.Review) {
	if !judgedTogether(v) {
		s.powers(v)
	}
	if v.Guessable != "" {
		what := theme.SignCareful + " the phrase can be guessed, and whoever guesses it has the account"
		s.put("Careful", canvas.Bold(theme.Danger, what))
		s.put("", canvas.Text(v.Guessable))
	}
	for _, id := range v.Unread {
		unread := " approves " + id.String() + ", and what it would do cannot be read now: it is not signed"
		s.put("Careful", canvas.Bold(theme.Danger, theme.SignCareful+unread))
	}
}

// powers warns of who may act from then on, of other grave effects, and of what the operations do more than once.
func (s *sheet) powers(v txbuild.Review) {
	for _, c := range v.Control {
		what, harmless := consequence(c)
		line := canvas.Bold(theme.Danger, theme.SignCareful+" "+what)
		if harmless != "" {
			line = canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "+what), canvas.Text(harmless))
		}
		s.put("Careful", line)
	}
	for _, e := range v.Effects {
		if e.Careful != "" && !(e.Approved && v.Approves != nil) {
			s.put("Careful", canvas.Bold(theme.Danger, theme.SignCareful+" "+format.Clean(e.Careful)))
		}
	}
	for _, twin := range v.Twins() {
		s.put("Careful", canvas.Bold(theme.Danger, theme.SignCareful+" more than once in it: "+format.Clean(twin)))
	}
}

// Gravest returns the first warning of a review, or what approved proposals would do, in one line; nil if there is neither.
func Gravest(v txbuild.Review) canvas.Line {
	var s sheet
	if s.warnings(v); len(s.rows) > 0 {
		return s.rows[0].Line
	}
	if v.Approves == nil {
		return nil
	}
	if grave := Gravest(*v.Approves); grave != nil {
		return grave
	}
	first := *v.Approves
	if len(first.Each) > 0 {
		first = first.Each[txbuild.Gravest(first.Each)[0]]
	}
	return canvas.Join(canvas.Text("would do: "), Summary(first))
}

// Summary returns what the operations of a review do in one line, worded as not done yet.
func Summary(v txbuild.Review) canvas.Line {
	if !v.Pays() && len(v.Intents) > 0 {
		return canvas.Text(format.Clean(strings.Join(v.Intents, "; ")))
	}
	return format.Summary(format.Money{}, v)
}

// stillOwner is the part of a warning that names what the owner keys can still do after a change of the active authority.
const stillOwner = "the owner keys here can still do everything alone, and change this"

// consequence returns what follows from a change of who may act. If the wallet loses nothing by it, the last part is in harmless.
func consequence(c txbuild.Control) (what, harmless string) {
	account := format.Account(c.Account).String()
	what = "changes the " + c.Role + " authority of " + account
	if c.Rests {
		what = "changes who acts for " + account + " too, whose " + c.Role + " authority rests on what is changed"
	}
	switch {
	case c.Role == txbuild.MemoRole:
		return "sets a memo key of " + account + " that is not in this wallet: memos to it could not be read here", ""
	case c.Role == txbuild.WithdrawRole:
		return "lets somebody withdraw from " + account + " in each period without asking", ""
	case c.Anybody:
		return what + "; ANYBODY could act, without any signature", ""
	case !c.Here && c.NoOwner:
		return what + "; the keys in this wallet do NOT suffice for the new one; whether they do as owner is not known here", ""
	case !c.Here:
		return what + "; the keys in this wallet do NOT suffice for the new one" + through(c), ""
	case c.Others && c.ByOwner:
		return what + "; OTHERS could act without the keys in this wallet" + through(c) + "; " + stillOwner, ""
	case c.Others:
		return what + "; OTHERS could act without the keys in this wallet" + through(c), ""
	case c.ByOwner:
		return what, "; " + stillOwner
	case c.Fresh && c.FreshAlone:
		return what, "; the keys in this wallet suffice for the new one, which has a key or an account that it did not have, and " +
			"whoever holds that can act alone, too"
	case c.Fresh:
		return what, "; the keys in this wallet suffice for the new one, which has a key or an account that it did not have, and " +
			"whoever holds that can act only together with others"
	}
	return what, "; the keys in this wallet suffice for the new one"
}

// through names the accounts in the new authority for which others can act.
func through(c txbuild.Control) string {
	if len(c.Through) == 0 {
		return ""
	}
	names := make([]string, len(c.Through))
	for i, a := range c.Through {
		names[i] = format.Account(a).String()
	}
	return "; others can act for " + strings.Join(names, ", ")
}

// approves shows what the proposals that by approves would do, as if it were signed here; of several operations the gravest come first.
func (s *sheet) approves(env screen.Env, by txbuild.Review) {
	v := *by.Approves
	s.gap()
	if v.Together {
		s.put("Approves", canvas.Bold(theme.Warn, theme.SignCareful+" and does more: judged together, "+format.Clean(v.Operation)))
	} else {
		s.put("Approves", canvas.Bold(theme.Text, format.Clean(v.Operation)))
	}
	s.checkedBy(v)
	s.warnings(v)
	was := s.approved
	s.approved = true
	if !v.Together {
		s.besides = append(slices.Clip(s.besides), by.Outgoing...)
	}
	for _, i := range txbuild.Gravest(v.Each) {
		which := "proposed  "
		if len(v.Each) > 1 {
			which = fmt.Sprintf("%d of %d  ", i+1, len(v.Each))
		}
		s.put("", canvas.In(theme.Muted, which+format.Clean(v.Each[i].Operation)))
		one := sheet{w: s.w, part: true, other: true}
		one.describe(env, v.Each[i])
		one.contents(v.Each[i])
		s.rows = append(s.rows, one.rows...)
	}
	if len(v.Each) > 0 {
		s.recipients(env, v)
		s.outgoing(v)
	} else {
		s.describe(env, v)
		s.contents(v)
	}
	s.recipientChanges(env, v)
	s.repeats(env, v)
	s.approved = was
	if v.Approves != nil {
		s.approves(env, v)
	}
}

// checkedBy shows how many nodes agree on what a proposal holds.
func (s *sheet) checkedBy(v txbuild.Review) {
	if v.SaidBy > 1 {
		s.put("Checked by", canvas.In(theme.Muted, fmt.Sprintf("%d nodes: all of them say that the proposal holds this", v.SaidBy)))
		return
	}
	s.put("Checked by", canvas.Bold(theme.Warn, theme.SignCareful+" one node alone: if it lies, something else is approved"))
}

// describe shows the operations: who pays whom how much, or what they do.
func (s *sheet) describe(env screen.Env, v txbuild.Review) {
	if v.Pays() {
		s.payment(env, v)
	} else {
		s.effect(env, v)
	}
}
