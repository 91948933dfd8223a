package build

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
	"billfold/walletcore/ledgerview"
)

// PoolParams are an amount of an asset and an amount of DCT.
type PoolParams struct {
	AssetAmount string `json:"uia_amount" help:"decimal text in the asset's precision; 0 = none"`
	AssetSymbol string `json:"uia_symbol" role:"asset" help:"symbol or id"`
	DCTAmount   string `json:"dct_amount" help:"decimal text; 0 = none"`
	DCTSymbol   string `json:"dct_symbol" help:"DCT"`
}

// FundAssetPoolsParams are the parameters of fund_asset_pools.
type FundAssetPoolsParams struct {
	From        string `json:"from"       role:"account" help:"account name or id"`
	AssetAmount string `json:"uia_amount" help:"decimal text in the asset's precision; 0 = none"`
	AssetSymbol string `json:"uia_symbol" role:"asset" help:"symbol or id"`
	DCTAmount   string `json:"dct_amount" help:"decimal text; 0 = none"`
	DCTSymbol   string `json:"dct_symbol" help:"DCT"`
}

// FundAssetPools pays into the pools of an asset, which are used to exchange fees paid in it.
func FundAssetPools(ctx context.Context, b *Builder, p FundAssetPoolsParams) ([]ledger.Operation, error) {
	from, err := b.Payer(ctx, p.From)
	if err != nil {
		return nil, err
	}
	asset, err := b.Asset(ctx, p.AssetSymbol)
	if err != nil {
		return nil, err
	}
	of, dct, err := b.poolAmounts(ctx, asset, PoolParams{p.AssetAmount, p.AssetSymbol, p.DCTAmount, p.DCTSymbol})
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetFundPoolsOp{FromAccount: from.ID, UIAAsset: of, DCTAsset: dct})
}

// ClaimFees withdraws collected fees from the pools of an asset, as its issuer.
func ClaimFees(ctx context.Context, b *Builder, p PoolParams) ([]ledger.Operation, error) {
	asset, issuer, err := b.issuedAsset(ctx, p.AssetSymbol)
	if err != nil {
		return nil, err
	}
	of, dct, err := b.poolAmounts(ctx, asset, p)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.AssetClaimFeesOp{Issuer: issuer.ID, UIAAsset: of, DCTAsset: dct})
}

// poolAmounts parses both amounts. Each may be zero.
func (b *Builder) poolAmounts(ctx context.Context, asset ledgerview.AssetRef, p PoolParams) (of, dct ledger.AssetAmount, err error) {
	if of, err = b.AmountOrZero(p.AssetAmount, asset); err != nil {
		return of, dct, err
	}
	core, err := b.dctAsset(ctx, p.DCTSymbol)
	if err != nil {
		return of, dct, err
	}
	dct, err = b.AmountOrZero(p.DCTAmount, core)
	return of, dct, err
}

// dctAsset finds an asset that must be DCT. Error: fault.BadValue.
func (b *Builder) dctAsset(ctx context.Context, symbolOrID string) (ledgerview.AssetRef, error) {
	asset, err := b.Asset(ctx, symbolOrID)
	if err == nil && asset.ID != ledger.CoreAsset {
		err = &fault.Error{Code: fault.BadValue, Op: b.op, Message: "this takes an amount of DCT, not of " + asset.Symbol,
			Hint: "write DCT"}
	}
	return asset, err
}
