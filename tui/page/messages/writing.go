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

// Problem is what is wrong with a message; empty is good.
func Problem(text string) string {
	if len(text) > textLimit {
		return "longer than " + format.Count(textLimit) + " bytes"
	}
	return field.Strange(text)
}

// writing is the message that is being written.
type writing struct {
	box   *textbox.Box
	plain bool
	live  bool   // the box has the keyboard
	open  bool   // it is shown, even where nothing was written yet
	fault string // why it was not built
	sent  *fate
	draft int64 // see unsent
	kept  string
	begun begun // what stood in the box before
}

func newWriting() writing {
	return writing{box: textbox.New(textLimit), sent: new(fate), begun: newBegun()}
}

// leave empties the box: another conversation is shown.
func (w *writing) leave() {
	w.box.Set("")
	*w = writing{box: w.box, begun: w.begun, sent: new(fate)}
}

// typed is what its review is made of.
func (w *writing) typed() string { return typed(w.box.Value(), w.plain) }

// stash notes what stands in the box, whose conversation is left.
func (w *writing) stash(own ledger.AccountID, with ledgerview.AccountRef) {
	at := pair{own, with.ID}
	switch {
	case at.with == 0 || at.own == 0:
	case w.box.Value() == "" && w.draft == 0:
		delete(w.begun.texts, at)
	default:
		w.begun.texts[at] = unsent{with, w.box.Value(), w.plain, w.draft, w.kept, w.sent}
	}
}

// unstash puts what was begun for a conversation back into the box.
func (w *writing) unstash(own ledger.AccountID, with ledgerview.AccountRef) {
	if u, is := w.begun.texts[pair{own, with.ID}]; is && !u.empty() {
		w.box.Set(u.text)
		w.plain, w.draft, w.kept, w.sent = u.plain, u.draft, u.kept, u.sent
	}
}

// settle empties the box once its message was sent.
func (w *writing) settle() {
	if w.sent.is(onItsWay) {
		w.box.Set("")
		w.plain, w.fault, w.sent, w.draft, w.kept = false, "", new(fate), 0, ""
	}
}
