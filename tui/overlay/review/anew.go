package review

import (
	"cmp"

	"billfold/tui/screen"
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
