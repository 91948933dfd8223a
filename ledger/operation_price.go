package ledger

// OperationPrice is an operation with its present price.
type OperationPrice struct {
	ID          OpCode        `json:"id"`
	Name        string        `json:"name"` // "transfer_operation"
	CurrentFees FeeParameters `json:"current_fees"`
}
