package build

import (
	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/walletcore/fault"
)

// mostSubscriptions is how many of a subscriber's a node lists at once.
const mostSubscriptions = 100

// Subscription implements ledger.Before.
func (b *before) Subscription(subscriber, author ledger.AccountID) *ledger.Asked {
	by := b.Account(author)
	if by == nil {
		return nil
	}
	_, now, _ := b.view.Chain.Position()
	days := by.Options.SubscriptionPeriod
	return b.inCore(ledger.Asked{
		Price: by.Options.PricePerSubscribe, Days: days, Closed: !by.Options.AllowSubscription,
		Until: max(now, b.subscribed(subscriber, author)).After(uint64(days) * 86400),
	})
}

// subscribed is until when one account is subscribed to another; 0 where it is not.
func (b *before) subscribed(subscriber, author ledger.AccountID) ledger.Time {
	rows, err := b.view.Subscriptions.By(b.ctx, subscriber.String(), true, mostSubscriptions)
	b.note(err)
	for _, row := range rows {
		var is ledger.Subscription
		if err := codec.Unmarshal(row, &is); err != nil {
			b.note(err)
		} else if is.To == author {
			return is.Expiration
		}
	}
	return 0
}

// Content implements ledger.Before.
func (b *before) Content(uri string, region uint32) *ledger.Asked {
	is, err := b.view.Contents.Get(b.ctx, uri)
	if fault.CodeOf(err) == fault.NoSuchContent {
		return &ledger.Asked{Closed: true}
	}
	if b.note(err); err != nil {
		return nil
	}
	price, sold := is.Price.In(region)
	return b.inCore(ledger.Asked{Price: price, Closed: !sold})
}

// inCore turns a price in a monitored asset into what the ledger takes for it, by the price that is published now.
func (b *before) inCore(a ledger.Asked) *ledger.Asked {
	if a.Closed || a.Price.AssetID == ledger.CoreAsset {
		return &a
	}
	asset := b.Asset(a.Price.AssetID)
	if asset == nil || asset.MonitoredAssetOpts == nil {
		return &a
	}
	worth, err := asset.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate.Convert(a.Price)
	if err != nil {
		return nil // the ledger knows no price of it either
	}
	a.Price = worth
	return &a
}
