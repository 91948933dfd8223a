package uitest

import (
	"billfold/ledger"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// Transfer is a payment between accounts of a World.
type Transfer struct {
	From, To ledgerview.AccountRef
	Asset    ledgerview.AssetRef
	Amount   int64
	Memo     *ledger.Memo
}

// Body returns the operation.
func (p Transfer) Body() ledger.Body {
	return &ledger.TransferObsoleteOp{From: p.From.ID, To: p.To.ID, Memo: p.Memo,
		Amount: ledger.AssetAmount{Amount: p.Amount, AssetID: p.Asset.ID}}
}

// Pay puts a transfer into a block of its own.
func (w *World) Pay(p Transfer) {
	w.Push(p.Body())
	w.Mine()
}

// Push adds an operation to the next block without the signatures that it needs.
func (w *World) Push(op ledger.Body) {
	w.T.Helper()
	_, err := w.Ledger.PushUnsigned(ledger.NewOperation(op))
	Must(w.T, err)
}

// Plain returns an unencrypted memo, which everybody can read.
func Plain(text string) *ledger.Memo {
	m := ledger.PlainMemo(text)
	return &m
}

// Secret returns a memo that is encrypted from the owner of one key to the owner of another.
func (w *World) Secret(from ledger.PrivateKey, to ledger.PublicKey, text string) *ledger.Memo {
	m, err := ledger.EncryptMemo(from, to, 88, text)
	Must(w.T, err)
	return &m
}

// Send makes a payment in DCT from Alice with the wallet, without the UI.
func (w *World) Send(to ledgerview.AccountRef, amount string) (payment.Payment, error) {
	w.T.Helper()
	request := txbuild.TransferParams{From: Alice.Name, To: to.Name, Amount: amount, Asset: DCT.Symbol}
	prepared, err := w.Wallet.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer", request, txbuild.Transfer))
	Must(w.T, err)
	return w.Wallet.Payments.Send(w.Ctx, prepared)
}
