package messages

import (
	"maps"
	"strings"

	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/widget/field"
	"billfold/tui/widget/textbox"
	"billfold/walletcore/ledgerview"
)

// textLimit is the maximum length of a message in bytes.
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

// pair identifies a conversation: an own account, and the one it writes to.
type pair struct{ own, with ledger.AccountID }

// unsent is a message that was typed and not sent.
type unsent struct {
	to    ledgerview.AccountRef
	text  string
	plain bool
	draft int64  // number of its draft on disk; 0: it has none
	saved string // the content of that draft
	state *sendState
}

// content returns what its review is built from.
func (u unsent) content() string { return content(u.text, u.plain) }

// content returns the text of a message with a mark of whether it is plain, to be compared.
func content(text string, plain bool) string {
	if plain {
		return "plain " + text
	}
	return text
}

// empty reports whether there is nothing left to send.
func (u unsent) empty() bool { return strings.TrimSpace(u.text) == "" || u.state.is(statusSent) }

// unsentMessages are the messages of all accounts that were typed and not sent, except the one in the box.
type unsentMessages struct {
	byPair       map[pair]unsent
	accountsRead map[ledger.AccountID]bool // whose drafts were read
}

func newUnsentMessages() unsentMessages {
	return unsentMessages{map[pair]unsent{}, map[ledger.AccountID]bool{}}
}

func (u unsentMessages) clone() unsentMessages {
	return unsentMessages{maps.Clone(u.byPair), maps.Clone(u.accountsRead)}
}
