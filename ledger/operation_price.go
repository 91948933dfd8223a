package ledger

// OperationPrice is an operation with its current price.
type OperationPrice struct {
	ID          OpCode        `json:"id"`
	Name        string        `json:"name"` // "transfer_operation"
	CurrentFees FeeParameters `json:"current_fees"`
}
