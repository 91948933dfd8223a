package ledger

// Codes of the transfer operations.
const (
	CodeTransferObsolete OpCode = 0  // transfer_obsolete
	CodeTransfer         OpCode = 39 // transfer
)

// TransferObsoleteOp moves an amount between accounts; the form every daemon version accepts.
type TransferObsoleteOp struct {
	Fee        AssetAmount `json:"fee"`
	From       AccountID   `json:"from"`
	To         AccountID   `json:"to"`
	Amount     AssetAmount `json:"amount"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *TransferObsoleteOp) FeePayer() AccountID { return op.From }

// TransferOp moves an amount to an account or a content object.
type TransferOp struct {
	Fee        AssetAmount `json:"fee"`
	From       AccountID   `json:"from"`
	To         ObjectID    `json:"to"`
	Amount     AssetAmount `json:"amount"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *TransferOp) FeePayer() AccountID { return op.From }
