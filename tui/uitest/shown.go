package uitest

import (
	"time"

	"billfold/ledger"
)

// Shown returns the scene of the golden screens: that of Rows, with two payments on their way.
func Shown() Scene { return Scene{Past: rows, Wallet: shownPayments} }

// Rows returns a scene in which alice has six rows of history and four assets.
func Rows() Scene { return Scene{Past: rows} }

// Charted returns Shown with a history index, so that past balances are known.
func Charted() Scene { return Scene{Past: charted, Wallet: shownPayments} }

var charted = &Past{Ledger: shownRows, Index: true}

var rows = &Past{Ledger: shownRows}

// shownRows makes the six rows, in the days before Start.
func shownRows(w *World) {
	w.Ago(200 * time.Hour)
	w.Push(&ledger.AccountUpdateOp{Account: Alice.ID, NewOptions: w.options(Alice.Name)})
	w.Mine()
	w.Ago(140 * time.Hour)
	w.Pay(Transfer{From: Alice, To: Bob, Amount: 75_00000000})
	w.Ago(75 * time.Hour)
	w.Pay(Transfer{From: Bob, To: Alice, Amount: 1400_00000000, Memo: Plain("invoice 88")})
	w.Ago(70 * time.Hour)
	w.Pay(Transfer{From: Caro1, To: Alice, Amount: 1, Memo: Plain("refund here")})
	w.Ago(5 * time.Hour)
	w.Pay(Transfer{From: Merchant, To: Alice, Amount: 12_50000000,
		Memo: w.Secret(KeyOf(Merchant.Name), KeyOf("a key that alice had").Public(), "order 7")})
	w.Ago(time.Hour)
	w.Pay(Transfer{From: Alice, To: Carol, Amount: 240_00000000,
		Memo: w.Secret(KeyOf(Alice.Name), KeyOf(Carol.Name).Public(), "rent october, thank you")})
}

// options returns the options that an account has already.
func (w *World) options(account string) *ledger.AccountOptions {
	o := ledger.NewAccountOptions(KeyOf(account).Public())
	return &o
}

// shownPayments makes two payments: one with an unknown outcome, and one that is in a block.
func shownPayments(w *World) {
	w.Ago(17 * time.Second) // between two blocks
	Must(w.T, w.Ledger.RefuseBroadcast(10, "the pending list is full"))
	if paid, err := w.Send(Bob, "10"); err == nil {
		w.T.Fatal("the payment to bob was accepted:", paid.State)
	}
	w.Ago(10 * time.Second)
	_, err := w.Send(Carol, "120")
	Must(w.T, err)
}
