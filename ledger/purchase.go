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

// Codes of the operations that sell and deliver content.
const (
	CodeRequestToBuy       OpCode = 21 // request_to_buy
	CodeDeliverKeys        OpCode = 25 // deliver_keys
	CodeReturnEscrowBuying OpCode = 48 // return_escrow_buying
	CodeFinishBuying       OpCode = 50 // finish_buying
)

// RequestToBuyOp buys content.
type RequestToBuyOp struct {
	Fee            AssetAmount `json:"fee,omitempty"`
	URI            string      `json:"URI"`
	Consumer       AccountID   `json:"consumer"`
	Price          AssetAmount `json:"price"`
	RegionCodeFrom uint32      `json:"region_code_from"`
	PubKey         BigInteger  `json:"pubKey"`
}

// FeePayer returns the consumer.
func (op *RequestToBuyOp) FeePayer() AccountID { return op.Consumer }

func (*RequestToBuyOp) declared() *declaration { return &requestToBuyDeclaration }

var requestToBuyDeclaration = declaration{
	code: CodeRequestToBuy, name: "request_to_buy", new: empty[RequestToBuyOp],
	fee:     flatFee(0),
	rules:   noRules,
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *RequestToBuyOp) []Movement {
		return []Movement{{From: op.Consumer.Object(), Amount: op.Price}}
	}),
	sentence: template("{consumer} bought {URI} for {price}"),
}

// effects returns what is bought, what it costs and who is paid.
func (op *RequestToBuyOp) effects(before Before, n Namer) []Effect {
	terms := before.Content(op.URI, op.RegionCodeFrom)
	out := termsEffect(terms, "the seller", op.Price, n)
	if terms != nil && terms.Package != "" {
		out = append(out, Effect{What: "package", Now: terms.Package})
	}
	if op.Price.Amount == 0 {
		return out
	}
	if terms == nil || len(terms.By) == 0 {
		return append(out, Effect{What: "who is paid", Now: "not known here", Unnamed: true,
			Careful: "pays " + grouped(n.AmountText(op.Price)) + " to the seller, who is not known here"})
	}
	return append(out, Effect{What: "who is paid", Now: allWithIDs(terms.By, n), Paid: terms.By})
}

// DeliverKeysOp delivers a seeder's part of a content key.
type DeliverKeysOp struct {
	Fee    AssetAmount   `json:"fee,omitempty"`
	Seeder AccountID     `json:"seeder"`
	Proof  DeliveryProof `json:"proof"`
	Key    Ciphertext    `json:"key"`
	Buying BuyingID      `json:"buying"`
}

// FeePayer returns the seeder.
func (op *DeliverKeysOp) FeePayer() AccountID { return op.Seeder }

func (*DeliverKeysOp) declared() *declaration { return &deliverKeysDeclaration }

var deliverKeysDeclaration = declaration{
	code: CodeDeliverKeys, name: "deliver_keys", new: empty[DeliverKeysOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{seeder} delivered its key part for the purchase {buying}"),
}

// ReturnEscrowBuyingOp returns the escrow of a purchase; only the ledger itself does so.
type ReturnEscrowBuyingOp struct {
	Fee      AssetAmount `json:"fee,omitempty"`
	Consumer AccountID   `json:"consumer"`
	Escrow   AssetAmount `json:"escrow"`
	Buying   BuyingID    `json:"buying"`
}

// FeePayer returns the consumer.
func (op *ReturnEscrowBuyingOp) FeePayer() AccountID { return op.Consumer }

func (*ReturnEscrowBuyingOp) declared() *declaration { return &returnEscrowBuyingDeclaration }

var returnEscrowBuyingDeclaration = declaration{
	code: CodeReturnEscrowBuying, name: "return_escrow_buying", new: empty[ReturnEscrowBuyingOp], virtual: true,
	fee:     flatFee(0),
	rules:   noRules,
	signs:   payerSigns,
	touches: touchesNobodyElse,
	moves: moves(func(op *ReturnEscrowBuyingOp) []Movement {
		return []Movement{{To: op.Consumer.Object(), Amount: op.Escrow}}
	}),
	sentence: template("{consumer} got {escrow} back for the purchase {buying}"),
}

// FinishBuyingOp pays the author of delivered content; only the ledger itself does so.
type FinishBuyingOp struct {
	Fee       AssetAmount `json:"fee,omitempty"`
	Payout    AssetAmount `json:"payout"`
	Author    AccountID   `json:"author"`
	CoAuthors []CoAuthor  `json:"co_authors" fc:"map"`
	Buying    BuyingID    `json:"buying"`
	Consumer  AccountID   `json:"consumer"`
}

// FeePayer returns the author.
func (op *FinishBuyingOp) FeePayer() AccountID { return op.Author }

func (*FinishBuyingOp) declared() *declaration { return &finishBuyingDeclaration }

var finishBuyingDeclaration = declaration{
	code: CodeFinishBuying, name: "finish_buying", new: empty[FinishBuyingOp], virtual: true,
	fee:     flatFee(0),
	rules:   noRules,
	signs:   payerSigns,
	touches: touches(func(op *FinishBuyingOp) []AccountID { return []AccountID{op.Consumer} }),
	moves: moves(func(op *FinishBuyingOp) []Movement {
		return []Movement{{To: op.Author.Object(), Amount: op.Payout}}
	}),
	sentence: template("{author} earned {payout} from a purchase by {consumer}"),
}

// SetDefaults sets the members whose default is not zero.
func (op *RequestToBuyOp) SetDefaults() { op.RegionCodeFrom = RegionNone }

// DeliveryProof proves that a key part was delivered unchanged.
type DeliveryProof struct {
	G1 BigInteger `json:"G1"`
	G2 BigInteger `json:"G2"`
	G3 BigInteger `json:"G3"`
	S  BigInteger `json:"s"`
	R  BigInteger `json:"r"`
}
