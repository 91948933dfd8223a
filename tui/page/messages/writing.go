package messages

import (
	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/field"
	"billfold/tui/widget/textbox"
	"billfold/walletcore/ledgerview"
)

// textLimit is how many bytes a message may have.
const textLimit = 2048

// Problem returns what is wrong with the text of a message; empty if it is fine.
func Problem(text string) string {
	if len(text) > textLimit {
		return "longer than " + format.Count(textLimit) + " bytes"
	}
	return field.InvalidCharacter(text)
}

// writing is the message that is being written.
type writing struct {
	box    *textbox.Box
	plain  bool
	live   bool   // the box has the keyboard
	open   bool   // the box is shown, even while it is empty
	fault  string // why it was not built
	state  *sendState
	draft  int64 // see unsent
	saved  string
	unsent unsentMessages // messages of other conversations
}

func newWriting() writing {
	return writing{box: textbox.New(textLimit), state: new(sendState), unsent: newUnsentMessages()}
}

// reset empties the box, for another conversation.
func (w *writing) reset() {
	w.box.Set("")
	*w = writing{box: w.box, unsent: w.unsent, state: new(sendState)}
}

// content returns what the review of the message is built from.
func (w *writing) content() string { return content(w.box.Value(), w.plain) }

// stash keeps the message in the box before another conversation is shown.
func (w *writing) stash(own ledger.AccountID, with ledgerview.AccountRef) {
	at := pair{own, with.ID}
	switch {
	case at.with == 0 || at.own == 0:
	case w.box.Value() == "" && w.draft == 0:
		delete(w.unsent.byPair, at)
	default:
		w.unsent.byPair[at] = unsent{with, w.box.Value(), w.plain, w.draft, w.saved, w.state}
	}
}

// unstash puts the unsent message of a conversation back into the box.
func (w *writing) unstash(own ledger.AccountID, with ledgerview.AccountRef) {
	if u, is := w.unsent.byPair[pair{own, with.ID}]; is && !u.empty() {
		w.box.Set(u.text)
		w.plain, w.draft, w.saved, w.state = u.plain, u.draft, u.saved, u.state
	}
}

// clearSent empties the box once its message was sent.
func (w *writing) clearSent() {
	if w.state.is(statusSent) {
		w.box.Set("")
		w.plain, w.fault, w.state, w.draft, w.saved = false, "", new(sendState), 0, ""
	}
}
