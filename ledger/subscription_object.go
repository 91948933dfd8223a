package ledger

// Subscription is the object 2.15.N: that an account pays an author for a time.
type Subscription struct {
	ID               SubscriptionID `json:"id"`
	From             AccountID      `json:"from"`
	To               AccountID      `json:"to"`
	Expiration       Time           `json:"expiration"`
	AutomaticRenewal bool           `json:"automatic_renewal"`
}
