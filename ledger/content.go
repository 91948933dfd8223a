package ledger

// BigInteger is the decimal text of a large number with a dot behind it, "123.".
type BigInteger struct {
	S string `json:"s"`
}

func (v *BigInteger) setDefaults() { v.S = "0." }

// Ciphertext is an El Gamal encrypted part of a content key.
type Ciphertext struct {
	C1 BigInteger `json:"C1"`
	D1 BigInteger `json:"D1"`
}

// DeliveryProof proves that a key part was delivered unchanged.
type DeliveryProof struct {
	G1 BigInteger `json:"G1"`
	G2 BigInteger `json:"G2"`
	G3 BigInteger `json:"G3"`
	S  BigInteger `json:"s"`
	R  BigInteger `json:"r"`
}

// CustodyData lets seeders prove that they hold the content.
type CustodyData struct {
	N      uint32   `json:"n"`
	USeed  [16]byte `json:"u_seed"`
	PubKey [33]byte `json:"pubKey"`
}

// CustodyProof is one such proof.
type CustodyProof struct {
	ReferenceBlock uint32   `json:"reference_block"`
	Seed           Hash160  `json:"seed"`
	Mus            []string `json:"mus"`
	Sigma          [33]byte `json:"sigma"`
}

// RegionalPrice is what content costs in one region; 1 is "no region", 2 the
// default, 3 and up the countries (protocol/ledger.md 8).
type RegionalPrice struct {
	Region uint32      `json:"region"`
	Price  AssetAmount `json:"price"`
}

// CoAuthor gives a co-author a share of the price, in hundredths of a percent.
type CoAuthor struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Split   uint32    `json:"split"`
}

// SeederStat is what one seeder delivered.
type SeederStat struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Amount  uint64    `json:"amount"`
}

// regionNone is the region a purchase names when it names none.
const regionNone = 1

func (op *RequestToBuyOp) setDefaults() { op.RegionCodeFrom = regionNone }
