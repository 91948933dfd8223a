package payment_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/payment"
	"billfold/walletcore/testwallet"
	"billfold/walletcore/txbuild"
)

// beside returns the folder of another wallet with the same keys, on the same ledger, with a store of its own.
func (p *place) beside() *place {
	p.t.Helper()
	other := &place{t: p.t, dir: testwallet.Folder(p.t), box: p.box, now: p.now, url: p.url}
	s := other.sit()
	testwallet.Must(p.t, s.Vault.Create(s.Ctx, testwallet.Password))
	s.ImportKey("alice", testwallet.Key("alice"))
	s.end()
	return other
}

// pass lets so much time pass on the ledger that nothing signed before the wallets were started can come into a block: until then,
// what another wallet with the same keys pays looks like a payment that a restored journal lacks.
func (p *place) pass(wallets ...*sitting) {
	p.t.Helper()
	for _, s := range wallets {
		s.Until("the journal is compared", s.Payments.Compared)
	}
	for range 2 * txbuild.TransactionLife / 5 {
		_, err := p.box.Mine()
		testwallet.Must(p.t, err)
	}
}

// mineSteadily makes blocks until stop is called.
func (p *place) mineSteadily(every time.Duration) (stop func()) {
	quit, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-time.After(every):
				_, err := p.box.Mine()
				if err != nil {
					p.t.Error(err)
				}
			case <-quit:
				return
			}
		}
	}()
	stop = sync.OnceFunc(func() { close(quit); <-done })
	p.t.Cleanup(stop)
	return stop
}

// over waits until the outcome of a payment is final.
func (s *sitting) over(idOrKey string) payment.Info {
	s.T.Helper()
	var last payment.Info
	s.Until("the end of "+idOrKey, func() bool {
		info, err := s.Payments.Get(s.Ctx, idOrKey)
		testwallet.Must(s.T, err)
		last = info
		return slices.Contains([]string{"irreversible", "rejected", "expired"}, info.State)
	})
	return last
}

// plain pays 1 DCT to bobby without a memo, which would differ each time.
func (s *sitting) plain(key string) (*txbuild.Signed, error) {
	return s.Transfer(testwallet.OneDCT(), payment.Sending{Broadcast: true, Key: key})
}

// payAlike has each wallet pay the same at once, again and again, and compares what they were told with the ledger. The first block is made
// once all have signed: of one head block a wallet makes fewer transactions of the same meaning than it pays here, so all of them make the same.
func payAlike(t *testing.T, p *place, wallets ...*sitting) {
	const each = 12
	p.pass(wallets...)
	var all sync.WaitGroup
	var mu sync.Mutex
	made := map[ledger.TransactionID]string{}
	paid := 0
	for w, s := range wallets {
		for n := range each {
			all.Go(func() {
				time.Sleep(rand.N(3 * time.Millisecond))
				key := fmt.Sprint("order ", w, "-", n)
				signed, err := s.plain(key)
				if signed == nil && err == nil {
					t.Errorf("%s: nothing is answered", key)
				}
				info := s.over(key)
				mu.Lock()
				defer mu.Unlock()
				if info.State != "irreversible" {
					t.Logf("%s is %s: %s", key, info.State, info.Reason)
					return
				}
				paid++
				if other := made[info.TransactionID]; other != "" {
					t.Errorf("%s and %s are one transaction, and both are told that it is theirs", key, other)
				}
				made[info.TransactionID] = key
			})
		}
	}
	for w, s := range wallets {
		for n := range each {
			for _, err := s.Payments.Get(s.Ctx, fmt.Sprint("order ", w, "-", n)); err != nil && s.Ctx.Err() == nil; {
				time.Sleep(time.Millisecond)
				_, err = s.Payments.Get(s.Ctx, fmt.Sprint("order ", w, "-", n))
			}
		}
	}
	stop := p.mineSteadily(40 * time.Millisecond)
	all.Wait()
	stop()
	t.Logf("%d of %d are told irreversible", paid, each*len(wallets))
	wallets[0].bobbyGot(t, int64(paid))
	if paid < each {
		t.Errorf("only %d came through", paid)
	}
}

// Two wallets with the same keys and a store each pay the same to the same account in the same second. What they are told
// is irreversible is what the ledger has.
func TestTwoStoresPayTheSameAtOnce(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	other := p.beside()
	payAlike(t, p, p.sit(), other.sit())
}

