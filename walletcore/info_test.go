package walletcore

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

func TestInfoSumsUpTheChain(t *testing.T) {
	s := open(t)
	block := s.mine()
	info, err := s.wallet.View.Chain.Info(s.ctx)
	must(t, err)
	if info.HeadBlockID != block || info.HeadBlockNum != block.Num() || info.ChainID != s.box.ChainID() || len(info.ActiveMiners) != 4 {
		t.Errorf("info is %+v", info)
	}
	if !strings.HasSuffix(info.NextMaintenanceTime, " in the future") ||
		!strings.HasSuffix(info.HeadBlockAge, " old") && !strings.HasSuffix(info.HeadBlockAge, " in the future") {
		t.Errorf("the times read %q and %q", info.HeadBlockAge, info.NextMaintenanceTime)
	}
	about, err := s.wallet.View.Chain.About(s.ctx, ledgerview.Versions{Version: "test"})
	if err != nil || !json.Valid(about.DaemonInfo) || about.WalletInfo.Version != "test" {
		t.Errorf("about is %+v, %v", about, err)
	}
}

func TestReadsPassThrough(t *testing.T) {
	s := open(t, "alice")
	for name, read := range map[string]func() (any, error){
		"get_block":    func() (any, error) { return s.wallet.View.Objects.Block(s.ctx, 1) },
		"no block yet": func() (any, error) { return s.wallet.View.Objects.Block(s.ctx, 1000) },
		"get_object": func() (any, error) {
			return s.wallet.View.Objects.Get(s.ctx, []ledger.ObjectID{ledger.NewObjectID(1, 2, 900)})
		},
		"get_global":          func() (any, error) { return s.wallet.View.Objects.GlobalProperties(s.ctx) },
		"get_dynamic_global":  func() (any, error) { return s.wallet.View.Objects.DynamicGlobalProperties(s.ctx) },
		"list_accounts":       func() (any, error) { return s.wallet.View.Accounts.List(s.ctx, "", 10) },
		"list_assets":         func() (any, error) { return s.wallet.View.Assets.List(s.ctx, "", 10) },
		"list_my_accounts":    func() (any, error) { return s.wallet.Own.Raw(s.ctx) },
		"accounts by prefix":  func() (any, error) { return s.wallet.View.Accounts.Find(s.ctx, "bob", 10) },
		"account by its name": func() (any, error) { return s.wallet.View.Accounts.Named(s.ctx, "bobby") },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := read()
			must(t, err)
			if raw, ok := got.(json.RawMessage); ok && !json.Valid(raw) {
				t.Errorf("it is no JSON: %s", raw)
			}
		})
	}
	if found, err := s.wallet.View.Accounts.Find(s.ctx, "bob", 10); err != nil || len(found) != 2 {
		t.Errorf("bob… are %v, %v", found, err)
	}
	ended, cancel := context.WithCancel(s.ctx)
	cancel()
	_, err := s.wallet.View.Objects.Block(ended, 1)
	refused(t, err, fault.Canceled)
	_, err = s.wallet.View.Accounts.List(s.ctx, "", 1001)
	refused(t, err, fault.LimitExceeded)
}
