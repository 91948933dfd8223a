package ledger

import (
	"errors"
	"fmt"
)

// Codes of the operations on non-fungible tokens.
const (
	CodeNFTCreateDefinition OpCode = 41 // non_fungible_token_create_definition
	CodeNFTUpdateDefinition OpCode = 42 // non_fungible_token_update_definition
	CodeNFTIssue            OpCode = 43 // non_fungible_token_issue
	CodeNFTTransfer         OpCode = 44 // non_fungible_token_transfer
	CodeNFTUpdateData       OpCode = 45 // non_fungible_token_update_data
)

// maxDataName is the longest name of a field, in bytes (docs/protocol/ledger.md 8).
const maxDataName = 32

// NFTCreateDefinitionOp creates a kind of non-fungible token.
type NFTCreateDefinitionOp struct {
	Fee          AssetAmount         `json:"fee,omitempty"`
	Symbol       string              `json:"symbol"`
	Options      NFTOptions          `json:"options"`
	Definitions  []NFTDataDefinition `json:"definitions"`
	Transferable bool                `json:"transferable"`
	Extensions   Extensions          `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *NFTCreateDefinitionOp) FeePayer() AccountID { return op.Options.Issuer }

func (*NFTCreateDefinitionOp) declared() *declaration { return &nftCreateDefinitionDeclaration }

var nftCreateDefinitionDeclaration = declaration{
	code: CodeNFTCreateDefinition, name: "non_fungible_token_create_definition", new: empty[NFTCreateDefinitionOp],
	fee: feeRule{fixed: 100_000, perKByte: 10, basic: true, base: base(func(f FeeParameters, op *NFTCreateDefinitionOp) (uint64, error) {
		f.Fee *= symbolFactor(op.Symbol)
		return f.plusEach(len(op.Definitions), func(i int) any { return &op.Definitions[i] }, nil)
	})},
	rules:    rules((*NFTCreateDefinitionOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{options.issuer} created the token {symbol}"),
}

func (op *NFTCreateDefinitionOp) valid() error {
	if err := check(ValidSymbol(op.Symbol), validDescription(op.Options.Description)); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, d := range op.Definitions {
		if d.Name == nil {
			if d.Modifiable != 0 {
				return errors.New("a field that can be changed needs a name")
			}
			continue
		}
		if len(*d.Name) > maxDataName || seen[*d.Name] {
			return fmt.Errorf("a field's name has at most %d bytes and occurs once", maxDataName)
		}
		seen[*d.Name] = true
	}
	return nil
}

// NFTUpdateDefinitionOp changes a kind of non-fungible token.
type NFTUpdateDefinitionOp struct {
	Fee           AssetAmount `json:"fee,omitempty"`
	CurrentIssuer AccountID   `json:"current_issuer"`
	NFTID         NFTID       `json:"nft_id"`
	Options       NFTOptions  `json:"options"`
	Extensions    Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *NFTUpdateDefinitionOp) FeePayer() AccountID { return op.CurrentIssuer }

func (*NFTUpdateDefinitionOp) declared() *declaration { return &nftUpdateDefinitionDeclaration }

var nftUpdateDefinitionDeclaration = declaration{
	code: CodeNFTUpdateDefinition, name: "non_fungible_token_update_definition", new: empty[NFTUpdateDefinitionOp],
	fee:      flatFee(500_000),
	rules:    rules((*NFTUpdateDefinitionOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	gives:    gives(func(op *NFTUpdateDefinitionOp) []AccountID { return []AccountID{op.Options.Issuer} }),
	sentence: template("{current_issuer} changed the token {nft_id}"),
}

// effects names the new issuer.
func (op *NFTUpdateDefinitionOp) effects(_ Before, n Namer) []Effect {
	if op.Options.Issuer == op.CurrentIssuer {
		return nil
	}
	return []Effect{newIssuer(n.KindName(op.NFTID), op.CurrentIssuer, op.Options.Issuer, n)}
}

func (op *NFTUpdateDefinitionOp) valid() error { return validDescription(op.Options.Description) }

// NFTIssueOp issues a non-fungible token.
type NFTIssueOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	Issuer     AccountID   `json:"issuer"`
	To         AccountID   `json:"to"`
	NFTID      NFTID       `json:"nft_id"`
	Data       []Variant   `json:"data"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the issuer.
func (op *NFTIssueOp) FeePayer() AccountID { return op.Issuer }

func (op *NFTIssueOp) memo() **Memo { return &op.Memo }

func (*NFTIssueOp) declared() *declaration { return &nftIssueDeclaration }

var nftIssueDeclaration = declaration{
	code: CodeNFTIssue, name: "non_fungible_token_issue", new: empty[NFTIssueOp],
	fee: feeRule{fixed: 500_000, perKByte: 10, base: base(func(f FeeParameters, op *NFTIssueOp) (uint64, error) {
		return f.plusEach(len(op.Data), func(i int) any { return &op.Data[i] }, &op.Memo)
	})},
	rules:    rules((*NFTIssueOp).valid),
	signs:    payerSigns,
	touches:  touches(func(op *NFTIssueOp) []AccountID { return []AccountID{op.To} }),
	moves:    movesNothing,
	gives:    gives(func(op *NFTIssueOp) []AccountID { return []AccountID{op.To} }),
	sentence: template("{issuer} issued a token {nft_id} to {to}"),
}

func (op *NFTIssueOp) valid() error {
	for _, value := range op.Data {
		if err := value.survivesJSON(); err != nil {
			return err
		}
	}
	return nil
}

// NFTTransferOp moves a non-fungible token.
type NFTTransferOp struct {
	Fee        AssetAmount `json:"fee,omitempty"`
	From       AccountID   `json:"from"`
	To         AccountID   `json:"to"`
	NFTDataID  NFTDataID   `json:"nft_data_id"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer returns the sender.
func (op *NFTTransferOp) FeePayer() AccountID { return op.From }

func (op *NFTTransferOp) memo() **Memo { return &op.Memo }

func (*NFTTransferOp) declared() *declaration { return &nftTransferDeclaration }

var nftTransferDeclaration = declaration{
	code: CodeNFTTransfer, name: "non_fungible_token_transfer", new: empty[NFTTransferOp],
	fee:      flatFee(500_000),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touches(func(op *NFTTransferOp) []AccountID { return []AccountID{op.To} }),
	moves:    movesNothing,
	gives:    gives(func(op *NFTTransferOp) []AccountID { return []AccountID{op.To} }),
	sentence: words((*NFTTransferOp).sentence),
}

// effects warns that a token is burned.
func (op *NFTTransferOp) effects(Before, Namer) []Effect {
	if op.To != NullAccount {
		return nil
	}
	return []Effect{{What: "the token " + op.NFTDataID.String(), Now: "destroyed", Careful: "the token is destroyed for ever"}}
}

// sentence describes a transfer; one to 1.2.1 burns the token.
func (op *NFTTransferOp) sentence(n Namer) string {
	if op.To == NullAccount {
		return fmt.Sprintf("%s burned the token %s", n.AccountName(op.From), op.NFTDataID)
	}
	return fmt.Sprintf("%s gave the token %s to %s", n.AccountName(op.From), op.NFTDataID, n.AccountName(op.To))
}

// NFTUpdateDataOp changes the data of a non-fungible token.
type NFTUpdateDataOp struct {
	Fee        AssetAmount    `json:"fee,omitempty"`
	Modifier   AccountID      `json:"modifier"`
	NFTDataID  NFTDataID      `json:"nft_data_id"`
	Data       []NamedVariant `json:"data"`
	Extensions Extensions     `json:"extensions"`
}

// FeePayer returns the account that changes the data.
func (op *NFTUpdateDataOp) FeePayer() AccountID { return op.Modifier }

func (*NFTUpdateDataOp) declared() *declaration { return &nftUpdateDataDeclaration }

var nftUpdateDataDeclaration = declaration{
	code: CodeNFTUpdateData, name: "non_fungible_token_update_data", new: empty[NFTUpdateDataOp],
	fee: feeRule{fixed: 500_000, perKByte: 10, base: base(func(f FeeParameters, op *NFTUpdateDataOp) (uint64, error) {
		return f.plusEach(len(op.Data), func(i int) any { return &op.Data[i] }, nil)
	})},
	rules:    rules((*NFTUpdateDataOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{modifier} changed the data of the token {nft_data_id}"),
}

func (op *NFTUpdateDataOp) valid() error {
	seen := map[string]bool{}
	for _, d := range op.Data {
		if d.Name == "" || seen[d.Name] {
			return errors.New("each field to change must be named, and only once")
		}
		seen[d.Name] = true
		if err := d.Value.survivesJSON(); err != nil {
			return err
		}
	}
	return nil
}

// SetDefaults sets the members whose default is not zero.
func (op *NFTCreateDefinitionOp) SetDefaults() { op.Transferable = true }
