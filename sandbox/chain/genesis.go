package chain

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/nodeerr"
)

// initialSupply is what exists of the core asset at the start of a chain, in
// its smallest unit. What the genesis does not give to anybody stays with the
// null account (protocol/ledger.md 3).
const initialSupply = 5130608937456900

// Genesis is a chain's beginning in the node's own format, with the text that
// the chain id is computed from. Make it with ReadGenesis.
type Genesis struct {
	InitialTimestamp  ledger.Time            `json:"initial_timestamp"`
	MaxCoreSupply     int64                  `json:"max_core_supply"`
	InitialParameters ledger.ChainParameters `json:"initial_parameters"`
	InitialAccounts   []GenesisAccount       `json:"initial_accounts"`
	InitialAssets     []GenesisAsset         `json:"initial_assets"`
	ActiveMiners      uint64                 `json:"initial_active_miners"`
	MinerCandidates   []GenesisMiner         `json:"initial_miner_candidates"`
	InitialChainID    ledger.ChainID         `json:"initial_chain_id"` // written inside, but not the chain id
	InitialBalances   []GenesisBalance       `json:"initial_balances"`
	Immutable         ImmutableParameters    `json:"immutable_parameters"`
	Turns             string                 `json:"sandbox_turns"` // TurnsByBlock, or nothing: by slot, as in the reference

	chainID ledger.ChainID
	text    []byte
}

// TurnsByBlock lets the active miners make one block each in the order of their
// ids, however much time passes between blocks. By slot it depends on the time
// who is next, and so does when a block becomes irreversible.
const TurnsByBlock = "by block"

// GenesisAccount is an account with one key per authority; the active key is
// also its memo key.
type GenesisAccount struct {
	Name      string           `json:"name"`
	OwnerKey  ledger.PublicKey `json:"owner_key"`
	ActiveKey ledger.PublicKey `json:"active_key"`
}

// GenesisAsset is a user-issued asset.
type GenesisAsset struct {
	Symbol      string `json:"symbol"`
	IssuerName  string `json:"issuer_name"`
	Description string `json:"description"`
	Precision   uint8  `json:"precision"`
	MaxSupply   int64  `json:"max_supply"`
}

// GenesisMiner makes an account a miner.
type GenesisMiner struct {
	OwnerName       string           `json:"owner_name"`
	BlockSigningKey ledger.PublicKey `json:"block_signing_key"`
}

// GenesisBalance gives an account an amount in the asset's smallest unit.
type GenesisBalance struct {
	Owner       string `json:"owner"`
	AssetSymbol string `json:"asset_symbol"`
	Amount      int64  `json:"amount"`
}

// ReadGenesis reads a genesis file. The chain id is SHA-256 of data as it
// stands, so also a changed space makes another chain.
func ReadGenesis(data []byte) (*Genesis, error) {
	g := &Genesis{chainID: sha256.Sum256(data), text: bytes.Clone(data)}
	var doc json.RawMessage
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &doc); err != nil {
		return nil, fmt.Errorf("the genesis is not JSON: %v; give the file that the node was started with", err)
	}
	if err := codec.Unmarshal(doc, g); err != nil {
		return nil, fmt.Errorf("the genesis cannot be used: %v; compare it with the node's own format", err)
	}
	if err := g.check(); err != nil {
		return nil, fmt.Errorf("the genesis cannot be used: %v", err)
	}
	return g, nil
}

// ChainID is SHA-256 of the genesis text.
func (g *Genesis) ChainID() ledger.ChainID { return g.chainID }

// Text is what the genesis was read from.
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
		return errors.New("it names no miner, so nobody could make a block")
	case g.ActiveMiners > uint64(len(g.MinerCandidates)):
		return errors.New("initial_active_miners is larger than the number of candidates")
	case g.Turns != "" && g.Turns != TurnsByBlock:
		return fmt.Errorf("sandbox_turns is %q; write %q, or leave it out", g.Turns, TurnsByBlock)
	case g.Immutable.NumSpecialAccounts > specialAccounts || g.Immutable.NumSpecialAssets > 1:
		return errors.New("the sandbox makes only the four special accounts and one special asset")
	}
	return nil
}

// specialAccounts is the number of accounts every chain begins with.
const specialAccounts = 4

// build makes the state before the first block.
func (g *Genesis) build() (*State, error) {
	s := newState()
	s.turnsByBlock = g.Turns == TurnsByBlock
	s.chainProp = ChainProperty{ID: ledger.NewObjectID(2, 9, 0), ChainID: g.chainID, ImmutableParameters: g.Immutable}
	s.global = &ledger.GlobalProperties{ID: ledger.NewObjectID(2, 0, 0), Parameters: g.InitialParameters}
	s.dynamic = &ledger.DynamicGlobalProperties{
		ID: ledger.NewObjectID(2, 1, 0), Time: g.InitialTimestamp, RecentSlotsFilled: "0",
	}
	g.addSpecial(s)
	for _, step := range []func(*State) error{g.addAccounts, g.addAssets, g.addBalances, g.addMiners} {
		if err := step(s); err != nil {
			return nil, fmt.Errorf("the genesis cannot be used: %v", err)
		}
	}
	s.setSchedule(s.global.ActiveMiners)
	s.j.forget()
	return s, nil
}

