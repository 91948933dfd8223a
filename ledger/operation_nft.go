package ledger

// Codes of the nft operations.
const (
	CodeNFTCreateDefinition OpCode = 41 // non_fungible_token_create_definition
	CodeNFTUpdateDefinition OpCode = 42 // non_fungible_token_update_definition
	CodeNFTIssue            OpCode = 43 // non_fungible_token_issue
	CodeNFTTransfer         OpCode = 44 // non_fungible_token_transfer
	CodeNFTUpdateData       OpCode = 45 // non_fungible_token_update_data
)

// NFTCreateDefinitionOp creates a kind of non-fungible token.
type NFTCreateDefinitionOp struct {
	Fee          AssetAmount         `json:"fee"`
	Symbol       string              `json:"symbol"`
	Options      NFTOptions          `json:"options"`
	Definitions  []NFTDataDefinition `json:"definitions"`
	Transferable bool                `json:"transferable"`
	Extensions   Extensions          `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *NFTCreateDefinitionOp) FeePayer() AccountID { return op.Options.Issuer }

// NFTUpdateDefinitionOp changes a kind of non-fungible token.
type NFTUpdateDefinitionOp struct {
	Fee           AssetAmount `json:"fee"`
	CurrentIssuer AccountID   `json:"current_issuer"`
	NFTID         NFTID       `json:"nft_id"`
	Options       NFTOptions  `json:"options"`
	Extensions    Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *NFTUpdateDefinitionOp) FeePayer() AccountID { return op.CurrentIssuer }

// NFTIssueOp issues a non-fungible token.
type NFTIssueOp struct {
	Fee        AssetAmount `json:"fee"`
	Issuer     AccountID   `json:"issuer"`
	To         AccountID   `json:"to"`
	NFTID      NFTID       `json:"nft_id"`
	Data       []Variant   `json:"data"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *NFTIssueOp) FeePayer() AccountID { return op.Issuer }

// NFTTransferOp moves a non-fungible token.
type NFTTransferOp struct {
	Fee        AssetAmount `json:"fee"`
	From       AccountID   `json:"from"`
	To         AccountID   `json:"to"`
	NFTDataID  NFTDataID   `json:"nft_data_id"`
	Memo       *Memo       `json:"memo,omitempty"`
	Extensions Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *NFTTransferOp) FeePayer() AccountID { return op.From }

// NFTUpdateDataOp changes the data of a non-fungible token.
type NFTUpdateDataOp struct {
	Fee        AssetAmount    `json:"fee"`
	Modifier   AccountID      `json:"modifier"`
	NFTDataID  NFTDataID      `json:"nft_data_id"`
	Data       []NamedVariant `json:"data"`
	Extensions Extensions     `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *NFTUpdateDataOp) FeePayer() AccountID { return op.Modifier }
