package reconcile

import (
	"billfold/ledger"
	"billfold/walletcore/balance"
)

// effectByNode returns the effect on an account as the node reports it, with signs. Of what the account paid to itself
// the node reports only the receiving side.
func effectByNode(id ledger.AccountID, c ledger.BalanceChange, fee ledger.AssetAmount) balance.Effect {
	e := balance.NewEffect()
	e.Fee = fee
	for _, a := range []ledger.AssetAmount{c.Balance.Asset0, c.Balance.Asset1} {
		if a.Amount > 0 {
			e.Receive(a.AssetID, a.Amount)
		} else {
			e.Pay(a.AssetID, -a.Amount)
		}
	}
	for _, m := range c.Record.Op.Moves() {
		if m.From == id.Object() && m.To == id.Object() {
			e.Pay(m.Amount.AssetID, m.Amount.Amount)
		}
	}
	return e
}
