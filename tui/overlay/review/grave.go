package review

import (
	"fmt"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// control warns first of what matters more than any amount: who may act from then on, and what is approved unread.
func (s *sheet) control(v build.Review) {
	for _, c := range v.Control {
		what := canvas.Join(canvas.Text(theme.SignCareful+" changes the "+c.Role+" authority of "), format.Account(c.Account))
		if c.Role == build.MemoRole {
			what = canvas.Join(canvas.Text(theme.SignCareful+" changes the memo key of "), format.Account(c.Account))
			s.put("Careful", canvas.Bold(theme.Danger,
				what.String()+"; the new one is not in this wallet, which could not read memos any more"))
			continue
		}
		if c.Role == build.WithdrawRole {
			s.put("Careful", canvas.Bold(theme.Danger, theme.SignCareful+" lets somebody withdraw from "+format.Account(c.Account).String()+
				" in each period, unasked"))
			continue
		}
		if c.Here && c.Others {
			s.put("Careful", canvas.Bold(theme.Danger, what.String()+"; OTHERS could act without the keys in this wallet"))
			continue
		}
		if c.Here {
			suffice := canvas.Text("; the keys in this wallet suffice for the new one")
			s.put("Careful", canvas.Join(canvas.Bold(theme.Warn, what.String()), suffice))
			continue
		}
		s.put("Careful", canvas.Bold(theme.Danger, what.String()+"; the keys in this wallet do NOT suffice for the new one"))
	}
	for _, id := range v.Unread {
		s.put("Careful", canvas.Bold(theme.Danger, theme.SignCareful+" approves "+id.String()+", and what it would do cannot be read now"))
	}
}

// approves shows what approved proposals would do, as if it were signed here: several operations the gravest first.
func (s *sheet) approves(env screen.Env, v build.Review) {
	s.gap()
	s.put("Approves", canvas.Bold(theme.Text, format.Clean(v.Operation)))
	s.control(v)
	was := s.approved
	s.approved = true
	for _, i := range build.Gravest(v.Each) {
		s.put("", canvas.In(theme.Muted, fmt.Sprintf("%d of %d  %s", i+1, len(v.Each), format.Clean(v.Each[i].Operation))))
		one := sheet{w: s.w, brief: true, other: true}
		one.describe(env, v.Each[i])
		s.rows = append(s.rows, one.rows...)
	}
	if len(v.Each) > 0 {
		s.recipients(v)
		s.takes(v)
	} else {
		s.describe(env, v)
	}
	s.changes(v)
	s.repeats(env, v)
	s.approved = was
	if v.Approves != nil {
		s.approves(env, *v.Approves)
	}
}

// describe shows operations: who pays whom how much, or what they do.
func (s *sheet) describe(env screen.Env, v build.Review) {
	if v.Pays() {
		s.payment(env, v)
	} else {
		s.effect(v)
	}
}
