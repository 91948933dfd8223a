package build

import (
	"context"

	"billfold/ledger"
)

// ownedToken finds the owner of a token as the account that acts and pays.
func (b *Builder) ownedToken(ctx context.Context, id ledger.NFTDataID) (*ledger.Account, error) {
	token, err := b.view.Quorum.Token(ctx, id)
	if err != nil {
		return nil, err
	}
	b.rest(tokenFacts(token)...)
	return b.Payer(ctx, token.Owner.String())
}

// TransferNFTDataParams are the parameters of transfer_non_fungible_token_data.
type TransferNFTDataParams struct {
	To   string           `json:"to_account"  help:"account name or id"`
	ID   ledger.NFTDataID `json:"nft_data_id" help:"id of the token"`
	Memo string           `json:"memo"        help:"encrypted for the recipient; empty = none"`
}

// TransferNFTData transfers a token, as its owner. Errors: fault.NoSuchNFT, those of Payer and Receiver.
func TransferNFTData(ctx context.Context, b *Builder, p TransferNFTDataParams) ([]ledger.Operation, error) {
	owner, err := b.ownedToken(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	memo, err := b.Memo(owner, to, p.Memo, false)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.NFTTransferOp{From: owner.ID, To: to.ID, NFTDataID: p.ID, Memo: memo})
}

// BurnNFTDataParams are the parameters of burn_non_fungible_token_data.
type BurnNFTDataParams struct {
	ID ledger.NFTDataID `json:"nft_data_id" help:"id of the token"`
}

// BurnNFTData transfers a token, as its owner, to the null account, which nobody controls. Errors: fault.NoSuchNFT,
// those of Payer.
func BurnNFTData(ctx context.Context, b *Builder, p BurnNFTDataParams) ([]ledger.Operation, error) {
	owner, err := b.ownedToken(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.NFTTransferOp{From: owner.ID, To: ledger.NullAccount, NFTDataID: p.ID})
}

// UpdateNFTDataParams are the parameters of update_non_fungible_token_data.
type UpdateNFTDataParams struct {
	Modifier string                `json:"modifier"    role:"account" help:"account name or id"`
	ID       ledger.NFTDataID      `json:"nft_data_id" help:"id of the token"`
	Data     []ledger.NamedVariant `json:"data"        help:"pairs of a field name and its new value; integers up to 4294967295"`
}

// UpdateNFTData changes fields of a token. Errors: fault.NoSuchNFT, those of Payer.
func UpdateNFTData(ctx context.Context, b *Builder, p UpdateNFTDataParams) ([]ledger.Operation, error) {
	if _, err := b.view.Quorum.Token(ctx, p.ID); err != nil {
		return nil, err
	}
	modifier, err := b.Payer(ctx, p.Modifier)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.NFTUpdateDataOp{Modifier: modifier.ID, NFTDataID: p.ID, Data: p.Data})
}
