package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// RenewSubscriptions renews the subscriptions with automatic renewal that expire up
// to until, the next maintenance. It is called at the maintenance, before the time
// of the next one and other DynamicGlobalProperties change.
//
// As on the node, it stops at the first subscription that cannot be renewed; the
// others wait for the next maintenance.
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

// renew renews a subscription at the author's current price. It returns false, and
// changes nothing, if there is no price or the consumer has too little.
func renew(e *Engine, sub *state.Subscription) bool {
	author := e.Accounts.Get(sub.To)
	days, price := author.Options.SubscriptionPeriod, author.Options.PricePerSubscribe
	asset := e.Assets.Get(price.AssetID)
	if asset == nil {
		return false
	}
	if asset.MonitoredAssetOpts != nil {
		var fault *nodeerr.Error
		if price, fault = monitoredPrice(e, asset, price); fault != nil {
			return false
		}
	}
	mark := e.Mark()
	e.Subscriptions.Change(sub.ID, func(row *state.Subscription) { row.Expiration += ledger.Time(days * daySeconds) })
	e.Details.Add(e.HeadTime(), subscriptionDetail(sub.From, sub.To, days, price, ledger.AssetAmount{}))
	if pay(e.State, sub.From, sub.To, price) != nil {
		e.Rewind(mark)
		return false
	}
	e.addVirtual(&ledger.RenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
	return true
}

func disallowRenewal(e *Engine, sub *state.Subscription) {
	e.Subscriptions.SetRenewal(sub.ID, false)
	e.addVirtual(&ledger.DisallowAutomaticRenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
}

// disallowRenewalsTo switches off the automatic renewal of all subscriptions to an
// author, because the offer to which the subscribers agreed has changed.
func disallowRenewalsTo(e *Engine, author ledger.AccountID) {
	for _, id := range e.Subscriptions.Renewals() {
		if sub := e.Subscriptions.Get(id); sub.To == author {
			disallowRenewal(e, sub)
		}
	}
}
