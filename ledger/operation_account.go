package ledger

// Codes of the account operations.
const (
	CodeAccountCreate OpCode = 1 // account_create
	CodeAccountUpdate OpCode = 2 // account_update
)

// AccountCreateOp registers an account.
type AccountCreateOp struct {
	Fee        AssetAmount      `json:"fee"`
	Registrar  AccountID        `json:"registrar"`
	Name       string           `json:"name"`
	Owner      Authority        `json:"owner"`
	Active     Authority        `json:"active"`
	Options    AccountOptions   `json:"options"`
	Extensions StructExtensions `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AccountCreateOp) FeePayer() AccountID { return op.Registrar }

// AccountUpdateOp changes the authorities or options of an account.
type AccountUpdateOp struct {
	Fee        AssetAmount      `json:"fee"`
	Account    AccountID        `json:"account"`
	Owner      *Authority       `json:"owner,omitempty"`
	Active     *Authority       `json:"active,omitempty"`
	NewOptions *AccountOptions  `json:"new_options,omitempty"`
	Extensions StructExtensions `json:"extensions"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *AccountUpdateOp) FeePayer() AccountID { return op.Account }
