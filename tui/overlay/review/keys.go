package review

import (
	"math"
	"slices"

	"billfold/tui/action"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/txbuild"

	tea "github.com/charmbracelet/bubbletea"
)

// New returns the page for the review of what was built.
func New(env screen.Env, shown txbuild.Review, ask Prompt) Page {
	p := Page{Shown: shown, Built: env.Now, ask: ask, since: env.Now}
	p.checks = confirmations(env, shown)
	if ask.Named {
		p.checks = p.checks[len(controlChecks(shown)):]
	}
	if ask.Chosen {
		p.checks = slices.DeleteFunc(p.checks, func(c check) bool { return c.why == newSignerWhy || c.why == newCosignerWhy })
	}
	if ask.Typed != "" {
		p.checks = []check{exactCheck("word "+ask.Typed, "it cannot be undone", ask.Typed)}
	}
	p.noteRead(env)
	return p
}

// Text types into the next confirmation.
func (p *Page) Text(env screen.Env, k tea.KeyMsg) tea.Cmd {
	c := p.nextCheck()
	if c == nil || !p.Ready(env) && c.text.Empty() && c == &p.checks[0] {
		return nil // typed before the page could be read
	}
	if k.Paste { // typing shows that it was read
		return screen.Request(screen.Toast{Line: canvas.Text("Type it; pasting is not enough")})
	}
	if c.text.Key(k) && c.match(c.text.Value()) {
		c.done, p.since = true, env.Now
		return p.Wake()
	}
	return nil
}

// Keys returns the keys of a page besides its capital key and esc; typing means that letters go into a confirmation.
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
		{ID: "first", Keys: []string{"home", "g"}, Show: "g", Help: "to the first line"},
		{ID: "last", Keys: []string{"end", "G"}, Show: "G", Help: "to the last line"},
		{ID: "next", Keys: []string{"tab"}, Help: "to the next field to type", Typing: true},
		{ID: "help", Keys: []string{"?"}, Help: "this help"},
	}
}

// Do performs one of the actions of Keys.
func (p *Page) Do(env screen.Env, id action.ID) tea.Cmd {
	switch id {
	case "review.raw":
		if p.ask.Action != "" { // there is no operation
			return nil
		}
		p.raw, p.top, p.since = !p.raw, 0, env.Now
		return p.Wake()
	case "next", "prev":
		p.onButtons = !p.onButtons
	case "clear":
		if c := p.nextCheck(); c != nil {
			c.text.Set("")
		}
	case "first":
		p.scroll(env, -math.MaxInt16)
	case "last":
		p.scroll(env, math.MaxInt16)
	case "up", "pgup":
		p.scroll(env, -1)
	case "down", "pgdn":
		p.scroll(env, 1)
	}
	return nil
}
