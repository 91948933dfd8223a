package walletapi

import (
	"context"
	"fmt"

	"billfold/ledger"
	"billfold/walletcore/build"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
	"billfold/walletcore/payment"
	"billfold/walletcore/payout"
	"billfold/walletcore/vault"
)

type receiptParams struct {
	Account  string   `json:"account" role:"account" help:"name or id of the payer"`
	Plan     string   `json:"plan" help:"its id"`
	Label    string   `json:"label" help:"of the plan; usually empty"`
	Payments int      `json:"payments" help:"how many the plan has"`
	Batches  int      `json:"batches" help:"how many transactions the plan has"`
	Keys     []string `json:"request_keys" help:"of the transactions made, in order"`
}

func payoutMethods() []*Method {
	return []*Method{
		spend("pay_many",
			doc{
				Help: "Makes several payments from one account in one transaction: all or none.", Secret: true,
				Examples: []string{`alice '[{"to":"bobby","amount":"1.5","asset_symbol":"DCT","memo":""}]' true`},
			},
			build.PayMany),
		signs("get_payout_receipt",
			doc{
				Help:     "Returns what a payout paid, signed with an active key of the payer.",
				Result:   "JSON lines, without memos; billfold pay --verify checks them",
				Question: Question{Sentence: "sign a receipt of the payout {plan} by {account}"},
				Examples: []string{`alice 3b1c2e0d 'May' 2 1 ["payout/3b1c2e0d/1/1"]`},
			},
			payoutReceipt),
	}
}

// payoutReceipt returns a signed receipt of the payments with these request keys, as the journal has them.
func payoutReceipt(ctx context.Context, w *Core, p receiptParams) (string, error) {
	payer, err := w.View.Accounts.Get(ctx, p.Account)
	if err != nil {
		return "", err
	}
	key, err := activeKeyOf(w, payer)
	if err != nil {
		return "", err
	}
	_, head, _ := w.View.Chain.Position()
	r := payout.Receipt{Head: payout.ReceiptHead{
		Kind: payout.ReceiptKind, Version: 1, Chain: w.View.Pins.Chain(), Plan: p.Plan, Label: p.Label,
		PayerID: payer.ID, Payer: payer.Name, Payments: p.Payments, Batches: p.Batches, Made: head,
	}}
	for _, key := range p.Keys {
		first, ok := payout.FirstRowOf(key, p.Plan)
		if !ok {
			return "", &fault.Error{Code: fault.BadValue,
				Message: fault.Quote(key) + " is not the request key of a transaction of this plan"}
		}
		made, err := w.Payments.Get(ctx, key)
		if err != nil {
			return "", err
		}
		rows, err := receiptRows(ctx, w, payer.ID, first, made)
		if err != nil {
			return "", err
		}
		r.Rows = append(r.Rows, rows...)
	}
	return r.Sign(key, func(statement []byte) (ledger.Signature, error) {
		return vault.SignStatement(w.Vault, "get_payout_receipt", key, statement)
	})
}

// activeKeyOf returns a key in an account's active authority whose private key is in the wallet.
func activeKeyOf(w *Core, a *ledger.Account) (ledger.PublicKey, error) {
	for _, named := range a.Active.KeyAuths {
		if w.Vault.Holds(named.Key) {
			return named.Key, nil
		}
	}
	return ledger.PublicKey{}, &fault.Error{Code: fault.KeyNotInWallet, Message: "no active key of " + a.Name + " is in this wallet",
		Hint: "the receipt cannot be signed; list_payments shows what was paid"}
}

// receiptRows returns the payments of one transaction, numbered from first on.
func receiptRows(ctx context.Context, w *Core, payer ledger.AccountID, first int, made payment.Info) ([]payout.ReceiptRow, error) {
	names, err := w.View.Namer(ctx, ledgerview.MentionsOf(made.Transaction.Operations...))
	if err != nil {
		return nil, err
	}
	var rows []payout.ReceiptRow
	for i, op := range made.Transaction.Operations {
		moves := op.Moves()
		if len(moves) != 1 || moves[0].From != payer.Object() {
			return nil, &fault.Error{Code: fault.BadValue,
				Message: fmt.Sprintf("transaction %s is not a payout of %s", made.TransactionID, payer)}
		}
		m := moves[0]
		asset := names.Assets[m.Amount.AssetID]
		rows = append(rows, payout.ReceiptRow{Row: first + i, Account: names.ObjectName(m.To), AccountID: m.To,
			Amount: ledger.FormatAmount(m.Amount.Amount, asset.Precision), Asset: asset.Symbol, AssetID: asset.ID,
			TransactionID: made.TransactionID, Operation: i, Block: made.BlockNum, State: made.State})
	}
	return rows, nil
}
