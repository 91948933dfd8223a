package ledgerview_test

import (
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/testwallet"
	"testing"
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

func TestAccountsAreReadAnewWithEachBlock(t *testing.T) {
	s := testwallet.Open(t, "alice")
	kept := s.Account("bobby")
	if byID, err := s.View.Accounts.Get(s.Ctx, kept.ID.String()); err != nil || byID != kept || s.Account("bobby") != kept {
		t.Errorf("an account that was read is not kept until the next block: %v", err)
	}
	if s.Mine(); s.Account("bobby") == kept {
		t.Error("facts of an earlier block are still used")
	}
}
