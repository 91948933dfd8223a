package uitest

import (
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"billfold/ledger"
	"billfold/ledger/codec"
	"billfold/sandbox"
	"billfold/sandbox/chain/genesis"
	"billfold/walletcore/ledgerview"
)

// blockTime is the block interval of DCore.
const blockTime = 5 * time.Second

// age is the time from the genesis of a World to Start.
const age = 400 * 24 * time.Hour

// namedAccounts returns the accounts of a World that tests name, in the order of their ids; the genesis fills the ids between them with
// accounts that no test names.
func namedAccounts() []ledgerview.AccountRef {
	return []ledgerview.AccountRef{Alice, Carol, Savings, Bob, Merchant, Caro1, Longest}
}

// firstAccount is the id of the first account in a genesis.
const firstAccount = 4

// miners is the number of accounts that produce blocks, as on DCore. untilFinal is the number of further blocks until a block is final
// and the wallet can prove it.
const (
	miners     = 21
	untilFinal = 22
)

// KeyOf returns the only key of an account of a World.
func KeyOf(account string) ledger.PrivateKey { return ledger.DeriveKey("golden screens "+account, 0) }

// sharedGenesis returns the genesis of every World. It is made once.
var sharedGenesis = sync.OnceValues(func() (*sandbox.Genesis, error) {
	g := genesis.Genesis{InitialTimestamp: ledger.TimeOf(Start.Add(-age)), MaxCoreSupply: 7319777577456900,
		InitialParameters: ledger.DefaultChainParameters(), Turns: genesis.TurnsByBlock, ActiveMiners: miners}
	g.InitialParameters.BlockInterval = uint8(blockTime / time.Second)
	g.Immutable.MinMinerCount = miners
	for _, code := range ledger.OpCodes() {
		if !code.IsVirtual() {
			g.InitialParameters.CurrentFees.Parameters = append(g.InitialParameters.CurrentFees.Parameters, ledger.DefaultFee(code))
		}
	}
	nobody := KeyOf("member").Public()
	for id, left := ledger.AccountID(firstAccount), namedAccounts(); len(left) > 0; id++ {
		name, key := fmt.Sprint("member-", uint64(id)), nobody
		if id == left[0].ID {
			name, key, left = left[0].Name, KeyOf(left[0].Name).Public(), left[1:]
		}
		g.InitialAccounts = append(g.InitialAccounts, genesis.Account{Name: name, OwnerKey: key, ActiveKey: key})
	}
	for _, a := range g.InitialAccounts[:miners] {
		g.MinerCandidates = append(g.MinerCandidates, genesis.Miner{OwnerName: a.Name, BlockSigningKey: nobody})
	}
	for _, a := range []genesis.Asset{{Symbol: Gold.Symbol, Precision: Gold.Precision}, {Symbol: USDX.Symbol, Precision: USDX.Precision},
		{Symbol: Points.Symbol}, {Symbol: "NONE", Precision: 2}, {Symbol: Huge.Symbol, Precision: Huge.Precision}} {
		a.IssuerName, a.MaxSupply = Merchant.Name, math.MaxInt64
		g.InitialAssets = append(g.InitialAssets, a)
	}
	g.InitialBalances = []genesis.Balance{
		{Owner: Alice.Name, AssetSymbol: "DCT", Amount: 11503_00709999},
		{Owner: Alice.Name, AssetSymbol: Gold.Symbol, Amount: 3_2500}, {Owner: Alice.Name, AssetSymbol: USDX.Symbol, Amount: 250_00},
		{Owner: Alice.Name, AssetSymbol: Points.Symbol, Amount: 1204}, {Owner: Savings.Name, AssetSymbol: "DCT", Amount: 500_00000000},
		{Owner: Longest.Name, AssetSymbol: Huge.Symbol, Amount: math.MaxInt64},
	}
	for _, name := range []string{Carol.Name, Bob.Name, Caro1.Name, Merchant.Name, Longest.Name} {
		g.InitialBalances = append(g.InitialBalances, genesis.Balance{Owner: name, AssetSymbol: "DCT", Amount: 1_000_000_00000000},
			genesis.Balance{Owner: name, AssetSymbol: Points.Symbol, Amount: 1_000_000_000})
	}
	text, err := codec.Marshal(&g)
	if err != nil {
		return nil, err
	}
	return sandbox.ReadGenesis(text)
})

func newSandbox(t testing.TB, wire *network, blocks []*ledger.Block) *sandbox.Sandbox {
	g, err := sharedGenesis()
	Must(t, err)
	keys := []ledger.PrivateKey{KeyOf("member")}
	box, err := sandbox.New(sandbox.Options{Genesis: g, MinerKeys: keys, Blocks: blocks, BlockTime: blockTime, Listener: wire})
	Must(t, err)
	return box
}
