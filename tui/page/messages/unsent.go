package messages

import (
	"billfold/tui/format"
	"billfold/tui/screen"
)

// Resume implements screen.Resumer: a message that was written and not sent stands in the box of its conversation
// again, and so does for whom a new one is.
func (m *Model) Resume(was screen.Screen) {
	before, is := was.(*Model)
	if is {
		m.form.Resume(before.form)
	}
	if !is || before.writing.box.Empty() || before.writing.sent.Load() {
		return
	}
	m.account, m.with, m.focus = before.account, before.with, panelTalk
	m.writing.box.Set(before.writing.box.Value())
	m.writing.plain = before.writing.plain // it opens with the wallet
}

// Unsaved says what of a page is lost when the program ends; empty is nothing.
func Unsaved(m *Model) string {
	if m.writing.box.Empty() || m.writing.sent.Load() {
		return ""
	}
	return "A message to " + format.Name(m.with).String() + " is written and not sent; quitting drops it."
}
