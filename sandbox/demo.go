package sandbox

import (
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/state"
)

// DemoKey is an account of the demo with its only key, which is its owner, active
// and memo key. These keys are public.
type DemoKey struct {
	Account string
	Key     ledger.PrivateKey
}

// DemoKeys returns the two accounts that the demo wallet holds, alice and bobby.
func DemoKeys() []DemoKey {
	return []DemoKey{{"alice", demoKey("alice")}, {"bobby", demoKey("bobby")}}
}

func demoKey(account string) ledger.PrivateKey {
	return ledger.DeriveKey("billfold sandbox "+account, 0)
}

// demoAge is the age of the demo ledger at its start.
const demoAge = 6 * 24 * time.Hour

// demoActive is the number of the demo's active miners. With four that take turns, the ledger's
// rule makes a block irreversible two blocks later, even while one of them is away.
const demoActive = 4

// DemoGenesis returns the genesis of the demo ledger, some days before now. The
// same second yields the same chain id.
func DemoGenesis(now time.Time) (*Genesis, error) {
	g := genesis.Genesis{
		InitialTimestamp:  ledger.TimeOf(now.Add(-demoAge)),
		MaxCoreSupply:     7319777577456900,
		InitialParameters: demoParameters(),
		InitialAssets:     demoAssets(),
		InitialBalances:   demoBalances(),
		Immutable:         state.ImmutableParameters{MinMinerCount: demoActive},
		Turns:             genesis.TurnsByBlock,
		ActiveMiners:      demoActive,
	}
	for _, name := range demoMiners() {
		key := demoKey(name).Public()
		g.InitialAccounts = append(g.InitialAccounts, genesis.Account{Name: name, OwnerKey: key, ActiveKey: key})
		g.MinerCandidates = append(g.MinerCandidates, genesis.Miner{OwnerName: name, BlockSigningKey: key})
	}
	for _, name := range demoAccounts() {
		key := demoKey(name).Public()
		g.InitialAccounts = append(g.InitialAccounts, genesis.Account{Name: name, OwnerKey: key, ActiveKey: key})
	}
	text, err := codec.Marshal(&g)
	if err != nil {
		return nil, err
	}
	return ReadGenesis(text)
}

func demoMiners() []string {
	return []string{
		"miner-a", "miner-b", "miner-c", "miner-d", "miner-e", "miner-f",
		"miner-g", "miner-h", "miner-i", "miner-j", "miner-k",
	}
}

func demoAccounts() []string {
	return []string{"decent", "alice", "bobby", "carol", "merchant-7", "art-guild", "bob-trade", "dave-shop", "faucet"}
}

// demoParameters returns the reference's default parameters and fees, with a
// block every 2 seconds.
func demoParameters() ledger.ChainParameters {
	p := ledger.DefaultChainParameters()
	p.BlockInterval = uint8(DefaultBlockTime / time.Second)
	for _, code := range ledger.OpCodes() {
		if !code.IsVirtual() {
			p.CurrentFees.Parameters = append(p.CurrentFees.Parameters, ledger.DefaultFee(code))
		}
	}
	return p
}

func demoAssets() []genesis.Asset {
	return []genesis.Asset{
		{Symbol: "ALX.GOLD", IssuerName: "art-guild", Description: "a gram of gold in the guild's vault", Precision: 4,
			MaxSupply: 10_000_000_0000},
		{Symbol: "SHOPPOINT", IssuerName: "dave-shop", Description: "loyalty points", Precision: 0, MaxSupply: 1_000_000_000},
	}
}

func demoBalances() []genesis.Balance {
	const dct = 1_0000_0000
	return []genesis.Balance{
		{Owner: "decent", AssetSymbol: "DCT", Amount: 40_000_000 * dct},
		{Owner: "faucet", AssetSymbol: "DCT", Amount: 1_000_000 * dct},
		{Owner: "alice", AssetSymbol: "DCT", Amount: 12_400 * dct},
		{Owner: "bobby", AssetSymbol: "DCT", Amount: 830 * dct},
		{Owner: "carol", AssetSymbol: "DCT", Amount: 5_000 * dct},
		{Owner: "merchant-7", AssetSymbol: "DCT", Amount: 25_000 * dct},
		{Owner: "art-guild", AssetSymbol: "DCT", Amount: 9_000 * dct},
		{Owner: "bob-trade", AssetSymbol: "DCT", Amount: 7_500 * dct},
		{Owner: "dave-shop", AssetSymbol: "DCT", Amount: 3_300 * dct},
		{Owner: "art-guild", AssetSymbol: "ALX.GOLD", Amount: 2_500_0000},
		{Owner: "alice", AssetSymbol: "ALX.GOLD", Amount: 12_5000},
		{Owner: "dave-shop", AssetSymbol: "SHOPPOINT", Amount: 500_000},
		{Owner: "bobby", AssetSymbol: "SHOPPOINT", Amount: 120},
	}
}

func demoMinerKeys() (keys []ledger.PrivateKey) {
	for _, name := range demoMiners() {
		keys = append(keys, demoKey(name))
	}
	return keys
}
