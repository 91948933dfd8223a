package ledger

// Codes of the custom operations.
const (
	CodeCustom OpCode = 18 // custom
	CodeAssert OpCode = 19 // assert
)

// CustomOp carries data of an application; id 1 is a message.
type CustomOp struct {
	Fee           AssetAmount `json:"fee"`
	Payer         AccountID   `json:"payer"`
	RequiredAuths []AccountID `json:"required_auths" fc:"set"`
	ID            uint16      `json:"id"`
	Data          Bytes       `json:"data"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *CustomOp) FeePayer() AccountID { return op.Payer }

// AssertOp fails unless all predicates hold.
type AssertOp struct {
	Fee              AssetAmount `json:"fee"`
	FeePayingAccount AccountID   `json:"fee_paying_account"`
	Predicates       []Predicate `json:"predicates"`
	RequiredAuths    []AccountID `json:"required_auths" fc:"set"`
	Extensions       Extensions  `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AssertOp) FeePayer() AccountID { return op.FeePayingAccount }

// MessageID is the id of custom operations that carry a message.
const MessageID = 1

// Predicate is a choice: type 0 the name of an account, 1 the symbol of an
// asset, 2 the id of a block.
type Predicate struct {
	_           struct{}              `fc:"variant"`
	AccountName *AccountNamePredicate `json:"account_name"`
	AssetSymbol *AssetSymbolPredicate `json:"asset_symbol"`
	Block       *BlockPredicate       `json:"block"`
}

// AccountNamePredicate holds when the account has the name.
type AccountNamePredicate struct {
	AccountID AccountID `json:"account_id"`
	Name      string    `json:"name"`
}

// AssetSymbolPredicate holds when the asset has the symbol.
type AssetSymbolPredicate struct {
	AssetID AssetID `json:"asset_id"`
	Symbol  string  `json:"symbol"`
}

// BlockPredicate holds when the block is part of the chain.
type BlockPredicate struct {
	ID BlockID `json:"id"`
}
