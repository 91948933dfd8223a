package ledger

import "billfold/ledger/codec"

// HistoryRecord is the object 1.7.N: one applied operation.
type HistoryRecord struct {
	ID         HistoryID       `json:"id"`
	Op         Operation       `json:"op"`
	Result     OperationResult `json:"result"`
	BlockNum   uint32          `json:"block_num"`
	TrxInBlock uint32          `json:"trx_in_block"`
	OpInTrx    uint32          `json:"op_in_trx"`
	VirtualOp  uint32          `json:"virtual_op"`
}

// MarshalJSON writes the object as the node does.
func (h HistoryRecord) MarshalJSON() ([]byte, error) { return codec.Marshal(h) }

// UnmarshalJSON reads the object.
func (h *HistoryRecord) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, h) }