// alike returns the same transaction as two wallets make it, each with signatures of its own.
func alike(t *testing.T, one, other *sitting) (first, second *payment.Entry) {
	t.Helper()
	made := one.Prepare(testwallet.OneDCT())
	signed, err := one.Build.Sign(one.Ctx, made)
	testwallet.Must(t, err)
	again := *signed
	testwallet.Must(t, other.Vault.Sign(&again.SignedTransaction, []ledger.PublicKey{testwallet.Key("alice").Public()}))
	if again.Signatures[0] == signed.Signatures[0] {
		t.Fatal("the same transaction has the same signature twice")
	}
	first, second = one.Payments.EntryOf(signed, made.Review(), "one"), other.Payments.EntryOf(&again, made.Review(), "other")
	if first.ID != second.ID {
		t.Fatal("they are two transactions")
	}
	return first, second
}

// The very same transaction of two wallets is one of them: the wallet whose signatures the block holds.
func TestTheSameTransactionOfAnotherWalletIsNotOurs(t *testing.T) {
	for name, play := range map[string]func(t *testing.T, p, q *place, one, other *sitting){
		"the node calls the first sending a duplicate": func(t *testing.T, p, q *place, one, other *sitting) {
			first, second := alike(t, one, other)
			_, err := one.Payments.SendEntry(one.Ctx, first)
			testwallet.Must(t, err)
			stop := p.mineSteadily(400 * time.Millisecond)
			defer stop()
			if _, err := other.Payments.SendEntry(other.Ctx, second); !payment.IsMadeElsewhere(err) {
				t.Errorf("it ends with %v", err)
			}
			if _, err := other.Payments.Get(other.Ctx, "other"); fault.CodeOf(err) != fault.NoSuchPayment {
				t.Errorf("its request key is not free: %v", err)
			}
		},
		"it is in a block before it is sent": func(t *testing.T, p, q *place, one, other *sitting) {
			first, second := alike(t, one, other)
			_, err := one.Payments.SendEntry(one.Ctx, first)
			testwallet.Must(t, err)
			for range 2 { // once the second is read, the first is recorded
				head := one.Mine()
				other.Until("the other wallet has read the block", func() bool { return other.Payments.HasRead(head.Num()) })
			}
			stop := p.mineSteadily(400 * time.Millisecond)
			defer stop()
			if _, err := other.Payments.SendEntry(other.Ctx, second); !payment.IsMadeElsewhere(err) {
				t.Errorf("it ends with %v", err)
			}
		},
		"the first sending breaks": func(t *testing.T, p, q *place, one, other *sitting) {
			first, second := alike(t, one, other)
			_, err := one.Payments.SendEntry(one.Ctx, first)
			testwallet.Must(t, err)
			testwallet.Must(t, other.Payments.WriteEntry(other.Ctx, second))
			other.end()
			again := q.sit() // it does not know whether the bytes left
			one.mineUntil(first.ID, payment.Irreversible)
			if info := again.over("other"); info.State != "rejected" || info.TransactionID != second.ID {
				t.Errorf("it is told %+v", info)
			}
			_, err = again.plain("other")
			if e := faulttest.Refused(t, err, fault.MadeElsewhere); e.RequestKey != fault.KeyNew {
				t.Errorf("the next key is %q", e.RequestKey)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			q := p.beside()
			one, other := p.sit(), q.sit()
			p.pass(one, other)
			play(t, p, q, one, other)
			for range 30 {
				one.Mine()
			}
			one.bobbyGot(t, 1)
		})
	}
}

// What is only signed differs each time, within the bounds of the expiration.
func TestWhatIsOnlySignedDiffers(t *testing.T) {
	p := newPlace(t)
	s := p.sit()
	seen, expirations := map[ledger.TransactionID]bool{}, map[ledger.Time]bool{}
	for range 12 {
		signed, err := s.Transfer(testwallet.OneDCT(), payment.Sending{})
		testwallet.Must(t, err)
		seen[signed.TransactionID], expirations[signed.Expiration] = true, true
	}
	if len(seen) != 12 || len(expirations) != 12 {
		t.Errorf("12 transactions have %d ids and %d expirations", len(seen), len(expirations))
	}
}