func (g *Genesis) addSpecial(s *State) {
	nobody := ledger.Authority{WeightThreshold: 1}
	for _, a := range []struct {
		name string
		auth ledger.Authority
	}{
		{"miner-account", nobody}, {"null-account", nobody},
		{"temp-account", ledger.Authority{}}, {"proxy-to-self", nobody},
	} {
		s.addAccount(ledger.Account{
			Registrar: ledger.MinerAccount, Name: a.name, Owner: a.auth, Active: a.auth,
			Options: ledger.NewAccountOptions(ledger.PublicKey{}),
		})
	}
	one := func(id ledger.AssetID) ledger.AssetAmount { return ledger.AssetAmount{Amount: 1, AssetID: id} }
	s.addAsset(ledger.Asset{Symbol: "DCT", Precision: 8, Issuer: ledger.NullAccount, Options: ledger.AssetOptions{
		MaxSupply: g.MaxCoreSupply, IsExchangeable: true,
		CoreExchangeRate: ledger.Price{Base: one(ledger.CoreAsset), Quote: one(ledger.CoreAsset)},
	}})
	s.miners.insert(&Miner{MinerAccount: ledger.NullAccount})
}

func (g *Genesis) addAccounts(s *State) error {
	for _, a := range g.InitialAccounts {
		if err := ledger.ValidAccountName(a.Name); err != nil {
			return err
		}
		if s.AccountByName(a.Name) != nil {
			return fmt.Errorf("the account %q is there twice", a.Name)
		}
		id := s.addAccount(ledger.Account{
			Registrar: ledger.TempAccount, Name: a.Name,
			Owner: ledger.SingleKeyAuthority(a.OwnerKey), Active: ledger.SingleKeyAuthority(a.ActiveKey),
			Options: ledger.NewAccountOptions(a.ActiveKey),
		})
		s.addDetail(TransactionDetail{From: ledger.TempAccount, To: id, Kind: detailAccountCreate})
	}
	return nil
}

func (g *Genesis) addAssets(s *State) error {
	for _, a := range g.InitialAssets {
		issuer := s.AccountByName(a.IssuerName)
		if issuer == nil {
			return fmt.Errorf("the asset %q names %q as its issuer, who is not among the accounts", a.Symbol, a.IssuerName)
		}
		if err := ledger.ValidSymbol(a.Symbol); err != nil {
			return err
		}
		if s.AssetBySymbol(a.Symbol) != nil || a.Precision > ledger.MaxPrecision || a.MaxSupply <= 0 {
			return fmt.Errorf("the asset %q is there twice, or its precision or max_supply cannot be", a.Symbol)
		}
		s.addAsset(ledger.Asset{
			Symbol: a.Symbol, Precision: a.Precision, Issuer: issuer.ID, Description: a.Description,
			Options: ledger.AssetOptions{MaxSupply: a.MaxSupply, IsExchangeable: true, CoreExchangeRate: ledger.Price{
				Base:  ledger.AssetAmount{Amount: 1, AssetID: ledger.CoreAsset},
				Quote: ledger.AssetAmount{Amount: 1, AssetID: ledger.AssetID(s.AssetCount())},
			}},
		})
	}
	return nil
}

// addBalances gives the null account what is left of the core asset first, as
// the reference does: its balance is 2.4.0.
func (g *Genesis) addBalances(s *State) error {
	sums := map[string]int64{}
	for _, b := range g.InitialBalances {
		sum, ok := ledger.AddAmounts(sums[b.AssetSymbol], b.Amount)
		asset := s.AssetBySymbol(b.AssetSymbol)
		if asset == nil || b.Amount <= 0 || !ok || sum > asset.Options.MaxSupply {
			return fmt.Errorf("the balance of %d %s for %q cannot be: no such asset, or more than its max_supply", b.Amount, b.AssetSymbol, b.Owner)
		}
		sums[b.AssetSymbol] = sum
	}
	if rest := min(initialSupply, g.MaxCoreSupply) - sums["DCT"]; rest > 0 {
		if fault := s.give(ledger.NullAccount, ledger.CoreAsset, rest); fault != nil {
			return fault
		}
	}
	for _, b := range g.InitialBalances {
		owner := s.AccountByName(b.Owner)
		if owner == nil {
			return fmt.Errorf("the balance of %q belongs to nobody: the account is not in the genesis", b.Owner)
		}
		amount := ledger.AssetAmount{Amount: b.Amount, AssetID: s.bySymbol[b.AssetSymbol]}
		if fault := s.give(owner.ID, amount.AssetID, amount.Amount); fault != nil {
			return fault
		}
		s.addDetail(TransactionDetail{From: ledger.MinerAccount, To: owner.ID, Kind: detailTransfer, Amount: amount, Description: "transfer"})
	}
	return nil
}

// give makes new units of an asset and gives them to the account.
func (s *State) give(owner ledger.AccountID, asset ledger.AssetID, amount int64) *nodeerr.Fault {
	s.changeSupply(asset, amount)
	return s.adjust(owner, asset, amount)
}

func (g *Genesis) addMiners(s *State) error {
	for _, m := range g.MinerCandidates {
		owner := s.AccountByName(m.OwnerName)
		if owner == nil || s.MinerOf(owner.ID) != nil {
			return fmt.Errorf("the miner %q is not among the accounts, or there twice", m.OwnerName)
		}
		id := s.addMiner(owner.ID, m.BlockSigningKey, "")
		if uint64(len(s.global.ActiveMiners)) < g.ActiveMiners {
			s.setGlobal(func(p *ledger.GlobalProperties) { p.ActiveMiners = append(p.ActiveMiners, id) })
		}
	}
	return nil
}
