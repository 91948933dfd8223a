package ledger

// Codes of the miner operations.
const (
	CodeMinerCreate                 OpCode = 6 // miner_create
	CodeMinerUpdate                 OpCode = 7 // miner_update
	CodeMinerUpdateGlobalParameters OpCode = 8 // miner_update_global_parameters
)

// MinerCreateOp makes an account a miner.
type MinerCreateOp struct {
	Fee             AssetAmount `json:"fee"`
	MinerAccount    AccountID   `json:"miner_account"`
	URL             string      `json:"url"`
	BlockSigningKey PublicKey   `json:"block_signing_key"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *MinerCreateOp) FeePayer() AccountID { return op.MinerAccount }

// MinerUpdateOp changes a miner's link or signing key.
type MinerUpdateOp struct {
	Fee           AssetAmount `json:"fee"`
	Miner         MinerID     `json:"miner"`
	MinerAccount  AccountID   `json:"miner_account"`
	NewURL        *string     `json:"new_url,omitempty"`
	NewSigningKey *PublicKey  `json:"new_signing_key,omitempty"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (op *MinerUpdateOp) FeePayer() AccountID { return op.MinerAccount }

// MinerUpdateGlobalParametersOp changes the chain parameters; only inside a proposal.
type MinerUpdateGlobalParametersOp struct {
	Fee           AssetAmount     `json:"fee"`
	NewParameters ChainParameters `json:"new_parameters"`
}

// FeePayer is the account that pays and whose active authority must sign.
func (*MinerUpdateGlobalParametersOp) FeePayer() AccountID { return MinerAccount }
