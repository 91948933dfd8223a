package build

import (
	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Subscription implements ledger.Before.
func (b *before) Subscription(subscriber, author ledger.AccountID) *ledger.Terms {
	by := b.Account(author)
	if by == nil {
		return nil
	}
	days := by.Options.SubscriptionPeriod
	until, err := b.view.SubscribedUntil(b.ctx, subscriber, author)
	b.note(err)
	return b.inCore(ledger.Terms{
		Price: by.Options.PricePerSubscribe, Days: days, Closed: !by.Options.AllowSubscription,
		Until: max(b.now, until).After(uint64(days) * 86400),
	})
}

// Content implements ledger.Before.
func (b *before) Content(uri string, region uint32) *ledger.Terms {
	offer, err := b.view.Offer(b.ctx, uri)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return &ledger.Terms{Closed: true}
	}
	if b.note(err); err != nil {
		return nil
	}
	price, sold := offer.Price.In(region)
	by := []ledger.AccountID{offer.Author}
	for _, other := range offer.CoAuthors {
		if other.Account != offer.Author {
			by = append(by, other.Account)
		}
	}
	return b.inCore(ledger.Terms{Price: price, Closed: !sold, By: by})
}

// inCore converts terms whose price is in a monitored asset to DCT at the published price, as the ledger does.
func (b *before) inCore(a ledger.Terms) *ledger.Terms {
	if a.Closed || a.Price.AssetID == ledger.CoreAsset {
		return &a
	}
	asset := b.Asset(a.Price.AssetID)
	if asset == nil || asset.MonitoredAssetOpts == nil {
		return &a
	}
	worth, err := asset.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate.Convert(a.Price)
	if err != nil {
		return nil // the ledger has no price for it either
	}
	a.Price = worth
	return &a
}
