package messages

import (
	"context"
	"sync/atomic"

	"billfold/tui/screen"
	"billfold/walletcore/build"
	"billfold/walletcore/draft"
	"billfold/walletcore/payment"
)

// sendState is whether a message was sent. The page, the one before a lock and what sends the message share it.
type sendState struct{ atomic.Int32 }

const (
	statusUnsigned int32 = iota
	statusSending        // it is being signed and sent; the outcome is not known yet
	statusSent           // it was sent, or it may have been
)

func (s *sendState) is(what int32) bool { return s.Load() == what }

// tracked is a built message that records its sending, so that it leaves the box and is not kept as a draft.
type tracked struct {
	screen.Built
	state *sendState
	draft int64 // number of its draft; 0: it has none
}

// Rereview implements screen.Rereader.
func (t tracked) Rereview(ctx context.Context) (build.Review, error) {
	if r, is := t.Built.(screen.Rereader); is {
		return r.Rereview(ctx)
	}
	return t.Review(), nil
}

// Rebuild implements screen.Rereader.
func (t tracked) Rebuild(ctx context.Context) (screen.Built, error) {
	r, is := t.Built.(screen.Rereader)
	if !is {
		return t, nil
	}
	rebuilt, err := r.Rebuild(ctx)
	if u, is := rebuilt.(screen.Unsigned); is || err != nil {
		return u, err
	}
	t.Built = rebuilt
	return t, nil
}

// Send implements screen.Built.
func (t tracked) Send(ctx context.Context) (payment.Payment, error) {
	t.state.Store(statusSending)
	paid, err := t.Built.Send(draft.Spent(ctx, t.draft))
	if !payment.OnItsWay(paid, err) {
		t.state.Store(statusUnsigned)
		return paid, err
	}
	t.state.Store(statusSent)
	return paid, err
}
