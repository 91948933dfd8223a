package ledger

import (
	"fmt"

	"billfold/ledger/printable"
)

// Codes of the operations of miners.
const (
	CodeMinerCreate                 OpCode = 6 // miner_create
	CodeMinerUpdate                 OpCode = 7 // miner_update
	CodeMinerUpdateGlobalParameters OpCode = 8 // miner_update_global_parameters
)

// maxMinerURL is the longest link of a miner, in bytes (docs/protocol/serialization.md 2).
const maxMinerURL = 126

// MinerCreateOp makes an account a miner.
type MinerCreateOp struct {
	Fee             AssetAmount `json:"fee,omitempty"`
	MinerAccount    AccountID   `json:"miner_account"`
	URL             string      `json:"url"`
	BlockSigningKey PublicKey   `json:"block_signing_key"`
}

// FeePayer returns the account that becomes a miner.
func (op *MinerCreateOp) FeePayer() AccountID { return op.MinerAccount }

func (*MinerCreateOp) declared() *declaration { return &minerCreateDeclaration }

var minerCreateDeclaration = declaration{
	code: CodeMinerCreate, name: "miner_create", new: empty[MinerCreateOp],
	fee:      flatFee(50_000_000),
	rules:    rules((*MinerCreateOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{miner_account} became a miner"),
}

func (op *MinerCreateOp) effects(_ Before, n Namer) []Effect {
	name := n.AccountName(op.MinerAccount)
	return append(changeOf("key that signs blocks of "+name, "", op.BlockSigningKey.String()),
		changeOf("link of "+name, "", printable.Word(op.URL))...)
}

func (op *MinerCreateOp) valid() error { return validURL(op.URL) }

// MinerUpdateOp changes a miner's link or signing key.
type MinerUpdateOp struct {
	Fee           AssetAmount `json:"fee,omitempty"`
	Miner         MinerID     `json:"miner"`
	MinerAccount  AccountID   `json:"miner_account"`
	NewURL        *string     `json:"new_url,omitempty"`
	NewSigningKey *PublicKey  `json:"new_signing_key,omitempty"`
}

// FeePayer returns the miner's account.
func (op *MinerUpdateOp) FeePayer() AccountID { return op.MinerAccount }

func (*MinerUpdateOp) declared() *declaration { return &minerUpdateDeclaration }

var minerUpdateDeclaration = declaration{
	code: CodeMinerUpdate, name: "miner_update", new: empty[MinerUpdateOp],
	fee:      flatFee(100_000),
	rules:    rules((*MinerUpdateOp).valid),
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("{miner_account} changed its miner settings"),
}

func (op *MinerUpdateOp) effects(_ Before, n Namer) (out []Effect) {
	name := n.AccountName(op.MinerAccount)
	if op.NewSigningKey != nil {
		out = changeOf("key that signs blocks of "+name, "", op.NewSigningKey.String())
	}
	if op.NewURL != nil {
		out = append(out, Effect{What: "link of " + name, Now: printable.Word(*op.NewURL)})
	}
	return out
}

func (op *MinerUpdateOp) valid() error {
	if op.NewURL == nil {
		return nil
	}
	return validURL(*op.NewURL)
}

// MinerUpdateGlobalParametersOp changes the chain parameters; it is only valid inside a proposal.
type MinerUpdateGlobalParametersOp struct {
	Fee           AssetAmount     `json:"fee,omitempty"`
	NewParameters ChainParameters `json:"new_parameters"`
}

// FeePayer returns 1.2.0, which acts only through proposals.
func (*MinerUpdateGlobalParametersOp) FeePayer() AccountID { return MinerAccount }

func (*MinerUpdateGlobalParametersOp) declared() *declaration {
	return &minerUpdateGlobalParametersDeclaration
}

var minerUpdateGlobalParametersDeclaration = declaration{
	code: CodeMinerUpdateGlobalParameters, name: "miner_update_global_parameters", new: empty[MinerUpdateGlobalParametersOp],
	fee:      flatFee(10),
	rules:    noRules,
	signs:    payerSigns,
	touches:  touchesNobodyElse,
	moves:    movesNothing,
	sentence: template("the miners changed the chain's parameters"),
}

func validURL(url string) error {
	return require(len(url) <= maxMinerURL, fmt.Sprintf("a miner's link has at most %d bytes", maxMinerURL))
}

func (*MinerUpdateGlobalParametersOp) intent(Namer) string {
	return "the miners change the chain's parameters"
}
