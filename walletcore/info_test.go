package walletcore

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

func TestRelativeTime(t *testing.T) {
	const minute, hour, day = 60, 3600, 86400
	for _, c := range []struct {
		ago  int64
		want string
	}{
		{0, "0 second old"}, {1, "1 second old"}, {2, "2 seconds old"}, {89, "89 seconds old"}, {90, "2 minutes old"},
		{-1, "1 second in the future"}, {-40 * minute, "40 minutes in the future"},
		{89 * minute, "89 minutes old"}, {90 * minute, "2 hours old"}, {89 * hour, "89 hours old"}, {90 * hour, "4 days old"},
		{89 * day, "89 days old"}, {90 * day, "13 weeks old"}, {480 * day, "69 weeks old"}, {700 * day, "1 year11 months old"},
	} {
		now := int64(1_700_000_000)
		if got := relativeTime(ledger.Time(now-c.ago), ledger.Time(now), " old"); got != c.want {
			t.Errorf("%d s: %q, want %q", c.ago, got, c.want)
		}
	}
}

func TestParticipation(t *testing.T) {
	for slots, want := range map[string]string{
		"0": "0.00000000000000000", "1": "0.78125000000000000", "3": "1.56250000000000000", "": "0.00000000000000000",
		"340282366920938463463374607431768211455": "100.00000000000000000", "not a number": "0.00000000000000000",
		"18446744073709551615": "50.00000000000000000",
	} {
		if got := participation(slots); got != want {
			t.Errorf("%q: %s, want %s", slots, got, want)
		}
	}
}

func TestInfoSumsUpTheChain(t *testing.T) {
	s := open(t)
	block := s.mine()
	info, err := s.wallet.Info(s.ctx)
	must(t, err)
	if info.HeadBlockID != block || info.HeadBlockNum != block.Num() || info.ChainID != s.box.ChainID() || len(info.ActiveMiners) != 4 {
		t.Errorf("info is %+v", info)
	}
	if !strings.HasSuffix(info.NextMaintenanceTime, " in the future") || !strings.HasSuffix(info.HeadBlockAge, " old") && !strings.HasSuffix(info.HeadBlockAge, " in the future") {
		t.Errorf("the times read %q and %q", info.HeadBlockAge, info.NextMaintenanceTime)
	}
	about, err := s.wallet.About(s.ctx, Versions{Version: "test"})
	if err != nil || !json.Valid(about.DaemonInfo) || about.WalletInfo.Version != "test" {
		t.Errorf("about is %+v, %v", about, err)
	}
}

func TestReadsPassThrough(t *testing.T) {
	s := open(t, "alice")
	for name, read := range map[string]func() (any, error){
		"get_block":           func() (any, error) { return s.wallet.Block(s.ctx, 1) },
		"no block yet":        func() (any, error) { return s.wallet.Block(s.ctx, 1000) },
		"get_object":          func() (any, error) { return s.wallet.Objects(s.ctx, []ledger.ObjectID{ledger.NewObjectID(1, 2, 900)}) },
		"get_global":          func() (any, error) { return s.wallet.GlobalProperties(s.ctx) },
		"get_dynamic_global":  func() (any, error) { return s.wallet.DynamicGlobalProperties(s.ctx) },
		"list_accounts":       func() (any, error) { return s.wallet.ListAccounts(s.ctx, "", 10) },
		"list_assets":         func() (any, error) { return s.wallet.ListAssets(s.ctx, "", 10) },
		"list_my_accounts":    func() (any, error) { return s.wallet.MyAccounts(s.ctx) },
		"accounts by prefix":  func() (any, error) { return s.wallet.FindAccounts(s.ctx, "bob", 10) },
		"account by its name": func() (any, error) { return s.wallet.AccountByName(s.ctx, "bobby") },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read()
			must(t, err)
			if raw, ok := got.(json.RawMessage); ok && !json.Valid(raw) {
				t.Errorf("it is no JSON: %s", raw)
			}
		})
	}
	if found, err := s.wallet.FindAccounts(s.ctx, "bob", 10); err != nil || len(found) != 2 {
		t.Errorf("bob… are %v, %v", found, err)
	}
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.wallet.Block(ended, 1)
	refused(t, err, fault.Canceled)
	_, err = s.wallet.ListAccounts(s.ctx, "", 1001)
	refused(t, err, fault.LimitExceeded)
}
