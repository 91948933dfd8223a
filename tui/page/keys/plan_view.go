package keys

import (
	"billfold/tui/format"
	"billfold/tui/layout"
	"billfold/tui/screen"
	"billfold/tui/theme"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/panel"
	"billfold/walletcore/ledgerview"
)

// drawPlan draws who may sign now, who may then, and what that means.
func (m *Model) drawPlan(env screen.Env, a canvas.Area) {
	p := layout.CompareScreen(a.W, a.H, env.Class)
	at := func(r layout.Rect) canvas.Area { return a.Sub(r.X, r.Y, r.W, r.H) }
	for i, r := range []layout.Rect{p.Now, p.Then} {
		if !p.Single || m.plan.focus == i {
			m.drawSide(env, at(r), i)
		}
	}
	drawMeaning(m, env, at(p.Meaning))
}

// drawSide draws one of the two trees.
func (m *Model) drawSide(env screen.Env, a canvas.Area, id int) {
	plan := &m.plan
	side := plan.side(id)
	account := side.tree.lookup(plan.change.id)
	title := canvas.Join(canvas.Text([]string{"Now", "Then"}[id]), canvas.Text(" · "),
		format.Account(ledgerview.AccountRef{ID: account.ID, Name: account.Name}))
	p := panel.Panel{ID: id, Focus: plan.focus == id, Title: title, Foot: "t what if · tab " + []string{"then", "now"}[id]}
	in := p.Draw(env, a)
	side.drawParties(p, in, &plan.cursors[id], plan.parties(id))
}

// drawMeaning draws in sentences what the change means.
func drawMeaning(m *Model, env screen.Env, a canvas.Area) {
	in := panel.Panel{ID: -1, Title: canvas.Text("What it comes to"), Foot: "↵ review · nothing is signed yet"}.Draw(env, a)
	y := 0
	for _, l := range m.plan.meaning(env) {
		if lines := l.Wrap(in.W - 4); y+len(lines) <= in.H { // whole, or not at all
			y = panel.Put(in, y, l)
		}
	}
}

// meaning returns what the change means, the worst first.
func (p *plan) meaning(env screen.Env) (out []canvas.Line) {
	put := func(l canvas.Line) { out = append(out, l) }
	if why := p.change.Impossible(); why != "" {
		put(canvas.Join(canvas.Bold(theme.Danger, theme.SignFailed+" "), canvas.Text(why+".")))
	}
	for _, text := range p.change.Warnings(env) {
		put(canvas.In(theme.Warn, theme.SignCareful+" "+text))
	}
	then, warnings := p.change.Then.Verdict(p.change.id)
	put(canvas.Text("Then: " + withoutPrefix(then)))
	for _, l := range warnings {
		put(l)
	}
	now, _ := p.change.Now.Verdict(p.change.id)
	put(canvas.In(theme.Muted, "Now: "+withoutPrefix(now)))
	return out
}

// withoutPrefix returns a sentence without its first part up to the colon.
func withoutPrefix(verdict string) string {
	for i := range verdict {
		if verdict[i] == ':' {
			return verdict[i+2:]
		}
	}
	return verdict
}
