package walletcore_test

import (
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/testwallet"
)

func TestBalancesBeginWithDCT(t *testing.T) {
	s := testwallet.Open(t, "alice")
	rows, err := s.View.Assets.Balances(s.Ctx, s.Account("alice").ID)
	testwallet.Must(t, err)
	if len(rows) != 2 || rows[0].Asset.Format(rows[0].Amount) != "12400.00000000 DCT" ||
		rows[1].Asset.Format(rows[1].Amount) != "12.5000 ALX.GOLD" {
		t.Errorf("alice has %+v", rows)
	}
	pretty, err := s.View.PrettyBalances(s.Ctx, "alice")
	if err != nil || len(pretty) != 2 || pretty[0].Pretty != "12400 DCT" || pretty[1].Pretty != "12.5000 ALX.GOLD" {
		t.Errorf("alice has %+v, %v", pretty, err)
	}
	_, err = s.View.PrettyBalances(s.Ctx, "nobody")
	faulttest.Refused(t, err, fault.NoSuchAccount)
}

func TestAccountsAreReadAgainWithEachBlock(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	relay := testwallet.RelayTo(t, box.URL())
	var ahead atomic.Int64 // how far the wallet's clock is ahead
	s := testwallet.On(t, box, relay.URL, func(c *walletcore.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	})
	var kept *ledger.Account
	anew := func(why string) {
		t.Helper()
		now := s.Account("bobby")
		if now == kept {
			t.Errorf("facts are still used after %s", why)
		}
		if byID, err := s.View.Accounts.Get(s.Ctx, now.ID.String()); err != nil || byID != now || s.Account("bobby") != now {
			t.Errorf("after %s an account that was read is not kept until the next block: %v", why, err)
		}
		kept = now
	}
	anew("the start")
	s.Mine()
	anew("a block")
	s.View.Chain.Forget()
	anew("somebody dropped them")
	before := s.Client.Epoch()
	relay.HangUp(false)
	s.Until("another connection", func() bool { return s.Client.Epoch() != before && s.View.Chain.IsOnline() })
	anew("another connection")
	ahead.Store(int64(10 * time.Second))
	anew("ten seconds without a block")
}
