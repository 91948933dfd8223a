package txbuild

import (
	"context"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// CreateNFTParams are the parameters of create_non_fungible_token.
type CreateNFTParams struct {
	Issuer       string                     `json:"issuer"           role:"account" help:"account name or id"`
	Symbol       string                     `json:"symbol"           help:"3 to 16 capital letters, digits and points"`
	Description  string                     `json:"description"      help:"at most 1000 bytes"`
	Definitions  []ledger.NFTDataDefinition `json:"definitions"      help:"fields of a token: unique, modifiable, type, name"`
	MaxSupply    uint32                     `json:"max_supply"       help:"how many tokens there may be"`
	FixedSupply  bool                       `json:"fixed_max_supply" help:"true: max_supply can never change"`
	Transferable bool                       `json:"transferable"     help:"true: tokens can be transferred"`
}

// CreateNFT creates a kind of non-fungible token. Errors: fault.NFTExists, those of Payer.
func CreateNFT(ctx context.Context, b *Builder, p CreateNFTParams) ([]ledger.Operation, error) {
	if _, err := b.view.Quorum.Kind(ctx, p.Symbol); err == nil && !b.Repeated() {
		return nil, &fault.Error{Code: fault.NFTExists, Op: b.op, Hint: "choose another symbol",
			Message: "there are tokens called " + fault.Quote(p.Symbol) + " already"}
	} else if err != nil && fault.CodeOf(err) != fault.NoSuchNFT {
		return nil, err
	}
	issuer, err := b.Payer(ctx, p.Issuer)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.NFTCreateDefinitionOp{Symbol: p.Symbol, Definitions: p.Definitions, Transferable: p.Transferable,
		Options: ledger.NFTOptions{Issuer: issuer.ID, MaxSupply: p.MaxSupply, FixedMaxSupply: p.FixedSupply, Description: p.Description}})
}

// kindAndIssuer finds a kind of token, and its issuer as the account that acts and pays.
func (b *Builder) kindAndIssuer(ctx context.Context, symbolOrID string) (*ledger.NFT, *ledger.Account, error) {
	kind, err := b.view.Quorum.Kind(ctx, symbolOrID)
	if err != nil {
		return nil, nil, err
	}
	b.rest(kindFacts(kind)...)
	issuer, err := b.Payer(ctx, kind.Options.Issuer.String())
	return kind, issuer, err
}

// UpdateNFTParams are the parameters of update_non_fungible_token.
type UpdateNFTParams struct {
	NewIssuer   string `json:"issuer"           help:"account name or id; empty = the issuer stays"`
	Symbol      string `json:"symbol"           help:"symbol, or id such as 1.10.5"`
	Description string `json:"description"      help:"at most 1000 bytes"`
	MaxSupply   uint32 `json:"max_supply"       help:"how many tokens there may be"`
	FixedSupply bool   `json:"fixed_max_supply" help:"true: max_supply can never change"`
}

// UpdateNFT changes a kind of non-fungible token, as its issuer. Errors: fault.NoSuchNFT, those of Payer.
func UpdateNFT(ctx context.Context, b *Builder, p UpdateNFTParams) ([]ledger.Operation, error) {
	kind, issuer, err := b.kindAndIssuer(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	options := ledger.NFTOptions{Issuer: issuer.ID, MaxSupply: p.MaxSupply, FixedMaxSupply: p.FixedSupply, Description: p.Description}
	if p.NewIssuer != "" {
		to, err := b.Receiver(ctx, p.NewIssuer)
		if err != nil {
			return nil, err
		}
		options.Issuer = to.ID
	}
	return b.exactly(&ledger.NFTUpdateDefinitionOp{CurrentIssuer: issuer.ID, NFTID: kind.ID, Options: options})
}

// IssueNFTParams are the parameters of issue_non_fungible_token.
type IssueNFTParams struct {
	To     string           `json:"to_account"       help:"account name or id"`
	Symbol string           `json:"symbol"           help:"symbol, or id such as 1.10.5"`
	Data   []ledger.Variant `json:"data"             help:"a value for each field, in order; integers up to 4294967295"`
	Memo   string           `json:"memo"             help:"encrypted for the recipient; empty = none"`
}

// IssueNFT issues a token, as the issuer of its kind. Errors: fault.NoSuchNFT, those of Payer and Receiver.
func IssueNFT(ctx context.Context, b *Builder, p IssueNFTParams) ([]ledger.Operation, error) {
	kind, issuer, err := b.kindAndIssuer(ctx, p.Symbol)
	if err != nil {
		return nil, err
	}
	to, err := b.Receiver(ctx, p.To)
	if err != nil {
		return nil, err
	}
	memo, err := b.Memo(issuer, to, p.Memo, false)
	if err != nil {
		return nil, err
	}
	return b.exactly(&ledger.NFTIssueOp{Issuer: issuer.ID, To: to.ID, NFTID: kind.ID, Data: p.Data, Memo: memo})
}

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
