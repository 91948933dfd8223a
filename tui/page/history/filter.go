package history

import (
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
)

// filter is the line above the table and its meaning. The rows match the text that
// was last understood; another one may be pending.
type filter struct {
	text      field.Field
	applied   string              // the text that the rows match
	parsed    historyindex.Filter // what that text means, up to the edge
	pending   string              // the text that the open question is about
	memos     history.MemoSearch  // how far memos were searched for it
	sums      []history.Sum       // what the matching rows move
	mistake   *words.Mistake
	mistakeIn string // the text that the mistake is in
}

// isPending reports whether rows for another text are awaited.
func (f *filter) isPending() bool { return f.pending != f.applied }

// reject records the mistake in the pending text; the rows stay.
func (f *filter) reject(m *words.Mistake) {
	f.mistake, f.mistakeIn, f.pending = m, f.pending, f.applied
}

// clearMistake drops the mistake if the text in the field was understood.
func (f *filter) clearMistake(words string) {
	if f.mistake != nil && f.pending == words && f.text.Value() == words {
		f.mistake = nil
	}
}

// hasMistake reports whether the text in the field has a mistake.
func (f *filter) hasMistake() bool { return f.mistake != nil && f.mistakeIn == f.text.Value() }

// corrected returns the text with the nearest known word in place of the mistake.
func (f *filter) corrected() (text string, ok bool) {
	if !f.hasMistake() || f.mistake.Nearest == "" {
		return "", false
	}
	return f.mistakeIn[:f.mistake.From] + f.mistake.Nearest + f.mistakeIn[f.mistake.To:], true
}
