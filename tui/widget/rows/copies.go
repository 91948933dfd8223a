package rows

import (
	"billfold/ledger"
	"billfold/tui/format"
	"billfold/tui/screen"
	"billfold/walletcore/history"
	"billfold/walletcore/payment"
)

// Copies lists what can be copied from a row of the history. An encrypted memo is private.
func Copies(e history.Entry) []screen.Value {
	out := []screen.Value{{Name: "Object id", Text: e.ID.String()}}
	if e.With.Name != "" {
		out = append(out, screen.Value{Name: "Other side", Text: e.With.Name})
	}
	out = append(out, screen.Value{Name: "Other side, id", Text: e.With.ID.String()})
	if e.Amount != 0 {
		out = append(out, screen.Value{Name: "Amount", Text: format.Digits(e.Asset, e.Amount) + " " + e.Asset.Symbol})
	}
	for _, also := range e.Also {
		out = append(out, screen.Value{Name: "Amount", Text: format.Digits(also.Asset, also.Amount) + " " + also.Asset.Symbol})
	}
	if e.Memo != "" {
		out = append(out, screen.Value{Name: "Memo text", Text: e.Memo, Private: true})
	}
	if e.Time != 0 {
		out = append(out, screen.Value{Name: "Time", Text: format.UTC(e.Time)})
	}
	return out
}

// CopiesOf lists what can be copied from a payment of this wallet.
func CopiesOf(p payment.Payment) []screen.Value {
	out := []screen.Value{
		{Name: "Tx id", Text: p.ID.String()},
		{Name: "To", Text: format.RecipientID(p.Review)},
		{Name: "Amount", Text: format.Digits(p.Review.Asset, p.Review.Amount) + " " + p.Review.Asset.Symbol},
	}
	if p.ID == (ledger.TransactionID{}) { // it is being signed
		return out[1:]
	}
	return out
}
