package events

import (
	"slices"

	"billfold/ledger"
	"billfold/walletcore/store"
)

// Changes are the changes of own accounts that the wallet did not make.
type Changes interface {
	Unseen() (changes []store.ObjectChange, ok bool) // newest first
}

// accountChanges publishes each change by others once.
type accountChanges struct {
	from      Changes
	accounts  Accounts
	published map[changeKey]bool // nil: those from before the start are not known yet
}

type changeKey struct {
	object      ledger.ObjectID
	transaction string
}

// changedAccount is a change of an own account by somebody else.
type changedAccount struct {
	Account       string                 `json:"account"`
	AccountID     ledger.AccountID       `json:"account_id"`
	TransactionID string                 `json:"transaction_id"` // or the row of the history where a proposal did it
	BlockNum      uint32                 `json:"block_num"`
	TrxInBlock    uint32                 `json:"trx_in_block"`
	What          string                 `json:"what"` // names in it were chosen by others
	Undone        []ledger.TransactionID `json:"undone"`
}

// next returns the changes that were noticed since the last call, oldest first.
func (a *accountChanges) next() (out []changedAccount) {
	all, read := a.from.Unseen()
	if !read {
		return nil
	}
	first := a.published == nil
	if first {
		a.published = map[changeKey]bool{}
	}
	for _, c := range slices.Backward(all) {
		key := changeKey{c.Object, c.Transaction}
		if a.published[key] {
			continue
		}
		if a.published[key] = true; first {
			continue
		}
		id := ledger.AccountID(c.Object.Instance())
		own, _ := a.accounts.Of(id)
		out = append(out, changedAccount{own.Name, id, c.Transaction, c.Block, c.TrxInBlock, c.Text, append([]ledger.TransactionID{}, c.Undone...)})
	}
	return out
}
