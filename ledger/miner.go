package ledger

import (
	"fmt"
	"strings"

	"billfold/ledger/codec"
	"billfold/ledger/printable"
)

// Miner is the object 1.4.N: an account that may produce blocks.
type Miner struct {
	ID                    MinerID           `json:"id"`
	MinerAccount          AccountID         `json:"miner_account"`
	LastAslot             uint64            `json:"last_aslot"` // the slot of its last block
	SigningKey            PublicKey         `json:"signing_key"`
	PayVB                 *VestingBalanceID `json:"pay_vb,omitempty"` // where its pay goes; none before the first
	VoteID                VoteID            `json:"vote_id"`
	TotalVotes            uint64            `json:"total_votes"`
	URL                   string            `json:"url"`
	TotalMissed           int64             `json:"total_missed"`
	LastConfirmedBlockNum uint32            `json:"last_confirmed_block_num"`
	VoteRanking           uint32            `json:"vote_ranking"`
	VotesGained           []VoteGained      `json:"votes_gained"`
}

// VoteGained is the part of a miner's votes that one account's stake adds.
type VoteGained struct {
	_       struct{}  `fc:"pair"`
	Account AccountID `json:"account"`
	Votes   uint64    `json:"votes"`
}

// NamedMiner is a miner with the name of its account.
type NamedMiner struct {
	_    struct{} `fc:"pair"`
	Name string   `json:"name"`
	ID   MinerID  `json:"id"`
}

// MinerVoting is a miner, and whether an account votes for it.
type MinerVoting struct {
	ID         MinerID `json:"id"`
	Name       string  `json:"name"` // of its account
	URL        string  `json:"url"`
	TotalVotes uint64  `json:"total_votes"`
	Voted      bool    `json:"voted"`
}

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

// effects compares the new parameters with the present ones.
func (op *MinerUpdateGlobalParametersOp) effects(before Before, _ Namer) []Effect {
	was := before.Parameters()
	if was == nil {
		return []Effect{{What: "parameters of the chain", Was: notKnown, Now: "all as the operation says",
			Careful: "sets every parameter of the chain; which of them change is not known here"}}
	}
	out := memberEffects(*was, op.NewParameters)
	fees := memberEffects(was.CurrentFees, op.NewParameters.CurrentFees)
	for i := range fees {
		fees[i].What = "fees: " + fees[i].What
	}
	out = append(out, fees...)
	for _, code := range OpCodes() {
		a, b := was.CurrentFees.Of(code), op.NewParameters.CurrentFees.Of(code)
		out = append(out, changeOf("fee of "+OpName(code), a.words(), b.words())...)
	}
	return out
}

func validURL(url string) error {
	return require(len(url) <= maxMinerURL, fmt.Sprintf("a miner's link has at most %d bytes", maxMinerURL))
}

func (*MinerUpdateGlobalParametersOp) intent(Namer) string {
	return "the miners change the chain's parameters"
}

// VoteID names something to vote for: instance<<8 | type. Its text is
// "type:instance"; only type 0, a miner, exists.
type VoteID uint32

// String returns "type:instance".
func (v VoteID) String() string { return fmt.Sprintf("%d:%d", uint8(v), v>>8) }

// ParseVoteID reads "type:instance".
func ParseVoteID(text string) (VoteID, error) {
	typ, instance, _ := strings.Cut(text, ":")
	t, err1 := parseIDNumber(typ, 8)
	i, err2 := parseIDNumber(instance, 24)
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is not a vote id: write it as type:instance, such as 0:5", printable.Clip(text))
	}
	return VoteID(i<<8 | t), nil
}

// MarshalJSON writes "type:instance".
func (v VoteID) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads "type:instance".
func (v *VoteID) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, v) }

// AppendJSON appends the JSON form.
func (v VoteID) AppendJSON(b []byte) []byte { return codec.AppendString(b, v.String()) }

// ReadJSON reads the JSON form.
func (v *VoteID) ReadJSON(p *codec.Parser) error {
	text, err := p.Text()
	if err != nil {
		return err
	}
	*v, err = ParseVoteID(text)
	return err
}

// AppendBinary appends the bytes.
func (v VoteID) AppendBinary(b []byte) ([]byte, error) { return codec.AppendUint32(b, uint32(v)), nil }

// ReadBinary reads the bytes.
func (v *VoteID) ReadBinary(r *codec.Reader) error {
	x, err := r.Uint32()
	*v = VoteID(x)
	return err
}
