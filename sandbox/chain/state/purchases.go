package state

import (
	"slices"

	"billfold/ledger"
)

// Purchases are the objects 2.12.N.
type Purchases struct {
	table[ledger.BuyingID, ledger.Buying]
	byConsumer lists[ledger.AccountID, ledger.BuyingID]
	byURI      lists[string, ledger.BuyingID]
	open       cell[[]ledger.BuyingID]
}

func newPurchases(j *journal) Purchases {
	p := Purchases{byConsumer: newLists[ledger.AccountID, ledger.BuyingID](j), byURI: newLists[string, ledger.BuyingID](j)}
	p.table.j, p.open.j = j, j
	return p
}

// Add inserts a purchase, which is open, under the next id.
func (p *Purchases) Add(purchase ledger.Buying) ledger.BuyingID {
	purchase.ID = p.Next()
	p.insert(&purchase)
	p.byConsumer.add(purchase.Consumer, purchase.ID)
	p.byURI.add(purchase.URI, purchase.ID)
	p.open.set(append(slices.Clone(p.open.value), purchase.ID))
	return purchase.ID
}

// Close changes a purchase as edit does, which sets it delivered or expired.
func (p *Purchases) Close(id ledger.BuyingID, edit func(*ledger.Buying)) {
	p.Change(id, edit)
	p.open.set(slices.DeleteFunc(slices.Clone(p.open.value), func(other ledger.BuyingID) bool { return other == id }))
}

// Open returns the purchases that are neither delivered nor expired, oldest first.
func (p *Purchases) Open() []*ledger.Buying { return p.pick(p.open.value) }

// By returns the purchases of a consumer, oldest first.
func (p *Purchases) By(consumer ledger.AccountID) []*ledger.Buying {
	return p.pick(p.byConsumer.of(consumer))
}

// Of returns the purchases of the content of a URI, oldest first.
func (p *Purchases) Of(uri string) []*ledger.Buying { return p.pick(p.byURI.of(uri)) }

// Between returns the newest purchase of the content by the consumer, or nil.
func (p *Purchases) Between(consumer ledger.AccountID, uri string) *ledger.Buying {
	list := p.By(consumer)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].URI == uri {
			return list[i]
		}
	}
	return nil
}
