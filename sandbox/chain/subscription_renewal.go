package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// renewSubscriptions prolongs, at the maintenance interval, the subscriptions
// with automatic renewal that expire before the next one. It is called before
// the next maintenance time is set, and before DynamicGlobalProperties change.
//
// As on the node, the round ends with the first subscription that cannot be
// renewed; the rest waits for the next interval.
func (s *State) renewSubscriptions(until ledger.Time) {
	for _, id := range s.renewals {
		sub := s.Subscription(id)
		if sub.Expiration > until {
			continue
		}
		if !s.renew(sub) {
			s.disallowRenewal(sub)
			return
		}
	}
}

// renew moves the price of the author's present offer. It fails, without a
// trace, when there is no price or the consumer has too little.
func (s *State) renew(sub *Subscription) bool {
	author := s.Account(sub.To)
	days, price := author.Options.SubscriptionPeriod, author.Options.PricePerSubscribe
	asset := s.Asset(price.AssetID)
	if asset == nil {
		return false
	}
	if asset.MonitoredAssetOpts != nil {
		var fault *nodeerr.Fault
		if price, fault = s.monitoredPrice(asset, price); fault != nil {
			return false
		}
	}
	mark := s.j.mark()
	s.subscriptions.change(uint64(sub.ID), func(row *Subscription) { row.Expiration += ledger.Time(days * daySeconds) })
	s.addDetail(detailOfSubscription(sub.From, sub.To, days, price, ledger.AssetAmount{}))
	if s.adjust(sub.From, price.AssetID, -price.Amount) != nil || s.adjust(sub.To, price.AssetID, price.Amount) != nil {
		s.j.rewind(mark)
		return false
	}
	s.happenVirtual(&ledger.RenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
	return true
}

func (s *State) disallowRenewal(sub *Subscription) {
	s.setRenewal(sub.ID, false)
	s.happenVirtual(&ledger.DisallowAutomaticRenewalOfSubscriptionOp{Consumer: sub.From, Subscription: sub.ID})
}

// disallowRenewalsTo switches off all automatic renewals of subscriptions to
// an author, because the offer that they agreed to has changed.
func (s *State) disallowRenewalsTo(author ledger.AccountID) {
	for _, id := range s.renewals {
		if sub := s.Subscription(id); sub.To == author {
			s.disallowRenewal(sub)
		}
	}
}
