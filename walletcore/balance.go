package walletcore

import "billfold/ledger"

// AccountRef names an account the way it is always shown: name and id.
type AccountRef struct {
	ID   ledger.AccountID
	Name string
}

// AssetRef is what is needed to show an amount.
type AssetRef struct {
	ID        ledger.AssetID
	Symbol    string
	Precision uint8
}

// Format writes amount (smallest unit) with all decimals and the symbol, "1.50000000 DCT".
func (a AssetRef) Format(amount int64) string {
	return a.Decimals(amount) + " " + a.Symbol
}

// Balance is what an account holds of one asset.
type Balance struct {
	Asset  AssetRef
	Amount int64 // smallest unit
}
