package messages

import (
	"context"
	"sync/atomic"

	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/tui/widget/field"
	"billfold/tui/widget/textbox"
	"billfold/walletcore/payment"
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
	sent  *atomic.Bool
}

func newWriting() writing { return writing{box: textbox.New(textLimit), sent: new(atomic.Bool)} }

// leave empties the box: another conversation is shown.
func (w *writing) leave() {
	w.box.Set("")
	w.plain, w.live, w.open, w.fault = false, false, false, ""
	w.sent = new(atomic.Bool)
}

// typed is what its review is made of.
func (w *writing) typed() string {
	if w.plain {
		return "plain " + w.box.Value()
	}
	return w.box.Value()
}

// settle empties the box once its message was sent.
func (w *writing) settle() {
	if w.sent.Load() {
		w.box.Set("")
		w.plain, w.fault, w.sent = false, "", new(atomic.Bool)
	}
}

// tracked is a message that remembers that it was sent, so that it does not stand in the box any more.
type tracked struct {
	screen.Built
	sent *atomic.Bool
}

// Send implements screen.Built.
func (t tracked) Send(ctx context.Context) (payment.Payment, error) {
	paid, err := t.Built.Send(ctx)
	if err == nil {
		t.sent.Store(true)
	}
	return paid, err
}
