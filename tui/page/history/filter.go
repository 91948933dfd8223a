package history

import (
	"billfold/tui/widget/field"
	"billfold/walletcore/history"
	words "billfold/walletcore/history/filter"
	"billfold/walletcore/historyindex"
)

// filter is the line above the table and what it means. Rows are of the words that
// were understood last; while others are asked about, both are known.
type filter struct {
	text    field.Field
	words   string              // that the rows match
	is      historyindex.Filter // what the words say, up to the edge
	asking  string              // that the open question is about
	memos   history.MemoSearch  // how far memos were searched for the words
	sums    []history.Sum       // what the matching rows move
	mistake *words.Mistake
	wrong   string // the text that the mistake is in
}

// looking reports whether rows for other words are awaited.
func (f *filter) looking() bool { return f.asking != f.words }

// mistaken notes what is not understood in what was asked; the rows stay.
func (f *filter) mistaken(m *words.Mistake) {
	f.mistake, f.wrong, f.asking = m, f.asking, f.words
}

// understood ends a mistake that is no more in the text.
func (f *filter) understood(words string) {
	if f.mistake != nil && f.asking == words && f.text.Value() == words {
		f.mistake = nil
	}
}

// mistaking reports whether the mistake is in the text that stands there.
func (f *filter) mistaking() bool { return f.mistake != nil && f.wrong == f.text.Value() }

// nearest is the text with the nearest word where the mistake is.
func (f *filter) nearest() (text string, ok bool) {
	if !f.mistaking() || f.mistake.Nearest == "" {
		return "", false
	}
	return f.wrong[:f.mistake.From] + f.mistake.Nearest + f.wrong[f.mistake.To:], true
}
