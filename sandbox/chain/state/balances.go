package state

import "billfold/ledger"

// Balance is the object 2.4.N: what one account has of one asset.
type Balance struct {
	ID        ledger.AccountBalanceID `json:"id"`
	Owner     ledger.AccountID        `json:"owner"`
	AssetType ledger.AssetID          `json:"asset_type"`
	Balance   int64                   `json:"balance"`
}

// Supply is the distribution of the core asset, in its smallest unit. The sum
// is always the current supply.
type Supply struct {
	AccountBalances int64 `json:"account_balances"`
	VestingBalances int64 `json:"vesting_balances"`
	Escrows         int64 `json:"escrows"`
	Pools           int64 `json:"pools"`
}

// Balances are the objects 2.4.N.
type Balances struct {
	table[ledger.AccountBalanceID, Balance]
	byHolding index[holding, ledger.AccountBalanceID]
	byOwner   lists[ledger.AccountID, ledger.AccountBalanceID]
}

type holding struct {
	owner ledger.AccountID
	asset ledger.AssetID
}

func newBalances(j *journal) Balances {
	b := Balances{
		byHolding: newIndex[holding, ledger.AccountBalanceID](j),
		byOwner:   newLists[ledger.AccountID, ledger.AccountBalanceID](j),
	}
	b.table.j = j
	return b
}

// Of returns how much the account has of the asset, in its smallest unit.
func (b *Balances) Of(owner ledger.AccountID, asset ledger.AssetID) int64 {
	if id, ok := b.byHolding.find(holding{owner, asset}); ok {
		return b.Get(id).Balance
	}
	return 0
}

// OfAccount returns the balance objects of the account, oldest first, empty ones
// included.
func (b *Balances) OfAccount(owner ledger.AccountID) []*Balance { return b.pick(b.byOwner.of(owner)) }

// Adjust adds delta, which may be negative, to a balance. It returns false, and
// changes nothing, if the account has too little or the sum would overflow.
func (b *Balances) Adjust(owner ledger.AccountID, asset ledger.AssetID, delta int64) bool {
	if delta == 0 {
		return true
	}
	sum, fits := ledger.AddAmounts(b.Of(owner, asset), delta)
	if !fits || sum < 0 {
		return false
	}
	id, ok := b.byHolding.find(holding{owner, asset})
	if ok {
		b.Change(id, func(row *Balance) { row.Balance = sum })
		return true
	}
	id = b.Next()
	b.insert(&Balance{ID: id, Owner: owner, AssetType: asset, Balance: sum})
	b.byHolding.set(holding{owner, asset}, id)
	b.byOwner.add(owner, id)
	return true
}
