package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/evaluate"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func monitoredAsset(symbol string) *ledger.AssetCreateOp {
	return &ledger.AssetCreateOp{
		Issuer: nathanID, Symbol: symbol, Precision: 2, Description: "fed", IsExchangeable: true,
		Options:            ledger.AssetOptions{IsExchangeable: true, CoreExchangeRate: rate(1, 1, 0)},
		MonitoredAssetOpts: &ledger.MonitoredAssetOptions{FeedLifetimeSec: 3600, MinimumFeeds: 2},
	}
}

func feed(by ledger.AccountID, cents, core int64) *ledger.AssetPublishFeedOp {
	return &ledger.AssetPublishFeedOp{Publisher: by, AssetID: 1, Feed: ledger.PriceFeed{
		CoreExchangeRate: ledger.Price{Base: amount(cents, 1), Quote: amount(core, 0)},
	}}
}

// monitor makes the monitored asset 1.3.1 as only the miners can: in a proposal
// of 1.2.0 that they approve and that waits for its review.
func (b *bank) monitor() {
	b.t.Helper()
	b.elect()
	review := uint32(1209600)
	id := b.propose(1209600+100, &review, monitoredAsset("EURX"))
	b.must(b.push([]ledger.PrivateKey{b.nathan, b.init}, approve(nathanID, id, init0ID, init1ID)))
	b.mine()
	if b.proposalOf(id) == nil {
		b.t.Fatal("the proposal did not wait for its review")
	}
	b.mineAt(b.now() + 1209600 + 100)
	if a, _ := b.asset(1); a == nil || b.proposalOf(id) != nil {
		b.t.Fatal("the asset was not made at the expiration")
	}
}

func TestMonitoredAssetIsWorthTheMedianOfItsFeeds(t *testing.T) {
	b := newBank(t)
	b.monitor()
	b.by(b.nathan, pay(nathanID, init0ID, 1_0000_0000), pay(nathanID, init1ID, 1_0000_0000))
	b.refused(b.push([]ledger.PrivateKey{b.nathan}, feed(nathanID, 1, 1)), nodeerr.CodeAssert,
		"d.get(GRAPHENE_MINER_ACCOUNT).active.account_auths.count(o.publisher)")
	b.refused(b.push([]ledger.PrivateKey{b.init}, &ledger.AssetPublishFeedOp{Publisher: init0ID, AssetID: 1}), nodeerr.CodeValidate,
		"feed.is_for( asset_id )")
	worth := func() (core int64) {
		b.c.View(func(s *state.State) {
			if got, fault := evaluate.InCore(s, amount(100, 1)); fault == nil {
				core = got.Amount
			}
		})
		return core
	}
	b.by(b.init, feed(init0ID, 100, 3000))
	if a, _ := b.asset(1); a.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate.Valid() == nil {
		t.Error("one feed is enough, though two are wanted")
	}
	b.by(b.init, feed(init1ID, 100, 1000))
	b.mine()
	if got := worth(); got != 1000 { // of two the one with more of the asset per DCT
		t.Errorf("100 are worth %d, want 1000", got)
	}
	first := b.now()
	b.mineAt(first + 1800)
	b.by(b.init, feed(init0ID, 100, 2000))
	b.c.View(func(s *state.State) {
		if feeds := s.Assets.FeedsBy(init0ID, 100); len(feeds) != 1 || feeds[0].Time != first+1800 {
			t.Errorf("the feeds of init0 are %v", feeds)
		}
	})
	b.mineAt(first + 3600)
	if a, _ := b.asset(1); a.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate.Valid() == nil || worth() != 0 {
		t.Error("an outdated feed still counts")
	}
}

func TestMonitoredAssetCannotBeHandledAsAUserIssuedOne(t *testing.T) {
	b := newBank(t)
	b.monitor()
	nathan := []ledger.PrivateKey{b.nathan}
	b.refuses(t, []refusal{
		{"issue", nathan, &ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(1, 1), IssueToAccount: nathanID}, nodeerr.CodeAssert,
			""},
		{"reserve", nathan, &ledger.AssetReserveOp{Payer: nathanID, AmountToReserve: amount(1, 1)}, nodeerr.CodeReserveMonitored, ""},
		{"claim", nathan, &ledger.AssetClaimFeesOp{Issuer: nathanID, UIAAsset: amount(1, 1)}, nodeerr.CodeAssert,
			"!uia_ao.is_monitored_asset()"},
		{"fund", nathan, &ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(1, 1)}, nodeerr.CodeAssert,
			"!uia_o.is_monitored_asset()"},
		{"fee", nathan, &ledger.TransferOp{Fee: amount(50_001, 1), From: nathanID, To: init0ID.Object(), Amount: amount(1, 0)},
			nodeerr.CodeAssert,
			"core_fee_paid <= core_pool"},
	})
	b.by(b.nathan, &ledger.UpdateMonitoredAssetOp{Issuer: nathanID, AssetToUpdate: 1, NewMinimumFeeds: 7, NewDescription: "euro"})
	if a, _ := b.asset(1); a.MonitoredAssetOpts.MinimumFeeds != 7 || a.MonitoredAssetOpts.FeedLifetimeSec != 3600 ||
		a.Description != "euro" {
		t.Errorf("the asset is %+v", a)
	}
}
