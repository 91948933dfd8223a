package ledger

// Subscription is the object 2.15.N: an account's subscription to an author.
type Subscription struct {
	ID               SubscriptionID `json:"id"`
	From             AccountID      `json:"from"`
	To               AccountID      `json:"to"`
	Expiration       Time           `json:"expiration"`
	AutomaticRenewal bool           `json:"automatic_renewal"`
}

// Codes of the operations on subscriptions.
const (
	CodeSubscribe                              OpCode = 26 // subscribe
	CodeSubscribeByAuthor                      OpCode = 27 // subscribe_by_author
	CodeAutomaticRenewalOfSubscription         OpCode = 28 // automatic_renewal_of_subscription
	CodeDisallowAutomaticRenewalOfSubscription OpCode = 46 // disallow_automatic_renewal_of_subscription
	CodeRenewalOfSubscription                  OpCode = 51 // renewal_of_subscription
)

// SubscribeOp subscribes to an author.
type SubscribeOp struct {
	Fee   AssetAmount `json:"fee,omitempty"`
	From  AccountID   `json:"from"`
	To    AccountID   `json:"to"`
	Price AssetAmount `json:"price"`
}

// FeePayer returns the subscriber.
func (op *SubscribeOp) FeePayer() AccountID { return op.From }

func (*SubscribeOp) declared() *declaration { return &subscribeDeclaration }

var subscribeDeclaration = declaration{
	code: CodeSubscribe, name: "subscribe", new: empty[SubscribeOp],
	fee:     flatFee(0),
	rules:   rules((*SubscribeOp).valid),
	signs:   payerSigns,
	touches: touches(func(op *SubscribeOp) []AccountID { return []AccountID{op.To} }),
	moves: moves(func(op *SubscribeOp) []Movement {
		return []Movement{{From: op.From.Object(), To: op.To.Object(), Amount: op.Price}}
	}),
	sentence: template("{from} subscribed to {to} for {price}"),
}

// effects returns the author's price and the period it pays for.
func (op *SubscribeOp) effects(before Before, n Namer) []Effect {
	return termsEffect(before.Subscription(op.From, op.To), withID(op.To, n), op.Price, n)
}

func (op *SubscribeOp) valid() error {
	return require(op.Price.Amount >= 0, "the price must not be negative")
}

// SubscribeByAuthorOp subscribes without payment; only the subscriber signs it.
type SubscribeByAuthorOp struct {
	Fee  AssetAmount `json:"fee,omitempty"`
	From AccountID   `json:"from"`
	To   AccountID   `json:"to"`
}

// FeePayer returns the subscriber.
func (op *SubscribeByAuthorOp) FeePayer() AccountID { return op.From }

func (*SubscribeByAuthorOp) declared() *declaration { return &subscribeByAuthorDeclaration }

var subscribeByAuthorDeclaration = declaration{
	code: CodeSubscribeByAuthor, name: "subscribe_by_author", new: empty[SubscribeByAuthorOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touches(func(op *SubscribeByAuthorOp) []AccountID { return []AccountID{op.To} }),
	moves:    movesNothing,
	sentence: template("{from} subscribed to {to} without payment"),
}

// AutomaticRenewalOfSubscriptionOp switches the renewal of a subscription on or off.
type AutomaticRenewalOfSubscriptionOp struct {
	Fee              AssetAmount    `json:"fee,omitempty"`
	Consumer         AccountID      `json:"consumer"`
	Subscription     SubscriptionID `json:"subscription"`
	AutomaticRenewal bool           `json:"automatic_renewal"`
}

// FeePayer returns the subscriber.
func (op *AutomaticRenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }

func (*AutomaticRenewalOfSubscriptionOp) declared() *declaration {
	return &automaticRenewalOfSubscriptionDeclaration
}

var automaticRenewalOfSubscriptionDeclaration = declaration{
	code: CodeAutomaticRenewalOfSubscription, name: "automatic_renewal_of_subscription", new: empty[AutomaticRenewalOfSubscriptionOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{consumer} switched the automatic renewal of {subscription} {automatic_renewal:on|off}"),
}

// effects warns that a subscription is paid for again and again.
func (op *AutomaticRenewalOfSubscriptionOp) effects(Before, Namer) []Effect {
	if !op.AutomaticRenewal {
		return nil
	}
	return []Effect{{What: "renewal of " + op.Subscription.String(), Now: "automatic",
		Careful: "the author's current price is charged at the end of each period, without asking"}}
}

// DisallowAutomaticRenewalOfSubscriptionOp switches the renewal of a subscription off; only the ledger itself does so.
type DisallowAutomaticRenewalOfSubscriptionOp struct {
	Fee          AssetAmount    `json:"fee,omitempty"`
	Consumer     AccountID      `json:"consumer"`
	Subscription SubscriptionID `json:"subscription"`
}

// FeePayer returns the subscriber.
func (op *DisallowAutomaticRenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }

func (*DisallowAutomaticRenewalOfSubscriptionOp) declared() *declaration {
	return &disallowAutomaticRenewalOfSubscriptionDeclaration
}

var disallowAutomaticRenewalOfSubscriptionDeclaration = declaration{
	code: CodeDisallowAutomaticRenewalOfSubscription, name: "disallow_automatic_renewal_of_subscription",
	new: empty[DisallowAutomaticRenewalOfSubscriptionOp], virtual: true,
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("the automatic renewal of {subscription} was switched off for {consumer}"),
}

// RenewalOfSubscriptionOp renews a subscription; only the ledger itself does so.
type RenewalOfSubscriptionOp struct {
	Fee          AssetAmount    `json:"fee,omitempty"`
	Consumer     AccountID      `json:"consumer"`
	Subscription SubscriptionID `json:"subscription"`
}

// FeePayer returns the subscriber.
func (op *RenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }

func (*RenewalOfSubscriptionOp) declared() *declaration { return &renewalOfSubscriptionDeclaration }

var renewalOfSubscriptionDeclaration = declaration{
	code: CodeRenewalOfSubscription, name: "renewal_of_subscription", new: empty[RenewalOfSubscriptionOp], virtual: true,
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("the subscription {subscription} of {consumer} was renewed"),
}
