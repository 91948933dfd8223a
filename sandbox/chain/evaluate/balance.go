package evaluate

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// adjust adds delta, which may be negative, to a balance. It fails if the account
// has too little or the sum would overflow.
func adjust(s *state.State, owner ledger.AccountID, asset ledger.AssetID, delta int64) *nodeerr.Error {
	if s.Balances.Adjust(owner, asset, delta) {
		return nil
	}
	return nodeerr.Assert("adjust_balance", "balance >= -delta: Insufficient Balance: ${a} has ${b}, less than the required ${r}",
		nodeerr.Data{
			"a": s.Accounts.Get(owner).Name,
			"b": amountText(s, ledger.AssetAmount{Amount: s.Balances.Of(owner, asset), AssetID: asset}),
			"r": amountText(s, ledger.AssetAmount{Amount: -delta, AssetID: asset}),
		})
}

// pay moves an amount from one account to another.
func pay(s *state.State, from, to ledger.AccountID, amount ledger.AssetAmount) *nodeerr.Error {
	if fault := adjust(s, from, amount.AssetID, -amount.Amount); fault != nil {
		return fault
	}
	return adjust(s, to, amount.AssetID, amount.Amount)
}

// issue issues units of an asset to the account. With a negative amount it takes
// units from the account and destroys them.
func issue(s *state.State, owner ledger.AccountID, amount ledger.AssetAmount) *nodeerr.Error {
	s.Assets.ChangeData(amount.AssetID, func(d *state.AssetData) { d.CurrentSupply += amount.Amount })
	return adjust(s, owner, amount.AssetID, amount.Amount)
}

// amountText returns the amount with its symbol, "1.50000000 DCT".
func amountText(s *state.State, a ledger.AssetAmount) string {
	asset := s.Assets.Get(a.AssetID)
	return ledger.FormatAmount(a.Amount, asset.Precision) + " " + asset.Symbol
}
