package payment_test

import (
	"context"
	"testing"
	"time"

	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// Whoever agrees is asked again where the same was paid while they read: nothing is signed under a warning that nobody saw.
func TestWhoAgreesIsAskedAgainWhenItsWarningsChange(t *testing.T) {
	s, _, clock := testwallet.OpenBehindRelay(t)
	asked := 0
	signed, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Approve: func(_ context.Context, r txbuild.Review) error {
		switch asked++; {
		case asked == 1 && (r.Again || r.Repeats != nil):
			t.Errorf("asked first: %+v", r)
		case asked == 1:
			_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true})
			testwallet.Must(t, err)
			clock.Forward(3 * time.Second)
		case !r.Again || r.Repeats == nil:
			t.Errorf("asked again without the warning: %+v", r)
		default:
			clock.Forward(3 * time.Second)
		}
		return nil
	}})
	if testwallet.Must(t, err); asked != 2 || signed == nil {
		t.Errorf("asked %d times", asked)
	}
}
