package messages

import (
	"context"
	"sync/atomic"

	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
	"billfold/walletcore/payment"
)

// fate is what became of a message since its review was opened; its pages and what sends it share it.
type fate struct{ atomic.Int32 }

const (
	unsigned int32 = iota
	leaving        // it is being signed and sent: nobody knows yet
	onItsWay       // it was sent, or it may have been
)

func (f *fate) is(what int32) bool { return f.Load() == what }

// tracked is a message that remembers that it was sent, so that it does not stand in the box any more, nor is kept.
type tracked struct {
	screen.Built
	sent  *fate
	draft int64 // under which it is kept; 0: it is not
}

// Again implements screen.Rereader.
func (t tracked) Again(ctx context.Context) (build.Review, error) {
	if r, is := t.Built.(screen.Rereader); is {
		return r.Again(ctx)
	}
	return t.Review(), nil
}

// Anew implements screen.Rereader.
func (t tracked) Anew(ctx context.Context) (screen.Built, error) {
	r, is := t.Built.(screen.Rereader)
	if !is {
		return t, nil
	}
	anew, err := r.Anew(ctx)
	if u, is := anew.(screen.Unsigned); is || err != nil {
		return u, err
	}
	t.Built = anew
	return t, nil
}

// Send implements screen.Built.
func (t tracked) Send(ctx context.Context) (payment.Payment, error) {
	t.sent.Store(leaving)
	paid, err := t.Built.Send(draft.Spent(ctx, t.draft))
	if !payment.OnItsWay(paid, err) {
		t.sent.Store(unsigned)
		return paid, err
	}
	t.sent.Store(onItsWay)
	return paid, err
}
