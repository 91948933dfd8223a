package payment_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"billfold/walletcore/fault"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
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
			_, err := s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Approve: func(context.Context, txbuild.Review) error {
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

// A locked wallet answers the request of a payment that was made, as far as that takes no keys, and says so where it does. It makes none.
func TestALockedWalletAnswersWhatWasPaid(t *testing.T) {
	t.Parallel()
	s := newPlace(t).sit()
	paid, err := s.plain("k1")
	testwallet.Must(t, err)
	secret, err := s.keyed("k2", nil)
	testwallet.Must(t, err)
	s.mineUntil(secret.TransactionID, payment.Irreversible)
	s.Vault.Lock()
	if again, err := s.plain("k1"); err != nil || again.TransactionID != paid.TransactionID {
		t.Errorf("it answers with %+v, %v", again, err)
	}
	for key, change := range map[string]func(*txbuild.TransferParams){
		"k1": func(r *txbuild.TransferParams) { r.Amount, r.Memo = "2", "" },
		"k2": nil,
		"k3": nil,
	} {
		_, err := s.keyed(key, change)
		e, is := errors.AsType[*fault.Error](err)
		switch {
		case !is || !fault.NothingSpent(err) || e.Code != fault.Locked && e.Code != fault.RequestKey:
			t.Errorf("%s: %v", key, err)
		case (key == "k3") == strings.Contains(e.Error(), "get_payment "+key):
			t.Errorf("%s: it says %q", key, e)
		case key == "k1" && e.RequestKey != fault.KeyTaken || key != "k1" && e.RequestKey != fault.KeySame:
			t.Errorf("%s: the key may be used again: %s", key, e.RequestKey)
		}
	}
	if n := len(s.Payments.Recent()); n != 2 {
		t.Errorf("%d payments were made", n)
	}
}
