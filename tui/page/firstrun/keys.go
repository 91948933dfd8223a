package firstrun

import (
	"slices"
	"strings"
	"time"

	"billfold/tui/action"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/canvas"
	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// Places returns the page's keys.
func Places() []action.Place {
	return append(phrasePlaces(), []action.Place{
		{ID: "firstrun", Title: "First page", Modal: true, Actions: []action.Action{
			{ID: "up", Keys: []string{"up", "k"}, Show: "↑↓", Word: "choose", Help: "choose how to start", Group: "↑↓|choose how to start", Hint: 1},
			{ID: "down", Keys: []string{"down", "j"}, Help: "choose how to start", Group: "↑↓|choose how to start"},
			{ID: "firstrun.1", Keys: []string{"1"}, Word: "create", Help: "create a new wallet", Hint: 6},
			{ID: "firstrun.2", Keys: []string{"2"}, Word: "wallet.json", Hint: 7, Help: "open a wallet.json"},
			{ID: "firstrun.3", Keys: []string{"3"}, Word: "key", Help: "import a private key"},
			{ID: "firstrun.4", Keys: []string{"4"}, Word: "phrase", Help: "restore from a recovery phrase"},
			{ID: "firstrun.5", Keys: []string{"5"}, Word: "watch", Help: "watch an account"},
			{ID: "firstrun.6", Keys: []string{"6"}, Word: "sandbox", Help: "try the sandbox"},
			{ID: "firstrun.7", Keys: []string{"7"}, Word: "node", Help: "choose the node that answers for the ledger"},
			{ID: "enter", Keys: []string{"enter"}, Word: "continue", Help: "continue with the row in focus", Hint: 2},
			{ID: "esc", Keys: []string{"esc"}, Help: "one step back", Typing: true},
			{ID: "help", Keys: []string{"?"}, Help: "this help"},
			{ID: doTheme, Keys: []string{"t"}, Word: "theme", Help: "the next theme: dark, light, contrast, mono", Hint: 4},
			{ID: doLinear, Keys: []string{"v"}, Word: "lines", Help: "the same as a conversation in lines (linear mode), as for screen readers", Hint: 5},
			{ID: "copy", Keys: []string{"y"}, Word: "copy", Help: "copy what the last step shows", Hint: 8},
			{ID: "quit", Keys: []string{"q"}, Word: "quit", Help: "quit", Hint: 3},
		}},
		{ID: busyPlace, Title: "First page, an answer that is being checked", Modal: true, Actions: []action.Action{
			{ID: "esc", Keys: []string{"esc"}, Word: "stop", Help: "stop checking; the answer stays", Hint: 3, Typing: true},
		}},
		{ID: "firstrun.type", Title: "First page, typing", Modal: true, Actions: []action.Action{
			{ID: "enter", Keys: []string{"enter"}, Word: "continue", Help: "next step", Hint: 1, Typing: true},
			{ID: "esc", Keys: []string{"esc"}, Word: "one step back", Help: "one step back; nothing is written", Hint: 2, Typing: true},
			{ID: "next", Keys: []string{"tab"}, Word: "complete", Help: "complete the path of a file", Hint: 3, Typing: true},
			{ID: "firstrun.show", Keys: []string{"ctrl+t"}, Help: "show, hide what is typed", Typing: true},
		}},
	}...)
}

const (
	doTheme  action.ID = "firstrun.theme"
	doLinear action.ID = "firstrun.linear"
)

// busyPlace is the place of the keys while an answer is being verified: no key is text then, and only its own work.
const busyPlace = "firstrun.busy"

// showFor is the time for which a shown secret stays readable after the last key.
const showFor = 10 * time.Second

// entry is the field of a step.
type entry struct {
	field.Field
	shownUntil time.Time // until when a secret stays readable
}

func (s step) entry() entry {
	return entry{Field: field.Field{Secret: s.secret, Words: s.words, Limit: 4096}}
}

// typeKey types a key. A shown secret hides some time after the last key, not in the middle of a phrase.
func (e *entry) typeKey(now time.Time, k tea.KeyMsg) {
	if e.Key(k); !e.Secret {
		e.shownUntil = now.Add(showFor)
	}
}

// toggleSecret shows a secret or hides it again; a private key is never shown.
func (e *entry) toggleSecret(now time.Time, s step) {
	if e.Unveil(); s.secret && !s.key {
		e.Secret, e.Open, e.shownUntil = !e.Secret, e.Secret, now.Add(showFor)
	}
}

// hideExpired hides a secret that was shown long enough.
func (e *entry) hideExpired(now time.Time, s step) {
	if now.After(e.shownUntil) {
		e.Secret, e.Open = s.secret, false
	}
}

// leadsToSecret reports whether the answer of a step is readable and a later step asks for a secret.
func (p path) leadsToSecret(at int) bool {
	return !p.steps[at].secret && slices.ContainsFunc(p.steps[at+1:], func(s step) bool { return s.secret })
}

// Off implements screen.Limiter.
func (m *Model) Off(env screen.Env, do action.ID) string {
	number, pick := strings.CutPrefix(string(do), "firstrun.")
	switch {
	case do == "next":
		if m.path == nil || !m.path.steps[m.step].path {
			return "nothing to complete"
		}
		return ""
	case do == doTheme || do == doLinear:
		if m.path != nil || m.report.lines != nil || do == doLinear && !m.fresh {
			return "only on the first page"
		}
		return ""
	case do == "copy" && len(m.report.values) == 0:
		return "there is nothing to copy"
	case do == "quit", do == "help", do == "firstrun.show", do == "copy":
		return ""
	case m.busy() && (do != "esc" || m.finishing()):
		return "Billfold is still working"
	case do == "phrase.new" && m.phrase.keys != nil:
		return "these are the keys of the account"
	case m.report.lines != nil && (do == "up" || do == "down"):
		if m.report.scrolls(env) {
			return ""
		}
		return "all of it is on screen"
	case m.report.lines != nil && pick:
		return "the choice is made; esc goes back"
	case m.path != nil && (pick || do == "up" || do == "down"):
		return "the choice is made; esc goes back"
	case pick && !slices.ContainsFunc(m.offers(), func(p path) bool { return p.key == number }):
		return "not available here"
	}
	return ""
}

// complete completes the path that is typed, and shows the names that fit where there are several.
func (m *Model) complete(env screen.Env) tea.Cmd {
	if m.path == nil || m.Off(env, "next") != "" {
		return nil
	}
	text, names := screen.Complete(m.input.Value())
	m.input.Set(text)
	switch shown := strings.Join(names, "  "); {
	case len(names) == 0:
		m.fault = "Nothing there begins so."
	case len(names) > 1:
		m.names = canvas.Cut(format.Clean(shown), namesW)
	}
	return nil
}

// namesW is the width in cells of the names that fit a path.
const namesW = 200
