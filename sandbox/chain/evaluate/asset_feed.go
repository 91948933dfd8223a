package evaluate

import (
	"cmp"
	"slices"

	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

func validateFeed(op *ledger.AssetPublishFeedOp) *nodeerr.Error {
	rate := op.Feed.CoreExchangeRate
	if rate.Valid() != nil || rate.Base.AssetID != op.AssetID {
		return invalid("feed.is_for( asset_id ): the rate must be from ${a} to another asset, with amounts above zero",
			nodeerr.Data{"a": op.AssetID})
	}
	return nil
}

// evaluateFeed lets the members of 1.2.0's active authority publish: these are the
// active miners with votes.
func evaluateFeed(e *Engine, op *ledger.AssetPublishFeedOp) *nodeerr.Error {
	if _, fault := findMonitored(e, op.AssetID); fault != nil {
		return fault
	}
	if !slices.Contains(members(&e.Accounts.Get(ledger.MinerAccount).Active), op.Publisher) {
		return refuse("d.get(GRAPHENE_MINER_ACCOUNT).active.account_auths.count(o.publisher): ${p} is not an active miner with votes",
			nodeerr.Data{"p": op.Publisher})
	}
	if op.Feed.CoreExchangeRate.Quote.AssetID != ledger.CoreAsset {
		return refuse("core_exchange_rate.quote.asset_id == asset_id_type(): the rate must be to DCT", nil)
	}
	return nil
}

func applyFeed(e *Engine, op *ledger.AssetPublishFeedOp) (ledger.OperationResult, *nodeerr.Error) {
	now := e.HeadTime()
	changeFeeds(e, op.AssetID, func(m *ledger.MonitoredAssetOptions) {
		entry := ledger.FeedEntry{Publisher: op.Publisher, Feed: ledger.DatedFeed{Time: now, Feed: op.Feed}}
		at, had := slices.BinarySearchFunc(m.Feeds, op.Publisher, func(e ledger.FeedEntry, id ledger.AccountID) int {
			return cmp.Compare(e.Publisher, id)
		})
		m.Feeds = slices.Clone(m.Feeds)
		if had {
			m.Feeds[at] = entry
		} else {
			m.Feeds = slices.Insert(m.Feeds, at, entry)
		}
	})
	return voidResult(), nil
}

// changeFeeds changes the feeds of an asset and recalculates its current feed.
func changeFeeds(e *Engine, id ledger.AssetID, edit func(*ledger.MonitoredAssetOptions)) {
	now := e.HeadTime()
	e.Assets.Change(id, func(a *ledger.Asset) {
		m := *a.MonitoredAssetOpts
		edit(&m)
		m.CurrentFeed, m.CurrentFeedPublicationTime = medianFeed(&m, now)
		a.MonitoredAssetOpts = &m
	})
}

// medianFeed returns the median of the feeds that are not outdated, and the time of
// the oldest of them. If there are too few, it returns no feed and now.
func medianFeed(m *ledger.MonitoredAssetOptions, now ledger.Time) (ledger.PriceFeed, ledger.Time) {
	oldest := now
	var live []ledger.PriceFeed
	for _, e := range m.Feeds {
		if e.Feed.Time != 0 && int64(now)-int64(e.Feed.Time) < int64(m.FeedLifetimeSec) {
			live = append(live, e.Feed.Feed)
			oldest = min(oldest, e.Feed.Time)
		}
	}
	if len(live) == 0 || len(live) < int(m.MinimumFeeds) {
		return ledger.PriceFeed{}, now
	}
	slices.SortStableFunc(live, func(a, b ledger.PriceFeed) int {
		order, _ := a.CoreExchangeRate.Compare(b.CoreExchangeRate) // all are from the asset to DCT
		return order
	})
	return live[len(live)/2], oldest
}

// ExpireFeeds recalculates the current feed of each asset whose oldest used feed is
// outdated.
func ExpireFeeds(e *Engine) {
	now := e.HeadTime()
	for id, a := range e.Assets.All() {
		m := a.MonitoredAssetOpts
		if m != nil && uint64(m.CurrentFeedPublicationTime)+uint64(m.FeedLifetimeSec) <= uint64(now) {
			changeFeeds(e, id, func(*ledger.MonitoredAssetOptions) {})
		}
	}
}
