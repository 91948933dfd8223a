package ledger

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"billfold/ledger/codec"
)

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

// TransactionDetail is the object 2.17.N: one operation as an account's history shows it.
type TransactionDetail struct {
	ID          ObjectID    `json:"id"`
	From        AccountID   `json:"m_from_account"`
	To          AccountID   `json:"m_to_account"`
	Kind        uint8       `json:"m_operation_type"`
	Amount      AssetAmount `json:"m_transaction_amount"`
	Fee         AssetAmount `json:"m_transaction_fee"`
	NFTData     *NFTDataID  `json:"m_nft_data_id,omitempty"`
	Description string      `json:"m_str_description"`
	Memo        *Memo       `json:"m_transaction_encrypted_memo,omitempty"`
	Timestamp   Time        `json:"m_timestamp"` // of the previous block
}

// BalanceChange is one operation with the change it made to an account's balances.
type BalanceChange struct {
	Record        HistoryRecord `json:"hist_object"`
	Balance       BalancePair   `json:"balance"`
	Fee           AssetAmount   `json:"fee,omitempty"` // zero if another account paid it
	Timestamp     Time          `json:"timestamp"`
	TransactionID TransactionID `json:"transaction_id"`
}

// BalancePair is up to two amounts; only pools move both.
type BalancePair struct {
	Asset0 AssetAmount `json:"asset0"`
	Asset1 AssetAmount `json:"asset1"`
}

// HistoryIDRanges returns the ranges of numbers, both ends included, of the operations whose id begins with text: decimal digits,
// or "1.7." and digits. What may still become "1.7." is the beginning of all.
func HistoryIDRanges(text string) ([][2]int64, error) {
	digits := strings.TrimPrefix(text, "1.7.")
	if strings.HasPrefix("1.7.", text) && text != "1" { // still being typed
		digits = ""
	}
	if digits == "" {
		return [][2]int64{{0, math.MaxInt64}}, nil
	}
	if strings.Trim(digits, "0123456789") != "" {
		return nil, fmt.Errorf("%q is not the beginning of an operation id; write digits, such as 1.7.902", text)
	}
	if digits[0] == '0' {
		if digits != "0" {
			return nil, nil
		}
		return [][2]int64{{0, 0}}, nil
	}
	low, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return nil, nil //nolint:nilerr // no id has so many digits
	}
	high := low
	var out [][2]int64
	for {
		out = append(out, [2]int64{low, high})
		if low > math.MaxInt64/10 {
			return out, nil
		}
		low = low * 10
		if high > (math.MaxInt64-9)/10 {
			high = math.MaxInt64
		} else {
			high = high*10 + 9
		}
	}
}
