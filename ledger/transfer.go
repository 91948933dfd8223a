package ledger

import "errors"

// Codes of the transfer operations.
const (
	CodeTransferObsolete OpCode = 0  // transfer_obsolete
	CodeTransfer         OpCode = 39 // transfer
)

// TransferObsoleteOp moves an amount between accounts; it is the form that every daemon version accepts.
type TransferObsoleteOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	From       AccountID   `json:"from"`
	To         AccountID   `json:"to"`
	Amount     AssetAmount `json:"amount"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the sender.
func (op *TransferObsoleteOp) FeePayer() AccountID { return op.From }

func (op *TransferObsoleteOp) memo() **Memo { return &op.Memo }

func (*TransferObsoleteOp) declared() *declaration { return &transferObsoleteDeclaration }

var transferObsoleteDeclaration = declaration{
	code: CodeTransferObsolete, name: "transfer_obsolete", new: empty[TransferObsoleteOp],
	fee:   flatFee(100_000),
	rules: rules(func(op *TransferObsoleteOp) error { return validTransfer(op.From == op.To, op.Amount) }),
	signs: payerSigns,
	touches: touches(func(op *TransferObsoleteOp) []AccountID {
		return []AccountID{op.To}
	}),
	moves: moves(func(op *TransferObsoleteOp) []Movement {
		return []Movement{{From: op.From.Object(), To: op.To.Object(), Amount: op.Amount}}
	}),
	sentence: template("{from} paid {amount} to {to}"),
	pays:     true,
}

// TransferOp moves an amount to an account or a content object.
type TransferOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	From       AccountID   `json:"from"`
	To         ObjectID    `json:"to"`
	Amount     AssetAmount `json:"amount"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the sender.
func (op *TransferOp) FeePayer() AccountID { return op.From }

func (op *TransferOp) memo() **Memo { return &op.Memo }

func (*TransferOp) declared() *declaration { return &transferDeclaration }

var transferDeclaration = declaration{
	code: CodeTransfer, name: "transfer", new: empty[TransferOp],
	fee:   flatFee(100_000),
	rules: rules(func(op *TransferOp) error { return validTransfer(op.From.Object() == op.To, op.Amount) }),
	signs: payerSigns,
	touches: touches(func(op *TransferOp) []AccountID {
		// The node takes the instance number of the payee, whatever object it is, for that of an account.
		return []AccountID{AccountID(op.To.Instance())}
	}),
	moves: moves(func(op *TransferOp) []Movement {
		return []Movement{{From: op.From.Object(), To: op.To, Amount: op.Amount}}
	}),
	sentence: template("{from} paid {amount} to {to}"),
	pays:     true,
}

func validTransfer(toItself bool, amount AssetAmount) error {
	if toItself {
		return errors.New("sender and recipient of a transfer must differ")
	}
	if amount.Amount <= 0 {
		return errors.New("the amount of a transfer must be more than zero")
	}
	return nil
}
