package ledger

// Buying is the object 2.12.N: a purchase of content.
type Buying struct {
	ID                   BuyingID     `json:"id"`
	Consumer             AccountID    `json:"consumer"`
	URI                  string       `json:"URI"`
	Synopsis             string       `json:"synopsis"`
	Price                AssetAmount  `json:"price"` // held in escrow until the keys are delivered
	PaidBeforeExchange   AssetAmount  `json:"paid_price_before_exchange"`
	PaidAfterExchange    AssetAmount  `json:"paid_price_after_exchange"`
	SeedersAnswered      []AccountID  `json:"seeders_answered"`
	Size                 uint64       `json:"size"` // megabytes
	Rating               uint64       `json:"rating"`
	Comment              string       `json:"comment"`
	ExpirationTime       Time         `json:"expiration_time"`
	PubKey               BigInteger   `json:"pubKey"`
	KeyParticles         []Ciphertext `json:"key_particles"`
	Expired              bool         `json:"expired"`
	Delivered            bool         `json:"delivered"`
	ExpirationOrDelivery Time         `json:"expiration_or_delivery_time"`
	IsRatedOrCommented   bool         `json:"rated_or_commented"`
	Created              Time         `json:"created"`
	RegionCodeFrom       uint32       `json:"region_code_from"`
}

// Lapsed reports whether the seeders did not deliver the key in time, so that the price was given back.
func (b *Buying) Lapsed() bool { return b.Expired && !b.Delivered }
