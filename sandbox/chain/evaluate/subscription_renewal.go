package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// RenewSubscriptions prolongs, at the maintenance interval, the subscriptions
// with automatic renewal that expire before the next one. It is called before
// the next maintenance time is set, and before DynamicGlobalProperties change.
//
// As on the node, the round ends with the first subscription that cannot be
// renewed; the rest waits for the next interval.
func RenewSubscriptions(e *Engine, until ledger.Time) {
	for _, id := range e.Subscriptions.Renewals() {
		sub := e.Subscriptions.Get(id)
		if sub.Expiration > until {
			continue
		}
		if !renew(e, sub) {
			disallowRenewal(e, sub)
			return
		}
	}
}

// renew moves the price of the author's present offer. It fails, without a
// trace, when there is no price or the consumer has too little.
func renew(e *Engine, sub *state.Subscription) bool {
	author := e.Accounts.Get(sub.To)
	days, price := author.Options.SubscriptionPeriod, author.Options.PricePerSubscribe
	asset := e.Assets.Get(price.AssetID)
	if asset == nil {
		return false
	}
	if asset.MonitoredAssetOpts != nil {
		var fault *nodeerr.Fault
		if price, fault = monitoredPrice(e, asset, price); fault != nil {
			return false
		}
	}
	mark := e.Mark()
	e.Subscriptions.Change(sub.ID, func(row *state.Subscription) { row.Expiration += ledger.Time(days * daySeconds) })
	e.Details.Add(e.HeadTime(), detailOfSubscription(sub.From, sub.To, days, price, ledger.AssetAmount{}))
	if pay(e.State, sub.From, sub.To, price) != nil {
		e.Rewind(mark)
		return false
	}
	e.noteVirtual(&ledger.RenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
	return true
}

func disallowRenewal(e *Engine, sub *state.Subscription) {
	e.Subscriptions.SetRenewal(sub.ID, false)
	e.noteVirtual(&ledger.DisallowAutomaticRenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
}

// disallowRenewalsTo switches off all automatic renewals of subscriptions to
// an author, because the offer that they agreed to has changed.
func disallowRenewalsTo(e *Engine, author ledger.AccountID) {
	for _, id := range e.Subscriptions.Renewals() {
		if sub := e.Subscriptions.Get(id); sub.To == author {
			disallowRenewal(e, sub)
		}
	}
}
