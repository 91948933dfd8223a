package ledger

// Codes of the virtual operations.
const (
	CodeDisallowAutomaticRenewalOfSubscription OpCode = 46 // disallow_automatic_renewal_of_subscription
	CodeReturnEscrowSubmission                 OpCode = 47 // return_escrow_submission
	CodeReturnEscrowBuying                     OpCode = 48 // return_escrow_buying
	CodePaySeeder                              OpCode = 49 // pay_seeder
	CodeFinishBuying                           OpCode = 50 // finish_buying
	CodeRenewalOfSubscription                  OpCode = 51 // renewal_of_subscription
)

// DisallowAutomaticRenewalOfSubscriptionOp tells that a renewal was switched off; virtual.
type DisallowAutomaticRenewalOfSubscriptionOp struct {
	Fee          AssetAmount    `json:"fee"`
	Consumer     AccountID      `json:"consumer"`
	Subscription SubscriptionID `json:"subscription"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *DisallowAutomaticRenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }

// ReturnEscrowSubmissionOp tells that a submission's escrow came back; virtual.
type ReturnEscrowSubmissionOp struct {
	Fee     AssetAmount `json:"fee"`
	Author  AccountID   `json:"author"`
	Escrow  AssetAmount `json:"escrow"`
	Content ContentID   `json:"content"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ReturnEscrowSubmissionOp) FeePayer() AccountID { return op.Author }

// ReturnEscrowBuyingOp tells that a purchase's escrow came back; virtual.
type ReturnEscrowBuyingOp struct {
	Fee      AssetAmount `json:"fee"`
	Consumer AccountID   `json:"consumer"`
	Escrow   AssetAmount `json:"escrow"`
	Buying   BuyingID    `json:"buying"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *ReturnEscrowBuyingOp) FeePayer() AccountID { return op.Consumer }

// PaySeederOp tells that a seeder was paid; virtual.
type PaySeederOp struct {
	Fee    AssetAmount `json:"fee"`
	Payout AssetAmount `json:"payout"`
	Author AccountID   `json:"author"`
	Seeder AccountID   `json:"seeder"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *PaySeederOp) FeePayer() AccountID { return op.Author }

// FinishBuyingOp tells that a purchase was delivered; virtual.
type FinishBuyingOp struct {
	Fee       AssetAmount `json:"fee"`
	Payout    AssetAmount `json:"payout"`
	Author    AccountID   `json:"author"`
	CoAuthors []CoAuthor  `json:"co_authors" fc:"map"`
	Buying    BuyingID    `json:"buying"`
	Consumer  AccountID   `json:"consumer"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *FinishBuyingOp) FeePayer() AccountID { return op.Author }

// RenewalOfSubscriptionOp tells that a subscription was renewed; virtual.
type RenewalOfSubscriptionOp struct {
	Fee          AssetAmount    `json:"fee"`
	Consumer     AccountID      `json:"consumer"`
	Subscription SubscriptionID `json:"subscription"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *RenewalOfSubscriptionOp) FeePayer() AccountID { return op.Consumer }
