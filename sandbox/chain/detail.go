package chain

import (
	"cmp"
	"slices"
	"strings"

	"billfold/ledger"
)

const typeTransactionDetail = 17

// Kinds of details, in the node's numbers (protocol/ledger.md 7).
const (
	detailTransfer      = 0
	detailAccountCreate = 1
	detailSubscription  = 5
	detailNFT           = 6
)

// TransactionDetail is the object 2.17.N: one operation as an account history
// shows it. It is made with the operation, in the order of a block.
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
	Timestamp   ledger.Time        `json:"m_timestamp"` // of the block before
}

// addDetail inserts a detail under the next id, with the head block's time.
func (s *State) addDetail(d TransactionDetail) {
	n := s.details.next()
	d.ID, d.Timestamp = ledger.NewObjectID(2, typeTransactionDetail, n), s.HeadTime()
	s.details.insert(&d)
	appendKey(&s.j, s.detailsOf, d.From, n)
	if d.To != d.From {
		appendKey(&s.j, s.detailsOf, d.To, n)
	}
	if d.NFTData != nil {
		appendKey(&s.j, s.detailsOfNFT, *d.NFTData, n)
	}
}

// Details gives what the account sent or received in an order such as "-time"
// or "+price", beginning at the detail start unless that is not there; at most
// limit of them, or all when limit is negative. Equal ones stay in the order
// of their ids, turned round by "-" (protocol/daemon-api.md 2).
func (s *State) Details(account ledger.AccountID, order string, start ledger.ObjectID, limit int) []*TransactionDetail {
	list := s.detailRows(s.detailsOf[account])
	compare, descending := detailOrder(order)
	first := s.detailAt(start)
	kept := list[:0]
	for _, d := range list {
		if first == nil || (compareWithID(compare, d, first) >= 0) != descending || d == first {
			kept = append(kept, d)
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

// NFTDetails gives what happened to a token, oldest first.
func (s *State) NFTDetails(token ledger.NFTDataID) []*TransactionDetail {
	return s.detailRows(s.detailsOfNFT[token])
}

func (s *State) detailRows(at []uint64) []*TransactionDetail {
	list := make([]*TransactionDetail, len(at))
	for i, n := range at {
		list[i] = s.details.get(n)
	}
	return list
}

func (s *State) detailAt(id ledger.ObjectID) *TransactionDetail {
	if id.Space() != 2 || id.Type() != typeTransactionDetail {
		return nil
	}
	return s.details.get(id.Instance())
}

func compareWithID(compare func(a, b *TransactionDetail) int, a, b *TransactionDetail) int {
	if c := compare(a, b); c != 0 {
		return c
	}
	return cmp.Compare(a.ID, b.ID)
}

// detailOrder reads an order; what it does not know is "-time".
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

// nftKey puts what concerns no token behind everything that does.
func (d *TransactionDetail) nftKey() ledger.NFTDataID {
	if d.NFTData == nil {
		return 1<<48 - 1
	}
	return *d.NFTData
}
