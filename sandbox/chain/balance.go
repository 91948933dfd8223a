package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// Balance is what the account has of the asset, in its smallest unit.
func (s *State) Balance(owner ledger.AccountID, asset ledger.AssetID) int64 {
	if n, ok := s.byHolding[holding{owner, asset}]; ok {
		return s.balances.get(n).Balance
	}
	return 0
}

// Balances gives the balance objects of the account, in the order they were
// made, empty ones included.
func (s *State) Balances(owner ledger.AccountID) []*Balance {
	list := make([]*Balance, 0, len(s.holdings[owner]))
	for _, n := range s.holdings[owner] {
		list = append(list, s.balances.get(n))
	}
	return list
}

// adjust adds delta, which may be negative, to a balance. It fails when the
// account has too little, or an amount would not fit.
func (s *State) adjust(owner ledger.AccountID, asset ledger.AssetID, delta int64) *nodeerr.Fault {
	if delta == 0 {
		return nil
	}
	have := s.Balance(owner, asset)
	sum, ok := ledger.AddAmounts(have, delta)
	if !ok || sum < 0 {
		return s.shortOf(owner, asset, have, delta)
	}
	n, ok := s.byHolding[holding{owner, asset}]
	if ok {
		s.balances.change(n, func(b *Balance) { b.Balance = sum })
		return nil
	}
	n = s.balances.next()
	s.balances.insert(&Balance{ID: ledger.AccountBalanceID(n), Owner: owner, AssetType: asset, Balance: sum})
	setKey(&s.j, s.byHolding, holding{owner, asset}, n)
	appendKey(&s.j, s.holdings, owner, n)
	return nil
}

func (s *State) shortOf(owner ledger.AccountID, asset ledger.AssetID, have, delta int64) *nodeerr.Fault {
	return nodeerr.Assert("adjust_balance", "balance >= -delta: Insufficient Balance: ${a} has ${b}, less than the required ${r}", nodeerr.Data{
		"a": s.Account(owner).Name,
		"b": s.pretty(ledger.AssetAmount{Amount: have, AssetID: asset}),
		"r": s.pretty(ledger.AssetAmount{Amount: -delta, AssetID: asset}),
	})
}

// pretty is the amount with its symbol, "1.50000000 DCT".
func (s *State) pretty(a ledger.AssetAmount) string {
	asset := s.Asset(a.AssetID)
	return ledger.FormatAmount(a.Amount, asset.Precision) + " " + asset.Symbol
}

// Supply says where the core asset is, in its smallest unit. The sum is the
// current supply, whatever happens.
type Supply struct {
	AccountBalances int64 `json:"account_balances"`
	VestingBalances int64 `json:"vesting_balances"`
	Escrows         int64 `json:"escrows"`
	Pools           int64 `json:"pools"`
}

// RealSupply adds up the core asset. Pools do not contain the fees collected
// in 2.3.0. The node also adds vesting balances of other assets, as if they
// were DCT; here they do not count.
func (s *State) RealSupply() Supply {
	var sum Supply
	for _, b := range s.balances.rows {
		if b.AssetType == ledger.CoreAsset {
			sum.AccountBalances += b.Balance
		}
	}
	for _, v := range s.vesting.rows {
		if v.Balance.AssetID == ledger.CoreAsset {
			sum.VestingBalances += v.Balance.Amount
		}
	}
	for _, d := range s.assetData.rows {
		sum.Pools += d.CorePool
	}
	return sum
}
