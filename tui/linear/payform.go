package linear

import (
	"billfold/tui/page/send"
	"billfold/walletcore/build"
	"billfold/walletcore/ledgerview"
)

// paying is the page of a payment: its questions, its review, what became of it.
type paying struct {
	clerk
	form     build.TransferParams
	name     string // of the recipient, once it is found
	given    given
	known    *send.Known
	balances []ledgerview.Balance
	feeAsset ledgerview.AssetRef
	fee      int64
}

// given are the questions that were answered with the words of the page, or by what is repeated: they are asked only by back.
type given struct{ to, amount, memo, kind bool }

// clear forgets what was answered.
func (p *paying) clear() { p.form, p.name, p.given = build.TransferParams{}, "", given{} }
