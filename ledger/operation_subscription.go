package ledger

// Codes of the subscription operations.
const (
	CodeSubscribe                      OpCode = 26 // subscribe
	CodeSubscribeByAuthor              OpCode = 27 // subscribe_by_author
	CodeAutomaticRenewalOfSubscription OpCode = 28 // automatic_renewal_of_subscription
)

// SubscribeOp subscribes to an author.
type SubscribeOp struct {
	Fee   AssetAmount `json:"fee"`
	From  AccountID   `json:"from"`
	To    AccountID   `json:"to"`
	Price AssetAmount `json:"price"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *SubscribeOp) FeePayer() AccountID { return op.From }

// SubscribeByAuthorOp subscribes without payment; signed by the subscriber alone.
type SubscribeByAuthorOp struct {
	Fee  AssetAmount `json:"fee"`
	From AccountID   `json:"from"`
	To   AccountID   `json:"to"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *SubscribeByAuthorOp) FeePayer() AccountID { return op.From }

// AutomaticRenewalOfSubscriptionOp switches the renewal of a subscription.
type AutomaticRenewalOfSubscriptionOp struct {
	Fee              AssetAmount    `json:"fee"`
	Consumer         AccountID      `json:"consumer"`
	Subscription     SubscriptionID `json:"subscription"`
	AutomaticRenewal bool           `json:"automatic_renewal"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AutomaticRenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }
