package ledger

// Subscription is the object 2.15.N: an account's subscription to an author.
type Subscription struct {
	ID               SubscriptionID `json:"id"`
	From             AccountID      `json:"from"`
	To               AccountID      `json:"to"`
	Expiration       Time           `json:"expiration"`
	AutomaticRenewal bool           `json:"automatic_renewal"`
}
