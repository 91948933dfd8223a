package ledgerview_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/fault/faulttest"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/testwallet"
)

func TestInfoSumsUpTheChain(t *testing.T) {
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
