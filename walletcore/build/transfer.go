package build

import (
	"context"

	"billfold/ledger"
)

// TransferParams is what a person or a program asks for, as text.
type TransferParams struct {
	From   string `json:"from"         role:"account"     help:"account name or id"`
	To     string `json:"to"           role:"destination" help:"account name or id, or a content id 2.13.N"`
	Amount string `json:"amount"       role:"amount"      help:"decimal text in the asset's precision"`
	Asset  string `json:"asset_symbol" role:"asset"       help:"symbol or id"`
	Memo   string `json:"memo"                            help:"encrypted for the recipient; empty = none"`
	Plain  bool   `json:"-"` // the memo can be read by anyone; it is encrypted to the recipient otherwise
}

// Transfer pays an amount: the obsolete transfer (0) to an account, transfer
// (39) to content, which the other cannot express (DESIGN decision 1).
func Transfer(ctx context.Context, b *Builder, p TransferParams) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Asset)
	if err != nil {
		return nil, err
	}
	to, err := b.Recipient(ctx, p.To)
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	memo, err := b.Memo(from, to.Account, p.Memo, p.Plain)
	if err != nil {
		return nil, err
	}
	if to.Content {
		return []ledger.Operation{ledger.NewOperation(&ledger.TransferOp{From: from.ID, To: to.Object, Amount: amount, Memo: memo})}, nil
	}
	return []ledger.Operation{
		ledger.NewOperation(&ledger.TransferObsoleteOp{From: from.ID, To: to.Account.ID, Amount: amount, Memo: memo}),
	}, nil
}
