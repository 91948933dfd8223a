package firstrun

import (
	"slices"
	"time"

	"billfold/tui/widget/field"

	tea "github.com/charmbracelet/bubbletea"
)

// busyPlace is the place of the keys while an answer is being verified: no key is text then, and only its own work.
const busyPlace = "firstrun.busy"

// showFor is how long a shown secret stays readable after the last key.
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
		e.Secret, e.shownUntil = !e.Secret, now.Add(showFor)
	}
}

// hideExpired hides a secret that was shown long enough.
func (e *entry) hideExpired(now time.Time, s step) {
	if now.After(e.shownUntil) {
		e.Secret = s.secret
	}
}

// leadsToSecret reports whether the answer of a step is readable and a later step asks for a secret.
func (p path) leadsToSecret(at int) bool {
	return !p.steps[at].secret && slices.ContainsFunc(p.steps[at+1:], func(s step) bool { return s.secret })
}
