package review

import (
	"cmp"
	"slices"
	"strings"

	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/build"
)

// Anew is the page of the same operations as they are reviewed now: it says what changed, and must stand still again. What was typed
// and seen counts only where nothing became graver. same reports that nothing on it changed.
func (p *Page) Anew(env screen.Env, now build.Review) (page Page, same bool) {
	page = *p
	if page.Shown = now; len(differences(env, p.Shown, now)) == 0 {
		return page, true
	}
	if now.Graver(p.Shown) {
		page = New(env, now, p.ask)
	}
	was := p.Shown
	page.since, page.first = env.Now, cmp.Or(p.first, &was)
	if now.Graver(p.Shown) {
		page.seen = false // with what is new on it
		page.look(env)
	}
	return page, false
}

// differences are the rows of a review that an earlier one has not. Where a payment stands that it repeats is none.
func differences(env screen.Env, was, now build.Review) (out []Row) {
	if was.Repeats != nil && now.Repeats != nil {
		was.Repeats = now.Repeats
	}
	rows := func(r build.Review) []Row {
		p := Page{Shown: r}
		return p.Rows(env)
	}
	before := rows(was)
	for _, r := range rows(now) {
		if !slices.ContainsFunc(before, func(b Row) bool { return b.Label == r.Label && b.Line.String() == r.Line.String() }) {
			out = append(out, r)
		}
	}
	return out
}

// news says what changed since the review was opened, or that it is asked about again.
func (s *sheet) news(env screen.Env, v build.Review, first *build.Review) {
	if v.Again || first != nil {
		s.gap()
	}
	if v.Again {
		s.put("Again", canvas.Bold(theme.Warn, theme.SignCareful+" You agreed to it; what it warns of changed since. Nothing is signed yet."))
	}
	if first == nil {
		return
	}
	for i, r := range differences(env, *first, v) {
		said := canvas.Join(canvas.Bold(theme.Warn, theme.SignCareful+" "+r.Label+": "), r.Line)
		if strings.HasPrefix(r.Line.String(), theme.SignCareful) {
			said = r.Line
		}
		s.put([]string{"New", ""}[min(i, 1)], said)
	}
}
