package ledger

// Codes of the content operations.
const (
	CodeContentSubmit          OpCode = 20 // content_submit
	CodeRequestToBuy           OpCode = 21 // request_to_buy
	CodeLeaveRatingAndComment  OpCode = 22 // leave_rating_and_comment
	CodeReadyToPublishObsolete OpCode = 23 // ready_to_publish_obsolete
	CodeProofOfCustody         OpCode = 24 // proof_of_custody
	CodeDeliverKeys            OpCode = 25 // deliver_keys
	CodeReportStats            OpCode = 29 // report_stats
	CodeContentCancellation    OpCode = 32 // content_cancellation
	CodeReadyToPublish         OpCode = 38 // ready_to_publish
)

// ContentSubmitOp offers content for sale.
type ContentSubmitOp struct {
	Fee           AssetAmount     `json:"fee"`
	Size          uint64          `json:"size"`
	Author        AccountID       `json:"author"`
	CoAuthors     []CoAuthor      `json:"co_authors" fc:"map"`
	URI           string          `json:"URI"`
	Quorum        uint32          `json:"quorum"`
	Price         []RegionalPrice `json:"price"`
	Hash          Hash160         `json:"hash"`
	Seeders       []AccountID     `json:"seeders"`
	KeyParts      []Ciphertext    `json:"key_parts"`
	Expiration    Time            `json:"expiration"`
	PublishingFee AssetAmount     `json:"publishing_fee"`
	Synopsis      string          `json:"synopsis"`
	CustodyData   *CustodyData    `json:"cd,omitempty"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ContentSubmitOp) FeePayer() AccountID { return op.Author }

// RequestToBuyOp buys content.
type RequestToBuyOp struct {
	Fee            AssetAmount `json:"fee"`
	URI            string      `json:"URI"`
	Consumer       AccountID   `json:"consumer"`
	Price          AssetAmount `json:"price"`
	RegionCodeFrom uint32      `json:"region_code_from"`
	PubKey         BigInteger  `json:"pubKey"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *RequestToBuyOp) FeePayer() AccountID { return op.Consumer }

// LeaveRatingAndCommentOp rates bought content.
type LeaveRatingAndCommentOp struct {
	Fee      AssetAmount `json:"fee"`
	URI      string      `json:"URI"`
	Consumer AccountID   `json:"consumer"`
	Comment  string      `json:"comment"`
	Rating   uint64      `json:"rating"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *LeaveRatingAndCommentOp) FeePayer() AccountID { return op.Consumer }

// ReadyToPublishObsoleteOp announces a seeder; the old form.
type ReadyToPublishObsoleteOp struct {
	Fee           AssetAmount `json:"fee"`
	Seeder        AccountID   `json:"seeder"`
	Space         uint64      `json:"space"`
	PubKey        BigInteger  `json:"pubKey"`
	PricePerMByte uint32      `json:"price_per_MByte"`
	IPFSID        string      `json:"ipfs_ID"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ReadyToPublishObsoleteOp) FeePayer() AccountID { return op.Seeder }

// ProofOfCustodyOp proves that a seeder still holds content.
type ProofOfCustodyOp struct {
	Fee    AssetAmount   `json:"fee"`
	Seeder AccountID     `json:"seeder"`
	URI    string        `json:"URI"`
	Proof  *CustodyProof `json:"proof,omitempty"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ProofOfCustodyOp) FeePayer() AccountID { return op.Seeder }

// DeliverKeysOp delivers a seeder's part of a content key.
type DeliverKeysOp struct {
	Fee    AssetAmount   `json:"fee"`
	Seeder AccountID     `json:"seeder"`
	Proof  DeliveryProof `json:"proof"`
	Key    Ciphertext    `json:"key"`
	Buying BuyingID      `json:"buying"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *DeliverKeysOp) FeePayer() AccountID { return op.Seeder }

// ReportStatsOp reports what seeders delivered.
type ReportStatsOp struct {
	Fee      AssetAmount  `json:"fee"`
	Consumer AccountID    `json:"consumer"`
	Stats    []SeederStat `json:"stats" fc:"map"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ReportStatsOp) FeePayer() AccountID { return op.Consumer }

// ContentCancellationOp withdraws content.
type ContentCancellationOp struct {
	Fee    AssetAmount `json:"fee"`
	Author AccountID   `json:"author"`
	URI    string      `json:"URI"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ContentCancellationOp) FeePayer() AccountID { return op.Author }

// ReadyToPublishOp announces a seeder.
type ReadyToPublishOp struct {
	Fee           AssetAmount `json:"fee"`
	Seeder        AccountID   `json:"seeder"`
	Space         uint64      `json:"space"`
	PubKey        BigInteger  `json:"pubKey"`
	PricePerMByte uint32      `json:"price_per_MByte"`
	IPFSID        string      `json:"ipfs_ID"`
	RegionCode    *string     `json:"region_code,omitempty"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ReadyToPublishOp) FeePayer() AccountID { return op.Seeder }
