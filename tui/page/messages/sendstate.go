package messages

import (
	"context"
	"sync/atomic"

	"billfold/tui/screen"
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

// track returns a built message that records its sending, so that it leaves the box and is not kept as a draft. draft is the number of its
// draft; 0: it has none.
func (s *sendState) track(built screen.Built, number int64) screen.Built {
	return screen.Around(built, func(ctx context.Context, send func(context.Context) (payment.Payment, error)) (payment.Payment, error) {
		s.Store(statusSending)
		paid, err := send(draft.Spent(ctx, number))
		if payment.MayHaveBeenSent(paid, err) {
			s.Store(statusSent)
		} else {
			s.Store(statusUnsigned)
		}
		return paid, err
	})
}
