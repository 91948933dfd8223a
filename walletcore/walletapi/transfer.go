package walletapi

import (
	"context"

	"billfold/walletcore"
)

type transferParams struct {
	From   string `json:"from" role:"account" help:"account name or id"`
	To     string `json:"to" role:"destination" help:"account name or id, or a content id 2.13.N"`
	Amount string `json:"amount" role:"amount" help:"decimal text in the asset's precision"`
	Asset  string `json:"asset_symbol" role:"asset" help:"symbol or id"`
	Memo   string `json:"memo" help:"encrypted for the recipient; empty = none"`
}

func transferMethods() []*Method {
	return []*Method{
		spend("transfer", doc{Help: "Pays an amount to an account.", Secret: true, Examples: []string{`alice bobby 12.25 DCT "thank you" true`}},
			func(ctx context.Context, w *Core, p transferParams, how walletcore.Sending) (*walletcore.SignedInfo, error) {
				return w.Transfer(ctx, walletcore.TransferRequest{From: p.From, To: p.To, Amount: p.Amount, Asset: p.Asset, Memo: p.Memo}, how)
			}),
	}
}
