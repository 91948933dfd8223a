package ledger

import (
	"cmp"
	"strconv"
	"strings"
)

// Seeder is the object 2.14.N: an account that stores and serves content.
type Seeder struct {
	ID         ObjectID    `json:"id"`
	Seeder     AccountID   `json:"seeder"`
	FreeSpace  uint64      `json:"free_space"` // megabytes
	Price      AssetAmount `json:"price"`      // per megabyte and day
	Expiration Time        `json:"expiration"`
	PubKey     BigInteger  `json:"pubKey"`
	IPFSID     string      `json:"ipfs_ID"`
	Stats      ObjectID    `json:"stats"`
	Rating     uint32      `json:"rating"`
	RegionCode string      `json:"region_code"`
}

// Codes of the operations of seeders, who store and serve content.
const (
	CodeReadyToPublishObsolete OpCode = 23 // ready_to_publish_obsolete
	CodeReadyToPublish         OpCode = 38 // ready_to_publish
	CodeProofOfCustody         OpCode = 24 // proof_of_custody
	CodeReportStats            OpCode = 29 // report_stats
	CodePaySeeder              OpCode = 49 // pay_seeder
)

// ReadyToPublishObsoleteOp is the old form of ReadyToPublishOp.
type ReadyToPublishObsoleteOp struct {
	Fee           AssetAmount `json:"fee,omitempty"`
	Seeder        AccountID   `json:"seeder"`
	Space         uint64      `json:"space"`
	PubKey        BigInteger  `json:"pubKey"`
	PricePerMByte uint32      `json:"price_per_MByte"`
	IPFSID        string      `json:"ipfs_ID"`
}

// FeePayer returns the seeder.
func (op *ReadyToPublishObsoleteOp) FeePayer() AccountID { return op.Seeder }

func (*ReadyToPublishObsoleteOp) declared() *declaration { return &readyToPublishObsoleteDeclaration }

func (op *ReadyToPublishObsoleteOp) effects(_ Before, n Namer) []Effect {
	return seedingEffects(op.Space, op.PricePerMByte, op.PubKey, op.IPFSID, nil, n)
}

var readyToPublishObsoleteDeclaration = declaration{
	code: CodeReadyToPublishObsolete, name: "ready_to_publish_obsolete", new: empty[ReadyToPublishObsoleteOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{seeder} offered to seed content"),
	told:     true,
}

// ReadyToPublishOp announces a seeder.
type ReadyToPublishOp struct {
	Fee           AssetAmount `json:"fee,omitempty"`
	Seeder        AccountID   `json:"seeder"`
	Space         uint64      `json:"space"`
	PubKey        BigInteger  `json:"pubKey"`
	PricePerMByte uint32      `json:"price_per_MByte"`
	IPFSID        string      `json:"ipfs_ID"`
	RegionCode    *string     `json:"region_code,omitempty"`
}

// FeePayer returns the seeder.
func (op *ReadyToPublishOp) FeePayer() AccountID { return op.Seeder }

func (*ReadyToPublishOp) declared() *declaration { return &readyToPublishDeclaration }

func (op *ReadyToPublishOp) effects(_ Before, n Namer) []Effect {
	return seedingEffects(op.Space, op.PricePerMByte, op.PubKey, op.IPFSID, op.RegionCode, n)
}

// seedingEffects returns how much a seeder keeps for which price, where it is, and which key it restores parts of content keys with. Without a
// region it keeps the one that it had.
func seedingEffects(space uint64, price uint32, key BigInteger, ipfsID string, region *string, n Namer) []Effect {
	out := []Effect{
		{What: "space for content", Now: strconv.FormatUint(space, 10) + " MB", Note: "the offer ends in a day, unless it is renewed"},
		{What: "price of a megabyte for a day", Now: n.AmountText(AssetAmount{Amount: int64(price)})},
		{What: "IPFS node", Now: cmp.Or(ipfsID, "none")},
	}
	if region != nil {
		out = append(out, Effect{What: "region", Now: cmp.Or(*region, "none")})
	}
	return append(out, Effect{What: "public key", Now: strings.TrimSuffix(key.S, "."), Note: "who has its private key can restore the seeder's parts of content keys"})
}

var readyToPublishDeclaration = declaration{
	code: CodeReadyToPublish, name: "ready_to_publish", new: empty[ReadyToPublishOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{seeder} offered to seed content"),
	told:     true,
}

// ProofOfCustodyOp proves that a seeder still holds content.
type ProofOfCustodyOp struct {
	Fee    AssetAmount   `json:"fee,omitempty"`
	Seeder AccountID     `json:"seeder"`
	URI    string        `json:"URI"`
	Proof  *CustodyProof `json:"proof,omitempty"`
}

// FeePayer returns the seeder.
func (op *ProofOfCustodyOp) FeePayer() AccountID { return op.Seeder }

func (*ProofOfCustodyOp) declared() *declaration { return &proofOfCustodyDeclaration }

var proofOfCustodyDeclaration = declaration{
	code: CodeProofOfCustody, name: "proof_of_custody", new: empty[ProofOfCustodyOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{seeder} proved that it holds {URI}"),
}

// ReportStatsOp reports what seeders delivered.
type ReportStatsOp struct {
	Fee      AssetAmount  `json:"fee,omitempty"`
	Consumer AccountID    `json:"consumer"`
	Stats    []SeederStat `json:"stats" fc:"map"`
}

// FeePayer returns the consumer.
func (op *ReportStatsOp) FeePayer() AccountID { return op.Consumer }

func (*ReportStatsOp) declared() *declaration { return &reportStatsDeclaration }

var reportStatsDeclaration = declaration{
	code: CodeReportStats, name: "report_stats", new: empty[ReportStatsOp],
	fee:      flatFee(0),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{consumer} reported what seeders delivered"),
}

// PaySeederOp pays a seeder; only the ledger itself does so.
type PaySeederOp struct {
	Fee    AssetAmount `json:"fee,omitempty"`
	Payout AssetAmount `json:"payout"`
	Author AccountID   `json:"author"`
	Seeder AccountID   `json:"seeder"`
}

// FeePayer returns the author.
func (op *PaySeederOp) FeePayer() AccountID { return op.Author }

func (*PaySeederOp) declared() *declaration { return &paySeederDeclaration }

var paySeederDeclaration = declaration{
	code: CodePaySeeder, name: "pay_seeder", new: empty[PaySeederOp], virtual: true,
	fee:     flatFee(0),
	rules:   noRules,
	signs:   payerSigns,
	touches: touches(func(op *PaySeederOp) []AccountID { return []AccountID{op.Seeder} }),
	moves: moves(func(op *PaySeederOp) []Movement {
		return []Movement{{From: op.Author.Object(), To: op.Seeder.Object(), Amount: op.Payout}}
	}),
	sentence: template("{author} paid {payout} to the seeder {seeder}"),
}

// CustodyProof proves that a seeder holds content.
type CustodyProof struct {
	ReferenceBlock uint32   `json:"reference_block"`
	Seed           Hash160  `json:"seed"`
	Mus            []string `json:"mus"`
	Sigma          [33]byte `json:"sigma"`
}

// SeederStat is the amount that one seeder delivered.
type SeederStat struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Amount  uint64    `json:"amount"`
}
