package state

import "billfold/ledger"

// RealSupply adds up the core asset. Pools do not include the fees collected in
// 2.3.0. The node also adds vesting balances of other assets, as if they were DCT;
// here they do not count.
func (s *State) RealSupply() Supply {
	var sum Supply
	for _, b := range s.Balances.All() {
		if b.AssetType == ledger.CoreAsset {
			sum.AccountBalances += b.Balance
		}
	}
	for _, v := range s.Vesting.All() {
		if v.Balance.AssetID == ledger.CoreAsset {
			sum.VestingBalances += v.Balance.Amount
		}
	}
	for _, c := range s.Contents.All() {
		sum.Escrows += c.PublishingFeeEscrow.Amount
	}
	for _, p := range s.Purchases.Open() {
		if p.Price.AssetID == ledger.CoreAsset {
			sum.Escrows += p.Price.Amount
		}
	}
	for _, d := range s.Assets.AllData() {
		sum.Pools += d.CorePool
	}
	return sum
}
