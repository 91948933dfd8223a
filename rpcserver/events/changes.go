package events

import (
	"slices"

	"billfold/ledger"
	"billfold/walletcore/store"
	"billfold/walletcore/walletapi"
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

// next returns the changes that were noticed since the last call, oldest first.
func (a *accountChanges) next() (out []walletapi.AccountEvent) {
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
		out = append(out, walletapi.AccountEvent{Account: own.Name, AccountID: id, TransactionID: c.Transaction, BlockNum: c.Block,
			TrxInBlock: c.TrxInBlock, What: c.Text, Undone: append([]ledger.TransactionID{}, c.Undone...)})
	}
	return out
}
