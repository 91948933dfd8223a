package ledger

// Codes of the operation that makes a transaction conditional.
const (
	CodeAssert OpCode = 19 // assert
)

// AssertOp fails unless all predicates hold.
type AssertOp struct {
	Fee              AssetAmount `json:"fee,omitempty"`
	FeePayingAccount AccountID   `json:"fee_paying_account"`
	Predicates       []Predicate `json:"predicates"`
	RequiredAuths    []AccountID `json:"required_auths" fc:"set"`
	Extensions       Extensions  `json:"extensions"`
}

// FeePayer returns the fee paying account.
func (op *AssertOp) FeePayer() AccountID { return op.FeePayingAccount }

func (*AssertOp) declared() *declaration { return &assertDeclaration }

var assertDeclaration = declaration{
	code: CodeAssert, name: "assert", new: empty[AssertOp],
	fee: feeRule{fixed: 1_000_000, base: base(func(f FeeParameters, op *AssertOp) (uint64, error) {
		return f.Fee * uint64(len(op.Predicates)), nil
	})},
	rules:    rules((*AssertOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{fee_paying_account} made the transaction depend on conditions"),
}

func (op *AssertOp) valid() error {
	return require(len(op.RequiredAuths) == 0, "an assert operation takes no further authorities")
}

// Predicate is a variant: type 0 the name of an account, 1 the symbol of an
// asset, 2 the id of a block.
type Predicate struct {
	_           struct{}              `fc:"variant"`
	AccountName *AccountNamePredicate `json:"account_name"`
	AssetSymbol *AssetSymbolPredicate `json:"asset_symbol"`
	Block       *BlockPredicate       `json:"block"`
}

// AccountNamePredicate holds if the account has the name.
type AccountNamePredicate struct {
	AccountID AccountID `json:"account_id"`
	Name      string    `json:"name"`
}

// AssetSymbolPredicate holds if the asset has the symbol.
type AssetSymbolPredicate struct {
	AssetID AssetID `json:"asset_id"`
	Symbol  string  `json:"symbol"`
}

// BlockPredicate holds if the block is part of the chain.
type BlockPredicate struct {
	ID BlockID `json:"id"`
}
