package testwallet

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/payment"
	"billfold/walletcore/txbuild"
)

// OneDCT returns a transfer of 1 DCT from alice to bobby.
func OneDCT() txbuild.TransferParams {
	return txbuild.TransferParams{From: "alice", To: "bobby", Amount: "1", Asset: "DCT"}
}

// Account reads an account of the ledger.
func (w *Wallet) Account(name string) *ledger.Account {
	w.T.Helper()
	a, err := w.View.Accounts.Get(w.Ctx, name)
	Must(w.T, err)
	return a
}

// DCT returns what an account holds of the core asset.
func (w *Wallet) DCT(name string) int64 {
	w.T.Helper()
	rows, err := w.View.Assets.Balances(w.Ctx, w.Account(name).ID)
	Must(w.T, err)
	for _, row := range rows {
		if row.Asset.ID == ledger.CoreAsset {
			return row.Amount
		}
	}
	return 0
}

// Transfer makes a transfer as req says.
func (w *Wallet) Transfer(req txbuild.TransferParams, how payment.Sending) (*txbuild.Signed, error) {
	return w.Payments.Spend(w.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer), how)
}

// Pay sends a transfer of DCT.
func (w *Wallet) Pay(from, to, amount, memo string) *txbuild.Signed {
	w.T.Helper()
	sent, err := w.Transfer(txbuild.TransferParams{From: from, To: to, Amount: amount, Asset: "DCT", Memo: memo},
		payment.Sending{Broadcast: true})
	Must(w.T, err)
	return sent
}

// Prepare builds a transfer that is not sent yet.
func (w *Wallet) Prepare(req txbuild.TransferParams) *txbuild.Prepared {
	w.T.Helper()
	made, err := w.Payments.Prepare(w.Ctx, txbuild.NewRequest("transfer", req, txbuild.Transfer))
	Must(w.T, err)
	return made
}

// Payment finds a payment of this run of the wallet.
func (w *Wallet) Payment(id ledger.TransactionID) payment.Payment {
	w.T.Helper()
	for _, p := range w.Payments.Recent() {
		if p.ID == id {
			return p
		}
	}
	w.T.Fatalf("no payment %s", id)
	return payment.Payment{}
}

// Send broadcasts ready operations.
func (w *Wallet) Send(ops ...ledger.Operation) {
	w.T.Helper()
	_, err := w.Payments.Spend(w.Ctx, Ready(ops...), payment.Sending{Broadcast: true})
	Must(w.T, err)
}

// Ready returns a request of ready operations. It looks up only the payer, the payee and the amount, which have names.
func Ready(ops ...ledger.Operation) txbuild.Request {
	return txbuild.NewRequest("ready", struct{}{}, func(ctx context.Context, b *txbuild.Builder, _ struct{}) ([]ledger.Operation, error) {
		for _, op := range ops {
			if _, err := b.Payer(ctx, op.Body.FeePayer().String()); err != nil {
				return nil, err
			}
			for _, m := range op.Moves() {
				asset, err := b.Asset(ctx, m.Amount.AssetID.String())
				if err == nil && m.To != 0 {
					_, err = b.Recipient(ctx, m.To.String())
				}
				if err == nil {
					_, err = b.Amount(asset.Decimals(m.Amount.Amount), asset)
				}
				if err != nil {
					return nil, err
				}
			}
		}
		return ops, nil
	})
}
