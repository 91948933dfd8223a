package contacts

import (
	"billfold/ledger"
	"billfold/tui/widget/canvas"
	"billfold/walletcore/contact"
	"billfold/walletcore/vault"
)

// Changed returns what changed of a contact since it was saved; nil where nothing did.
func Changed(c contact.Contact, s contact.Status) canvas.Line {
	k := known{statuses: map[ledger.AccountID]contact.Status{c.ID: s}}
	return k.changeLine(c)
}

// NoteText is a note in words; nil where there is none.
func NoteText(text string, state vault.MemoState) canvas.Line { return noteText(note{text, state}) }
