package build

import (
	"context"

	"billfold/ledger"
)

// ReserveAssetParams are those of reserve_asset.
type ReserveAssetParams struct {
	From   string `json:"from"   role:"account" help:"account name or id"`
	Amount string `json:"amount" role:"amount"  help:"decimal text in the asset's precision"`
	Symbol string `json:"symbol" role:"asset"   help:"symbol or id"`
}

// ReserveAsset burns an amount of a user-issued asset: nobody has it any more, and its
// issuer may issue it again.
func ReserveAsset(ctx context.Context, b *Builder, p ReserveAssetParams) ([]ledger.Operation, error) {
	payer, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	amount, err := b.Amount(p.Amount, asset)
	if err != nil {
		return nil, err
	}
	return []ledger.Operation{ledger.NewOperation(&ledger.AssetReserveOp{Payer: payer.ID, AmountToReserve: amount})}, nil
}
