package ledger

// Codes of the publishing operations.
const (
	CodeSetPublishingManager OpCode = 30 // set_publishing_manager
	CodeSetPublishingRight   OpCode = 31 // set_publishing_right
)

// SetPublishingManagerOp names publishing managers; only 1.2.15 may.
type SetPublishingManagerOp struct {
	Fee                 AssetAmount `json:"fee"`
	From                AccountID   `json:"from"`
	To                  []AccountID `json:"to"`
	CanCreatePublishers bool        `json:"can_create_publishers"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *SetPublishingManagerOp) FeePayer() AccountID { return op.From }

// SetPublishingRightOp names publishers.
type SetPublishingRightOp struct {
	Fee         AssetAmount `json:"fee"`
	From        AccountID   `json:"from"`
	To          []AccountID `json:"to"`
	IsPublisher bool        `json:"is_publisher"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *SetPublishingRightOp) FeePayer() AccountID { return op.From }
