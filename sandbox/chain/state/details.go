package state

import (
	"cmp"
	"slices"
	"strings"

	"billfold/ledger"
)

const typeTransactionDetail = 17

// Kinds of details, by the node's numbers (docs/protocol/ledger.md 7).
const (
	DetailTransfer      = 0
	DetailAccountCreate = 1
	DetailContentSubmit = 2
	DetailContentBuy    = 3
	DetailContentRate   = 4
	DetailSubscription  = 5
	DetailNFT           = 6
)

// TransactionDetail is the object 2.17.N: one operation as an account's history
// shows it. It is created with the operation, so ids follow the order in blocks.
type TransactionDetail struct {
	ID          ledger.ObjectID    `json:"id"`
	From        ledger.AccountID   `json:"m_from_account"`
	To          ledger.AccountID   `json:"m_to_account"`
	Kind        uint8              `json:"m_operation_type"`
	Amount      ledger.AssetAmount `json:"m_transaction_amount"`
	Fee         ledger.AssetAmount `json:"m_transaction_fee"`
	NFTData     *ledger.NFTDataID  `json:"m_nft_data_id,omitempty"`
	Description string             `json:"m_str_description"`
	Memo        *ledger.Memo       `json:"m_transaction_encrypted_memo,omitempty"`
	Timestamp   ledger.Time        `json:"m_timestamp"` // of the previous block
}

// Details are the objects 2.17.N.
type Details struct {
	table[uint64, TransactionDetail]
	byAccount lists[ledger.AccountID, uint64] // ascending
	byToken   lists[ledger.NFTDataID, uint64]
}

func newDetails(j *journal) Details {
	d := Details{byAccount: newLists[ledger.AccountID, uint64](j), byToken: newLists[ledger.NFTDataID, uint64](j)}
	d.table.j = j
	return d
}

// Add inserts a detail under the next id; now is the head block's time.
func (d *Details) Add(now ledger.Time, detail TransactionDetail) {
	n := d.Next()
	detail.ID, detail.Timestamp = ledger.NewObjectID(2, typeTransactionDetail, n), now
	d.insert(&detail)
	d.byAccount.add(detail.From, n)
	if detail.To != detail.From {
		d.byAccount.add(detail.To, n)
	}
	if detail.NFTData != nil {
		d.byToken.add(*detail.NFTData, n)
	}
}

// OfToken returns the history of a token, oldest first.
func (d *Details) OfToken(token ledger.NFTDataID) []*TransactionDetail {
	return d.pick(d.byToken.of(token))
}

// Search returns what the account sent or received in an order such as "-time" or
// "+price", starting at the detail start if that exists: at most limit of them, or
// all if limit is negative. Equal ones are in order of ids, reversed by "-"
// (docs/protocol/daemon-api.md 2).
func (d *Details) Search(account ledger.AccountID, order string, start ledger.ObjectID, limit int) []*TransactionDetail {
	list := d.pick(d.byAccount.of(account))
	compare, descending := detailOrder(order)
	first := d.at(start)
	kept := list[:0]
	for _, row := range list {
		if first == nil || (compareWithID(compare, row, first) >= 0) != descending || row == first {
			kept = append(kept, row)
		}
	}
	slices.SortStableFunc(kept, compare)
	if descending {
		slices.Reverse(kept)
	}
	if limit >= 0 && limit < len(kept) {
		kept = kept[:limit]
	}
	return kept
}

func (d *Details) at(id ledger.ObjectID) *TransactionDetail {
	if id.Space() != 2 || id.Type() != typeTransactionDetail {
		return nil
	}
	return d.Get(id.Instance())
}

func compareWithID(compare func(a, b *TransactionDetail) int, a, b *TransactionDetail) int {
	if c := compare(a, b); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// detailOrder parses an order. An unknown one means "-time".
func detailOrder(order string) (compare func(a, b *TransactionDetail) int, descending bool) {
	word := strings.TrimLeft(order, "+-")
	compare, known := detailKey(word)
	if !known || (order != "+"+word && order != "-"+word) {
		return byTime, true
	}
	return compare, order[0] == '-'
}

func byTime(a, b *TransactionDetail) int { return cmp.Compare(a.Timestamp, b.Timestamp) }

func detailKey(word string) (func(a, b *TransactionDetail) int, bool) {
	switch word {
	case "time":
		return byTime, true
	case "type":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.Kind, b.Kind) }, true
	case "to":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.To, b.To) }, true
	case "from":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.From, b.From) }, true
	case "price":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.Amount.Amount, b.Amount.Amount) }, true
	case "fee":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.Fee.Amount, b.Fee.Amount) }, true
	case "nft":
		return func(a, b *TransactionDetail) int { return cmp.Compare(a.nftKey(), b.nftKey()) }, true
	case "description":
		return func(a, b *TransactionDetail) int { return strings.Compare(a.Description, b.Description) }, true
	}
	return nil, false
}

// nftKey returns the token, or a number that sorts after all tokens if there is none.
func (d *TransactionDetail) nftKey() ledger.NFTDataID {
	if d.NFTData == nil {
		return 1<<48 - 1
	}
	return *d.NFTData
}
