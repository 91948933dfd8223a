package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

func validateSubscribe(op *ledger.SubscribeOp) *nodeerr.Error {
	return demand("validate", condition{op.Price.Amount >= 0, "price.amount >= 0: ", nil})
}

func evaluateSubscribe(e *Engine, op *ledger.SubscribeOp) *nodeerr.Error {
	if fault := verifySubscription(e, op.From, op.To, op.Price); fault != nil {
		return fault
	}
	need, fault := subscriptionPrice(e, e.Accounts.Get(op.To))
	if fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{op.Price.AssetID == need.AssetID, "a.asset_id == b.asset_id: ", nil},
		condition{op.Price.Amount >= need.Amount, "op.price >= dct_price: ", nodeerr.Data{"op.price": op.Price, "dct_price": need}})
}

// verifySubscription checks that from may subscribe to to, and has at least price.
func verifySubscription(e *Engine, from, to ledger.AccountID, price ledger.AssetAmount) *nodeerr.Error {
	if fault := accountsExist(e.State, "from_account != idx.end(): Account does not exist", from); fault != nil {
		return fault
	}
	if fault := accountsExist(e.State, "to_account != idx.end(): Author does not exist", to); fault != nil {
		return fault
	}
	return demand("do_evaluate",
		condition{price.Amount <= e.Balances.Of(from, price.AssetID), "op.price <= db().get_balance( op.from, op.price.asset_id ): ", nil},
		condition{e.Accounts.Get(to).Options.AllowSubscription,
			"to_account->options.allow_subscription: Author does not allow subscription", nil})
}

// extendSubscription creates a subscription or extends the existing one: from now if it
// has expired, otherwise from its end. The result contains the id of a new one.
func extendSubscription(e *Engine, from, to ledger.AccountID, days uint32) ledger.OperationResult {
	now, period := e.HeadTime(), ledger.Time(days*daySeconds)
	if sub := e.Subscriptions.Between(from, to); sub != nil {
		e.Subscriptions.Change(sub.ID, func(row *state.Subscription) { row.Expiration = max(row.Expiration, now) + period })
		return voidResult()
	}
	return objectResult(e.Subscriptions.Add(from, to, now+period).Object())
}

// subscriptionPrice returns what a subscription to the author costs, in DCT.
func subscriptionPrice(e *Engine, author *ledger.Account) (ledger.AssetAmount, *nodeerr.Error) {
	price := author.Options.PricePerSubscribe
	asset := e.Assets.Get(price.AssetID)
	if asset == nil {
		return price, nodeerr.NotFound(price.AssetID.Object())
	}
	if asset.MonitoredAssetOpts == nil {
		return price, demand("do_evaluate",
			condition{asset.ID == ledger.CoreAsset, "price.asset_id == asset_id_type(0) || ao.is_monitored_asset(): ", nil})
	}
	return monitoredPrice(e, asset, price)
}

func monitoredPrice(e *Engine, asset *ledger.Asset, price ledger.AssetAmount) (ledger.AssetAmount, *nodeerr.Error) {
	rate := asset.MonitoredAssetOpts.CurrentFeed.CoreExchangeRate
	if rate.Valid() != nil {
		return price, refuse("!rate.is_null(): No price feed for this asset", nil)
	}
	core, err := rate.Convert(price)
	if err != nil {
		return price, refuse("rate: ${why}", nodeerr.Data{"why": err.Error()})
	}
	return core, nil
}

func applySubscribe(e *Engine, op *ledger.SubscribeOp) (ledger.OperationResult, *nodeerr.Error) {
	days := e.Accounts.Get(op.To).Options.SubscriptionPeriod
	result := extendSubscription(e, op.From, op.To, days)
	fault := pay(e.State, op.From, op.To, op.Price)
	e.Details.Add(e.HeadTime(), subscriptionDetail(op.From, op.To, days, op.Price, op.Fee))
	return result, fault
}

func evaluateSubscribeByAuthor(e *Engine, op *ledger.SubscribeByAuthorOp) *nodeerr.Error {
	return verifySubscription(e, op.From, op.To, ledger.AssetAmount{})
}

// applySubscribeByAuthor subscribes without payment, although only the subscriber
// signs: a flaw of the reference on which its clients rely.
func applySubscribeByAuthor(e *Engine, op *ledger.SubscribeByAuthorOp) (ledger.OperationResult, *nodeerr.Error) {
	days := e.Accounts.Get(op.To).Options.SubscriptionPeriod
	result := extendSubscription(e, op.From, op.To, days)
	e.Details.Add(e.HeadTime(), subscriptionDetail(op.From, op.To, days, ledger.AssetAmount{}, op.Fee))
	return result, nil
}

func evaluateAutomaticRenewal(e *Engine, op *ledger.AutomaticRenewalOfSubscriptionOp) *nodeerr.Error {
	if fault := accountsExist(e.State, "from_account != idx.end(): Account does not exist", op.Consumer); fault != nil {
		return fault
	}
	sub := e.Subscriptions.Get(op.Subscription)
	if sub == nil {
		return refuse("subscription != idx2.end(): subscription does not exist", nil)
	}
	return demand("do_evaluate",
		condition{sub.From == op.Consumer, "subscription->from == op.consumer: Subscriber and subscription object doesn't match", nil},
		condition{sub.AutomaticRenewal != op.AutomaticRenewal,
			"subscription->automatic_renewal != op.automatic_renewal: Automatic renewal option is already set to ${bool_value}",
			nodeerr.Data{"bool_value": op.AutomaticRenewal}})
}

func applyAutomaticRenewal(e *Engine, op *ledger.AutomaticRenewalOfSubscriptionOp) (ledger.OperationResult, *nodeerr.Error) {
	e.Subscriptions.SetRenewal(op.Subscription, op.AutomaticRenewal)
	return voidResult(), nil
}
