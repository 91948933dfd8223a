// Package genesis reads a genesis file in the node's own format and builds the
// state before the first block.
package genesis

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/ledger/usertext"
	"billfold/sandbox/chain/state"
)

// InitialSupply is the amount of the core asset at the start of a chain, in its
// smallest unit. What the genesis does not distribute belongs to the null
// account (docs/protocol/ledger.md 3).
const InitialSupply = 5130608937456900

// Genesis is a genesis file, with the text from which the chain id is computed. Make it with Read.
type Genesis struct {
	InitialTimestamp  ledger.Time               `json:"initial_timestamp"`
	MaxCoreSupply     int64                     `json:"max_core_supply"`
	InitialParameters ledger.ChainParameters    `json:"initial_parameters"`
	InitialAccounts   []Account                 `json:"initial_accounts"`
	InitialAssets     []Asset                   `json:"initial_assets"`
	ActiveMiners      uint64                    `json:"initial_active_miners"`
	MinerCandidates   []Miner                   `json:"initial_miner_candidates"`
	InitialChainID    ledger.ChainID            `json:"initial_chain_id"` // part of the file, but not the chain id
	InitialBalances   []Balance                 `json:"initial_balances"`
	Immutable         state.ImmutableParameters `json:"immutable_parameters"`
	Turns             string                    `json:"sandbox_turns"` // TurnsByBlock, or "" for turns by slot, as in the reference

	chainID ledger.ChainID
	text    []byte
}

// TurnsByBlock makes the active miners take turns, one block each in the order of
// their ids, however much time passes between blocks. By slot, the time decides
// who is next, and so does when a block becomes irreversible.
const TurnsByBlock = "by block"

// Account is an account with one key per authority; the active key is
// also its memo key.
type Account struct {
	Name      string           `json:"name"`
	OwnerKey  ledger.PublicKey `json:"owner_key"`
	ActiveKey ledger.PublicKey `json:"active_key"`
}

// Asset is a user-issued asset.
type Asset struct {
	Symbol      string `json:"symbol"`
	IssuerName  string `json:"issuer_name"`
	Description string `json:"description"`
	Precision   uint8  `json:"precision"`
	MaxSupply   int64  `json:"max_supply"`
}

// Miner makes an account a miner.
type Miner struct {
	OwnerName       string           `json:"owner_name"`
	BlockSigningKey ledger.PublicKey `json:"block_signing_key"`
}

// Balance is an account's amount of an asset in its smallest unit.
type Balance struct {
	Owner       string `json:"owner"`
	AssetSymbol string `json:"asset_symbol"`
	Amount      int64  `json:"amount"`
}

// Read reads a genesis file. The chain id is SHA-256 of data, so even a changed
// space makes another chain.
func Read(data []byte) (*Genesis, error) {
	data = bytes.TrimPrefix(data, []byte(usertext.Mark)) // which an editor added, and the node does not read
	g := &Genesis{chainID: sha256.Sum256(data), text: bytes.Clone(data)}
	var doc json.RawMessage
	text, err := usertext.DecodeJSON(data)
	if own, is := errors.AsType[*usertext.FormatError](err); is && own.Next != "" {
		return nil, own
	}
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		return nil, fmt.Errorf("the genesis is not JSON: %v; give the file that the node was started with", err)
	}
	if codec.HasHalfCharacter(doc) {
		return nil, fmt.Errorf("the genesis cannot be read: %w", codec.ErrHalfCharacter)
	}
	if err := codec.UnmarshalKnown(doc, g); err != nil {
		return nil, fmt.Errorf("the genesis cannot be used: %v; compare it with the node's own format", err)
	}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("the genesis cannot be used: %v", err)
	}
	return g, nil
}

// ChainID returns SHA-256 of the genesis text.
func (g *Genesis) ChainID() ledger.ChainID { return g.chainID }

// Text returns the text from which the genesis was read.
func (g *Genesis) Text() []byte { return bytes.Clone(g.text) }

func (g *Genesis) check() error {
	switch {
	case g.InitialTimestamp == 0:
		return errors.New("initial_timestamp is missing")
	case g.InitialParameters.BlockInterval == 0:
		return errors.New("block_interval must be at least 1 second")
	case g.InitialParameters.MaintenanceInterval == 0:
		return errors.New("maintenance_interval must be at least 1 second")
	case g.MaxCoreSupply <= 0:
		return errors.New("max_core_supply must be positive")
	case len(g.MinerCandidates) == 0 || g.ActiveMiners == 0:
		return errors.New("it names no miners, so nobody could make a block")
	case g.ActiveMiners > uint64(len(g.MinerCandidates)):
		return errors.New("initial_active_miners is larger than the number of candidates")
	case g.Turns != "" && g.Turns != TurnsByBlock:
		return fmt.Errorf("sandbox_turns is %q; write %q, or leave it out", g.Turns, TurnsByBlock)
	case g.Immutable.NumSpecialAccounts > specialAccounts || g.Immutable.NumSpecialAssets > 1:
		return errors.New("the sandbox makes only the four special accounts and one special asset")
	}
	return nil
}

// specialAccounts is the number of accounts that every chain starts with.
const specialAccounts = 4
