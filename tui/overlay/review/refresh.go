package review

import (
	"cmp"

	"billfold/tui/screen"
)

// Refresh returns the page for a newer review of the same operations. It shows what changed, and its key waits again until the page
// has stood still. What was typed and read still counts unless something became graver. same reports that nothing on the page changed.
func (p *Page) Refresh(env screen.Env, now screen.Reread) (page Page, same bool) {
	page = *p
	if page.Shown = now.Review; len(differences(env, p.Shown, now.Review)) == 0 {
		return page, true
	}
	if now.HasNewWarnings {
		page = New(env, now.Review, p.ask)
	}
	was := p.Shown
	page.since, page.first = env.Now, cmp.Or(p.first, &was)
	if now.HasNewWarnings {
		page.seen = false // the new warnings were not
		page.noteRead(env)
	}
	return page, false
}
