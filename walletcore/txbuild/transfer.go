package txbuild

import (
	"context"

	"billfold/ledger"
)

// TransferParams are the parameters of transfer, as a person or a program writes them.
type TransferParams struct {
	From   string `json:"from"         role:"account"     help:"account name or id"`
	To     string `json:"to"           role:"destination" help:"account name or id, or a content id 2.13.N"`
	Amount string `json:"amount"       role:"amount"      help:"decimal text in the asset's precision"`
	Asset  string `json:"asset_symbol" role:"asset"       help:"symbol or id"`
	Memo   string `json:"memo"                            help:"encrypted for the recipient; empty = none"`
	Plain  bool   `json:"-"` // anyone can read the memo; otherwise it is encrypted for the recipient
}

// Transfer pays an amount. It uses the obsolete transfer (0) for an account, and
// transfer (39) for content, which the former cannot express.
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
