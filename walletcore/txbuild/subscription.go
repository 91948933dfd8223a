package txbuild

import (
	"context"

	"billfold/ledger"
)

// SubscribeToAuthorParams are the parameters of subscribe_to_author.
type SubscribeToAuthorParams struct {
	From  string `json:"from"               role:"account"     help:"account name or id"`
	To    string `json:"to"                 role:"destination" help:"name or id of the author"`
	Price string `json:"price_amount"       role:"amount"      help:"decimal text; at least the author's price"`
	Asset string `json:"price_asset_symbol" role:"asset"       help:"DCT"`
}

// SubscribeToAuthor pays an author for a period. Errors: fault.BadValue for an asset other than DCT,
// those of Payer, Receiver and Amount.
func SubscribeToAuthor(ctx context.Context, b *Builder, p SubscribeToAuthorParams) ([]ledger.Operation, error) {
	asset, err := b.dctAsset(ctx, p.Asset)
	if err != nil {
		return nil, err
	}
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	price, err := b.Amount(p.Price, asset)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.SubscribeOp{From: from.ID, To: to.ID, Price: price})
}

// SubscribeByAuthorParams are the parameters of subscribe_by_author.
type SubscribeByAuthorParams struct {
	From string `json:"from" role:"account" help:"name or id of the subscriber, who signs"`
	To   string `json:"to"                  help:"name or id of the author"`
}

// SubscribeByAuthor subscribes without payment. Errors: those of Payer and Receiver.
func SubscribeByAuthor(ctx context.Context, b *Builder, p SubscribeByAuthorParams) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.SubscribeByAuthorOp{From: from.ID, To: to.ID})
}

// SetSubscriptionParams are the parameters of set_subscription.
type SetSubscriptionParams struct {
	Account string `json:"account"            role:"account" help:"name or id of the author"`
	Allow   bool   `json:"allow_subscription" help:"false: nobody can subscribe from now on"`
	Period  uint32 `json:"subscription_period" help:"days, 1 to 365"`
	Price   string `json:"price_amount"       help:"decimal text: what a period costs"`
	Asset   string `json:"price_asset_symbol" help:"symbol or id"`
}

// SetSubscription sets whether an account can be subscribed to, for how long and at what price. Errors: those of
// Payer, Asset and Amount.
func SetSubscription(ctx context.Context, b *Builder, p SetSubscriptionParams) ([]ledger.Operation, error) {
	asset, err := b.Asset(ctx, p.Asset)
	if err != nil {
		return nil, err
	}
	account, err := b.changedAccount(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	price, err := b.AmountOrZero(p.Price, asset)
	if err != nil {
		return nil, err
	}
	options := b.options(account)
	options.AllowSubscription, options.SubscriptionPeriod, options.PricePerSubscribe = p.Allow, p.Period, price
	return b.exactly(&ledger.AccountUpdateOp{Account: account.ID, NewOptions: options})
}

// SetAutomaticRenewalParams are the parameters of set_automatic_renewal_of_subscription.
type SetAutomaticRenewalParams struct {
	Account      string                `json:"account_id_or_name" role:"account" help:"name or id of the subscriber"`
	Subscription ledger.SubscriptionID `json:"subscription_id" help:"id of the subscription"`
	Renew        bool                  `json:"automatic_renewal" help:"true: the subscription is paid for again when it expires"`
}

// SetAutomaticRenewal turns the automatic renewal of a subscription on or off. Errors: fault.NoSuchSubscription,
// those of Payer.
func SetAutomaticRenewal(ctx context.Context, b *Builder, p SetAutomaticRenewalParams) ([]ledger.Operation, error) {
	account, err := b.Payer(ctx, p.Account)
	if err != nil {
		return nil, err
	}
	subscription, err := b.view.Quorum.Subscription(ctx, p.Subscription)
	if err != nil {
		return nil, err
	}
	b.rest(subscriptionFacts(subscription)...)
	return b.exactly(&ledger.AutomaticRenewalOfSubscriptionOp{
		Consumer: account.ID, Subscription: p.Subscription, AutomaticRenewal: p.Renew})
}
