package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

var subscribe = touching(typed(validateSubscribe, (*State).evaluateSubscribe, (*State).applySubscribe),
	func(op *ledger.SubscribeOp) []ledger.AccountID { return []ledger.AccountID{op.From, op.To} })

var subscribeByAuthor = touching(typed(valid[*ledger.SubscribeByAuthorOp], (*State).evaluateSubscribeByAuthor, (*State).applySubscribeByAuthor),
	func(op *ledger.SubscribeByAuthorOp) []ledger.AccountID { return []ledger.AccountID{op.From, op.To} })

var automaticRenewal = typed(valid[*ledger.AutomaticRenewalOfSubscriptionOp], (*State).evaluateAutomaticRenewal, (*State).applyAutomaticRenewal)

func validateSubscribe(op *ledger.SubscribeOp) *nodeerr.Fault {
	return demand("validate", condition{op.Price.Amount >= 0, "price.amount >= 0: ", nil})
}

func (s *State) evaluateSubscribe(op *ledger.SubscribeOp) *nodeerr.Fault {
	if fault := s.subscribable(op.From, op.To, op.Price); fault != nil {
		return fault
	}
	need, fault := s.subscriptionPrice(s.Account(op.To))
	if fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{op.Price.AssetID == need.AssetID, "a.asset_id == b.asset_id: ", nil},
		condition{op.Price.Amount >= need.Amount, "op.price >= dct_price: ", nodeerr.Data{"op.price": op.Price, "dct_price": need}})
}

// subscribable checks both sides; price is what From must at least have.
func (s *State) subscribable(from, to ledger.AccountID, price ledger.AssetAmount) *nodeerr.Fault {
	if fault := s.accountsExist("from_account != idx.end(): Account does not exist", from); fault != nil {
		return fault
	}
	if fault := s.accountsExist("to_account != idx.end(): Author does not exist", to); fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{price.Amount <= s.Balance(from, price.AssetID), "op.price <= db().get_balance( op.from, op.price.asset_id ): ", nil},
		condition{s.Account(to).Options.AllowSubscription, "to_account->options.allow_subscription: Author does not allow subscription", nil})
}

// subscriptionPrice is what a subscription to the author costs, in DCT.
func (s *State) subscriptionPrice(author *ledger.Account) (ledger.AssetAmount, *nodeerr.Fault) {
	price := author.Options.PricePerSubscribe
	asset := s.Asset(price.AssetID)
	if asset == nil {
		return price, nodeerr.NotFound(price.AssetID.Object())
	}
	if asset.MonitoredAssetOpts == nil {
		return price, demand("do_evaluate", condition{asset.ID == ledger.CoreAsset, "price.asset_id == asset_id_type(0) || ao.is_monitored_asset(): ", nil})
	}
	return s.monitoredPrice(asset, price)
}

func (s *State) monitoredPrice(asset *ledger.Asset, price ledger.AssetAmount) (ledger.AssetAmount, *nodeerr.Fault) {
	rate := asset.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate
	if rate.Valid() != nil {
		return price, nodeerr.Assert("do_evaluate", "!rate.is_null(): No price feed for this asset", nil)
	}
	core, err := rate.Convert(price)
	if err != nil {
		return price, nodeerr.Assert("do_evaluate", "rate: ${why}", nodeerr.Data{"why": err.Error()})
	}
	return core, nil
}

func (s *State) applySubscribe(op *ledger.SubscribeOp) (ledger.OperationResult, *nodeerr.Fault) {
	days := s.Account(op.To).Options.SubscriptionPeriod
	result := s.subscribe(op.From, op.To, days)
	fault := s.adjust(op.From, op.Price.AssetID, -op.Price.Amount)
	if fault == nil {
		fault = s.adjust(op.To, op.Price.AssetID, op.Price.Amount)
	}
	s.addDetail(detailOfSubscription(op.From, op.To, days, op.Price, op.Fee))
	return result, fault
}

func (s *State) evaluateSubscribeByAuthor(op *ledger.SubscribeByAuthorOp) *nodeerr.Fault {
	return s.subscribable(op.From, op.To, ledger.AssetAmount{})
}

// applySubscribeByAuthor costs nothing, although only the subscriber signs: a
// flaw of the reference that its clients rely on.
func (s *State) applySubscribeByAuthor(op *ledger.SubscribeByAuthorOp) (ledger.OperationResult, *nodeerr.Fault) {
	days := s.Account(op.To).Options.SubscriptionPeriod
	result := s.subscribe(op.From, op.To, days)
	s.addDetail(detailOfSubscription(op.From, op.To, days, ledger.AssetAmount{}, op.Fee))
	return result, nil
}

func (s *State) evaluateAutomaticRenewal(op *ledger.AutomaticRenewalOfSubscriptionOp) *nodeerr.Fault {
	if fault := s.accountsExist("from_account != idx.end(): Account does not exist", op.Consumer); fault != nil {
		return fault
	}
	sub := s.Subscription(op.Subscription)
	if sub == nil {
		return nodeerr.Assert("do_evaluate", "subscription != idx2.end(): subscription does not exist", nil)
	}
	return demand("do_evaluate",
		condition{sub.From == op.Consumer, "subscription->from == op.consumer: Subscriber and subscription object doesn't match", nil},
		condition{sub.AutomaticRenewal != op.AutomaticRenewal, "subscription->automatic_renewal != op.automatic_renewal: Automatic renewal option is already set to ${bool_value}", nodeerr.Data{"bool_value": op.AutomaticRenewal}})
}

func (s *State) applyAutomaticRenewal(op *ledger.AutomaticRenewalOfSubscriptionOp) (ledger.OperationResult, *nodeerr.Fault) {
	s.setRenewal(op.Subscription, op.AutomaticRenewal)
	return voidResult(), nil
}
