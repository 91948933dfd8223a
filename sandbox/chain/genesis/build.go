package genesis

import (
	"fmt"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// Build returns the state before the first block.
func (g *Genesis) Build() (*state.State, error) {
	s := state.New(state.Origin{
		ChainID: g.chainID, Time: g.InitialTimestamp, Parameters: g.InitialParameters, Immutable: g.Immutable,
	})
	s.Miners.TurnsByBlock = g.Turns == TurnsByBlock
	g.addSpecial(s)
	for _, step := range []func(*state.State) error{g.addAccounts, g.addAssets, g.addBalances, g.addMiners} {
		if err := step(s); err != nil {
			return nil, fmt.Errorf("the genesis cannot be used: %v", err)
		}
	}
	s.Miners.SetSchedule(s.Global().ActiveMiners)
	s.Commit()
	return s, nil
}

func (g *Genesis) addSpecial(s *state.State) {
	nobody := ledger.Authority{WeightThreshold: 1}
	for _, a := range []struct {
		name string
		auth ledger.Authority
	}{
		{"miner-account", nobody}, {"null-account", nobody},
		{"temp-account", ledger.Authority{}}, {"proxy-to-self", nobody},
	} {
		s.Accounts.Add(ledger.Account{
			Registrar: ledger.MinerAccount, Name: a.name, Owner: a.auth, Active: a.auth,
			Options: ledger.NewAccountOptions(ledger.PublicKey{}),
		})
	}
	one := func(id ledger.AssetID) ledger.AssetAmount { return ledger.AssetAmount{Amount: 1, AssetID: id} }
	s.Assets.Add(ledger.Asset{Symbol: "DCT", Precision: 8, Issuer: ledger.NullAccount, Options: ledger.AssetOptions{
		MaxSupply: g.MaxCoreSupply, IsExchangeable: true,
		CoreExchangeRate: ledger.Price{Base: one(ledger.CoreAsset), Quote: one(ledger.CoreAsset)},
	}})
}

func (g *Genesis) addAccounts(s *state.State) error {
	for _, a := range g.InitialAccounts {
		if err := ledger.ValidAccountName(a.Name); err != nil {
			return err
		}
		if s.Accounts.ByName(a.Name) != nil {
			return fmt.Errorf("the account %q appears twice", a.Name)
		}
		id := s.Accounts.Add(ledger.Account{
			Registrar: ledger.TempAccount, Name: a.Name,
			Owner: ledger.SingleKeyAuthority(a.OwnerKey), Active: ledger.SingleKeyAuthority(a.ActiveKey),
			Options: ledger.NewAccountOptions(a.ActiveKey),
		})
		s.Details.Add(s.HeadTime(), state.TransactionDetail{From: ledger.TempAccount, To: id, Kind: state.DetailAccountCreate})
	}
	return nil
}

func (g *Genesis) addAssets(s *state.State) error {
	for _, a := range g.InitialAssets {
		issuer := s.Accounts.ByName(a.IssuerName)
		if issuer == nil {
			return fmt.Errorf("the asset %q names %q as its issuer, who is not among the accounts", a.Symbol, a.IssuerName)
		}
		if err := ledger.ValidSymbol(a.Symbol); err != nil {
			return err
		}
		if s.Assets.BySymbol(a.Symbol) != nil || a.Precision > ledger.MaxPrecision || a.MaxSupply <= 0 {
			return fmt.Errorf("the asset %q appears twice, or its precision or max_supply is not valid", a.Symbol)
		}
		s.Assets.Add(ledger.Asset{
			Symbol: a.Symbol, Precision: a.Precision, Issuer: issuer.ID, Description: a.Description,
			Options: ledger.AssetOptions{MaxSupply: a.MaxSupply, IsExchangeable: true, CoreExchangeRate: ledger.Price{
				Base:  ledger.AssetAmount{Amount: 1, AssetID: ledger.CoreAsset},
				Quote: ledger.AssetAmount{Amount: 1, AssetID: ledger.AssetID(s.Assets.Count())},
			}},
		})
	}
	return nil
}

// addBalances first credits the undistributed core asset to the null account, as
// the reference does: its balance is 2.4.0.
func (g *Genesis) addBalances(s *state.State) error {
	sums := map[string]int64{}
	for _, b := range g.InitialBalances {
		sum, ok := ledger.AddAmounts(sums[b.AssetSymbol], b.Amount)
		asset := s.Assets.BySymbol(b.AssetSymbol)
		if asset == nil || b.Amount <= 0 || !ok || sum > asset.Options.MaxSupply {
			return fmt.Errorf("the balance of %d %s for %q is not valid: no such asset, or more than its max_supply",
				b.Amount, b.AssetSymbol, b.Owner)
		}
		sums[b.AssetSymbol] = sum
	}
	if rest := min(InitialSupply, g.MaxCoreSupply) - sums["DCT"]; rest > 0 {
		issue(s, ledger.NullAccount, ledger.AssetAmount{Amount: rest, AssetID: ledger.CoreAsset})
	}
	for _, b := range g.InitialBalances {
		owner := s.Accounts.ByName(b.Owner)
		if owner == nil {
			return fmt.Errorf("the balance of %q belongs to nobody: the account is not in the genesis", b.Owner)
		}
		amount := ledger.AssetAmount{Amount: b.Amount, AssetID: s.Assets.BySymbol(b.AssetSymbol).ID}
		issue(s, owner.ID, amount)
		s.Details.Add(s.HeadTime(),
			state.TransactionDetail{From: ledger.MinerAccount, To: owner.ID, Kind: state.DetailTransfer, Amount: amount,
				Description: "transfer"})
	}
	return nil
}

// issue issues units of an asset to an account. The sums were checked, so they do
// not overflow.
func issue(s *state.State, owner ledger.AccountID, amount ledger.AssetAmount) {
	s.Assets.ChangeData(amount.AssetID, func(d *state.AssetData) { d.CurrentSupply += amount.Amount })
	s.Balances.Adjust(owner, amount.AssetID, amount.Amount)
}

func (g *Genesis) addMiners(s *state.State) error {
	for _, m := range g.MinerCandidates {
		owner := s.Accounts.ByName(m.OwnerName)
		if owner == nil || s.Miners.OfAccount(owner.ID) != nil {
			return fmt.Errorf("the miner %q is not among the accounts, or appears twice", m.OwnerName)
		}
		id := s.AddMiner(owner.ID, m.BlockSigningKey, "")
		if uint64(len(s.Global().ActiveMiners)) < g.ActiveMiners {
			s.ChangeGlobal(func(p *ledger.GlobalProperties) { p.ActiveMiners = append(p.ActiveMiners, id) })
		}
	}
	return nil
}
