package payment_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
)

// Who locks the wallet after a yes and before the signature wants none: opening it again completes nothing.
func TestALockAfterAYesEndsIt(t *testing.T) {
	s, relay, clock := testwallet.OpenBehindRelay(t)
	asked := false
	var lockAndUnlock func()
	arm := func() { // what is read before the signature is read anew
		clock.Forward(time.Minute)
		relay.Set(func(r *testwallet.Relay) { r.Seen = func(string) { lockAndUnlock() } })
	}
	ways := map[string]func() error{
		"sent": func() error {
			made := s.Prepare(testwallet.OneDCT())
			arm()
			_, err := s.Payments.Send(s.Ctx, made)
			return err
		},
		"approved": func() error {
			_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Approve: func(context.Context, build.Review) error {
				arm()
				return nil
			}})
			return err
		},
	}
	for name, send := range ways {
		asked, lockAndUnlock = false, sync.OnceFunc(func() {
			asked = true
			s.Vault.Lock()
			testwallet.Must(t, s.Vault.Unlock(s.Ctx, testwallet.Password))
		})
		if err := send(); fault.CodeOf(err) != fault.Locked || !asked {
			t.Errorf("%s: %v, asked %v", name, err, asked)
		}
		relay.Set(func(r *testwallet.Relay) { r.Seen = nil })
	}
	if sent := s.Payments.Recent(); len(sent) > 0 {
		t.Errorf("%d payments were made", len(sent))
	}
	s.Pay("alice", "bobby", "1", "")
}
