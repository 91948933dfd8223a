package walletcore_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/sandbox"
	"billfold/walletcore"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

func TestInfoSummarisesTheChain(t *testing.T) {
	s := testwallet.Open(t)
	block := s.Mine()
	info, err := s.View.Chain.Info(s.Ctx)
	testwallet.Must(t, err)
	if info.HeadBlockID != block || info.HeadBlockNum != block.Num() || info.ChainID != s.Box.ChainID() || len(info.ActiveMiners) != 4 {
		t.Errorf("info is %+v", info)
	}
	if !strings.HasSuffix(info.NextMaintenanceTime, " in the future") ||
		!strings.HasSuffix(info.HeadBlockAge, " old") && !strings.HasSuffix(info.HeadBlockAge, " in the future") {
		t.Errorf("the times read %q and %q", info.HeadBlockAge, info.NextMaintenanceTime)
	}
	about, err := s.View.Chain.About(s.Ctx, ledgerview.Versions{Version: "test"})
	if err != nil || !json.Valid(about.DaemonInfo) || about.WalletInfo.Version != "test" {
		t.Errorf("about is %+v, %v", about, err)
	}
}

func TestTimesInInfo(t *testing.T) {
	const minute, hour, day = 60, 3600, 86400
	var now atomic.Int64
	s := testwallet.New(t, func(c *walletcore.Config) { c.Now = func() time.Time { return time.Unix(now.Load(), 0) } })
	head, err := s.View.Chain.HeadTime(s.Ctx)
	testwallet.Must(t, err)
	for _, c := range []struct {
		ago  int64
		want string
	}{
		{0, "0 second old"}, {1, "1 second old"}, {2, "2 seconds old"}, {89, "89 seconds old"}, {90, "2 minutes old"},
		{-1, "1 second in the future"}, {-40 * minute, "40 minutes in the future"},
		{89 * minute, "89 minutes old"}, {90 * minute, "2 hours old"}, {89 * hour, "89 hours old"}, {90 * hour, "4 days old"},
		{89 * day, "89 days old"}, {90 * day, "13 weeks old"}, {480 * day, "69 weeks old"}, {700 * day, "1 year11 months old"},
	} {
		now.Store(int64(head) + c.ago)
		if got, err := s.View.Chain.Info(s.Ctx); err != nil || got.HeadBlockAge != c.want {
			t.Errorf("%d s: %q, want %q (%v)", c.ago, got.HeadBlockAge, c.want, err)
		}
	}
}

func TestParticipation(t *testing.T) {
	box := testwallet.Ledger(t, sandbox.Options{})
	relay := testwallet.RelayTo(t, box.URL())
	s := testwallet.On(t, box, relay.URL, nil)
	filled := regexp.MustCompile(`"recent_slots_filled":"[0-9]*"`)
	for slots, want := range map[string]string{
		"0": "0.00000000000000000", "1": "0.78125000000000000", "3": "1.56250000000000000", "": "0.00000000000000000",
		"340282366920938463463374607431768211455": "100.00000000000000000", "not a number": "0.00000000000000000",
		"18446744073709551615": "50.00000000000000000",
	} {
		var said atomic.Bool
		relay.Set(func(r *testwallet.Relay) {
			r.Swap = func(answer string) string {
				if filled.MatchString(answer) {
					said.Store(true)
				}
				return filled.ReplaceAllString(answer, `"recent_slots_filled":"`+slots+`"`)
			}
		})
		s.View.Chain.Forget()
		if got, err := s.View.Chain.Info(s.Ctx); err != nil || !said.Load() || got.Participation != want {
			t.Errorf("%q: %s, want %s (%v, said %v)", slots, got.Participation, want, err, said.Load())
		}
	}
}

func TestReadsPassThrough(t *testing.T) {
	s := testwallet.Open(t, "alice")
	for name, read := range map[string]func() (any, error){
		"get_block":    func() (any, error) { return s.View.Objects.Block(s.Ctx, 1) },
		"no block yet": func() (any, error) { return s.View.Objects.Block(s.Ctx, 1000) },
		"get_object": func() (any, error) {
			return s.View.Objects.Get(s.Ctx, []ledger.ObjectID{ledger.NewObjectID(1, 2, 900)})
		},
		"get_global":          func() (any, error) { return s.View.Objects.GlobalProperties(s.Ctx) },
		"get_dynamic_global":  func() (any, error) { return s.View.Objects.DynamicGlobalProperties(s.Ctx) },
		"list_accounts":       func() (any, error) { return s.View.Accounts.List(s.Ctx, "", 10) },
		"list_assets":         func() (any, error) { return s.View.Assets.List(s.Ctx, "", 10) },
		"list_my_accounts":    func() (any, error) { return s.Own.Raw(s.Ctx) },
		"accounts by prefix":  func() (any, error) { return s.View.Accounts.Find(s.Ctx, "bob", 10) },
		"account by its name": func() (any, error) { return s.View.Accounts.Named(s.Ctx, "bobby") },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read()
			testwallet.Must(t, err)
			if raw, ok := got.(json.RawMessage); ok && !json.Valid(raw) {
				t.Errorf("it is no JSON: %s", raw)
			}
		})
	}
	if found, err := s.View.Accounts.Find(s.Ctx, "bob", 10); err != nil || len(found) != 2 {
		t.Errorf("bob… are %v, %v", found, err)
	}
	ended, cancel := context.WithCancel(s.Ctx)
	cancel()
	_, err := s.View.Objects.Block(ended, 1)
	faulttest.Refused(t, err, fault.Canceled)
	_, err = s.View.Accounts.List(s.Ctx, "", 1001)
	faulttest.Refused(t, err, fault.LimitExceeded)
}
