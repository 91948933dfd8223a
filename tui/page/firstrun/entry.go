package firstrun

import (
	"slices"
	"time"

	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// stoppedPlace is where no key is text, and none but its own does anything: an answer is looked up, or was not taken.
const stoppedPlace = "firstrun.stopped"

// showFor is how long a shown password stays readable.
const showFor = 10 * time.Second

// entry is the field of a step.
type entry struct {
	field.Field
	shown   time.Time // until when a secret is readable
	stopped bool      // the answer was not taken, and is not changed before a person says so
}

func (s step) entry() entry {
	return entry{Field: field.Field{Secret: s.secret, Words: s.words, Limit: 4096}}
}

// press takes a key. A shown secret hides behind the last one, not in the middle of a phrase.
func (e *entry) press(now time.Time, k tea.KeyMsg) {
	if e.Key(k); !e.Secret {
		e.shown = now.Add(showFor)
	}
}

// show shows a secret, or hides it again; never a private key.
func (e *entry) show(now time.Time, s step) {
	if s.secret && !s.key {
		e.Secret, e.shown = !e.Secret, now.Add(showFor)
	}
}

// tick hides what was shown long enough.
func (e *entry) tick(now time.Time, s step) {
	if now.After(e.shown) {
		e.Secret = s.secret
	}
}

// leadsToSecret reports whether an answer stands in clear, and a secret is asked for later.
func (p path) leadsToSecret(at int) bool {
	return !p.steps[at].secret && slices.ContainsFunc(p.steps[at+1:], func(s step) bool { return s.secret })
}
