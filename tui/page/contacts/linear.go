package contacts

import (
	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/vault"
)

// Changed returns a warning of what changed about a contact since it was saved, nil if nothing did.
func Changed(times format.Times, c contact.Contact, s contact.Status) canvas.Line {
	k := readings{statuses: map[ledger.AccountID]contact.Status{c.ID: s}}
	return k.changeLine(times, c)
}

// NoteText returns the text of a note, or why it cannot be read; nil if there is none.
func NoteText(text string, state vault.MemoState) canvas.Line { return noteText(note{text, state}) }
