package ledger

// Content is the object 2.13.N: content offered for sale.
type Content struct {
	ID                  ContentID      `json:"id"`
	Author              AccountID      `json:"author"`
	CoAuthors           []CoAuthor     `json:"co_authors" fc:"map"`
	Expiration          Time           `json:"expiration"`
	Created             Time           `json:"created"`
	Price               RegionalPrices `json:"price"`
	Size                uint64         `json:"size"` // megabytes
	Synopsis            string         `json:"synopsis"`
	URI                 string         `json:"URI"`
	Quorum              uint32         `json:"quorum"` // key parts needed to read it
	KeyParts            []SeederKey    `json:"key_parts" fc:"map"`
	Hash                Hash160        `json:"_hash"`
	LastProof           []SeederProof  `json:"last_proof" fc:"map"`
	IsBlocked           bool           `json:"is_blocked"`
	AverageRating       uint32         `json:"AVG_rating"` // thousandths of a star
	NumOfRatings        uint32         `json:"num_of_ratings"`
	TimesBought         uint32         `json:"times_bought"`
	PublishingFeeEscrow AssetAmount    `json:"publishing_fee_escrow"`
	CustodyData         *CustodyData   `json:"cd,omitempty"`
	SeederPrice         []SeederStat   `json:"seeder_price" fc:"map"`
}

// RegionalPrices are the prices of content, each with its region.
type RegionalPrices struct {
	Prices []PriceInRegion `json:"map_price" fc:"map"`
}

// PriceInRegion is the price of content in a region; see RegionalPrice.
type PriceInRegion struct {
	_      struct{}    `fc:"pair"`
	Region uint32      `json:"region"`
	Price  AssetAmount `json:"price"`
}

// In returns what content costs in a region, and whether it is sold there
// (docs/protocol/ledger.md 8): the price without region takes precedence over that of
// the region, and that over the default.
func (p RegionalPrices) In(region uint32) (AssetAmount, bool) {
	for _, wanted := range []uint32{RegionNone, region, RegionDefault} {
		for _, price := range p.Prices {
			if price.Region == wanted {
				return price.Price, true
			}
		}
	}
	return AssetAmount{}, false
}

// SeederKey is the part of a content key that a seeder keeps.
type SeederKey struct {
	_      struct{}   `fc:"pair"`
	Seeder AccountID  `json:"seeder"`
	Part   Ciphertext `json:"part"`
}

// SeederProof is when a seeder last proved that it holds the content.
type SeederProof struct {
	_      struct{}  `fc:"pair"`
	Seeder AccountID `json:"seeder"`
	Time   Time      `json:"time"`
}

// ContentSummary is one result of a content search.
type ContentSummary struct {
	ID            ObjectID    `json:"id"`
	Author        string      `json:"author"` // a name
	Price         AssetAmount `json:"price"`
	Synopsis      string      `json:"synopsis"`
	Status        string      `json:"status"`
	URI           string      `json:"URI"`
	Hash          Hash160     `json:"_hash"`
	AverageRating uint32      `json:"AVG_rating"`
	Size          uint64      `json:"size"`
	Expiration    Time        `json:"expiration"`
	Created       Time        `json:"created"`
	TimesBought   uint32      `json:"times_bought"`
}
