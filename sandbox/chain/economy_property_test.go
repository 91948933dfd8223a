package chain

import (
	"testing"

	"billfold/ledger"
	"billfold/sandbox/chain/genesis"
	"billfold/sandbox/chain/state"

	"pgregory.net/rapid"
)

// Whatever is tried with assets, pools, proposals, miners and votes, across
// maintenances too: nothing appears or vanishes but what is issued and burnt, and
// a refusal changes nothing.
func TestEconomyKeepsItsBooks(t *testing.T) {
	g := readGenesis(t)
	rapid.Check(t, func(r *rapid.T) {
		b := newTrialBank(t, g)
		b.by(b.nathan, gold("GOLDX", false), pay(nathanID, init0ID, 100_0000_0000),
			&ledger.AssetIssueOp{Issuer: nathanID, AssetToIssue: amount(50_000, 1), IssueToAccount: init0ID},
			&ledger.AssetFundPoolsOp{FromAccount: nathanID, UIAAsset: amount(0, 1), DCTAsset: amount(1_0000_0000, 0)},
			b.proposal(80_000, nil, pay(nathanID, init0ID, 5), pay(init0ID, nathanID, 7)),
			b.proposal(90_000, nil, pay(init0ID, nathanID, 1)))
		burnt := int64(0)
		for range rapid.IntRange(1, 12).Draw(r, "steps") {
			op := b.drawEconomic(r)
			before := b.snapshot()
			had, bodies := b.holdings(), []ledger.Body{op, pay(nathanID, init0ID, 1), pay(init0ID, nathanID, 1)}
			fault := b.push([]ledger.PrivateKey{b.nathan, b.init}, bodies...)
			if fault == nil {
				b.checkMoves(r, had, bodies)
			}
			if fault != nil && b.snapshot() != before {
				r.Fatalf("%v changed the state", fault)
			}
			if reserve, ok := op.(*ledger.AssetReserveOp); ok && fault == nil && reserve.AmountToReserve.AssetID == 0 {
				burnt += reserve.AmountToReserve.Amount
			}
			switch rapid.IntRange(0, 3).Draw(r, "time") {
			case 0:
				b.mine()
			case 1:
				b.maintenance()
			}
			checkBooks(r, b, burnt)
		}
	})
}

// drawEconomic draws an operation of nathan's or init0's.
func (b *bank) drawEconomic(r *rapid.T) ledger.Body {
	who := rapid.SampledFrom([]ledger.AccountID{nathanID, init0ID}).Draw(r, "who")
	other := nathanID + init0ID - who
	some := rapid.OneOf(rapid.Int64Range(0, 100_000), rapid.Int64Range(0, 1_0000_0000), rapid.Int64())
	gold := amount(some.Draw(r, "gold"), 1)
	core := amount(some.Draw(r, "core"), 0)
	fee := rapid.SampledFrom([]ledger.AssetAmount{{}, {}, amount(100, 1), amount(999_999, 0)}).Draw(r, "fee")
	price := rate(rapid.Int64Range(0, 1000).Draw(r, "base"), rapid.Int64Range(0, 1000).Draw(r, "quote"), 1)
	id := ledger.ProposalID(rapid.Uint64Range(0, 2).Draw(r, "proposal"))
	bodies := []ledger.Body{
		&ledger.AssetIssueOp{Fee: fee, Issuer: who, AssetToIssue: gold, IssueToAccount: other},
		&ledger.AssetReserveOp{Fee: fee, Payer: who, AmountToReserve: rapid.SampledFrom([]ledger.AssetAmount{gold, core}).Draw(r, "burn")},
		&ledger.AssetFundPoolsOp{FromAccount: who, UIAAsset: gold, DCTAsset: core},
		&ledger.AssetClaimFeesOp{Fee: fee, Issuer: who, UIAAsset: gold, DCTAsset: core},
		&ledger.UpdateUserIssuedAssetOp{Fee: fee, Issuer: who, AssetToUpdate: 1, MaxSupply: uint64(gold.Amount), CoreExchangeRate: price,
			IsExchangeable: true},
		&ledger.TransferOp{Fee: fee, From: who, To: other.Object(), Amount: gold},
		&ledger.MinerCreateOp{Fee: fee, MinerAccount: who, URL: "http://miner.example"},
		votingFor(b.nathan.Public(), uint32(id)),
		b.proposal(ledger.Time(rapid.Uint32Range(1, 90_000).Draw(r, "seconds")), nil, pay(who, other, core.Amount|1), pay(other, who, 1)),
		approve(who, id, nathanID, init0ID),
		&ledger.ProposalDeleteOp{Fee: fee, FeePayingAccount: who, Proposal: id},
	}
	return rapid.SampledFrom(bodies).Draw(r, "operation")
}

func checkBooks(r interface{ Fatalf(string, ...any) }, b *bank, burnt int64) {
	b.c.View(func(s *state.State) {
		core, supply, d := s.Assets.Data(0), s.RealSupply(), s.Dynamic()
		real := supply.AccountBalances + supply.VestingBalances + supply.Escrows + supply.Pools
		if sum := real + core.AssetPool + d.UnspentFeeBudget; sum != genesis.InitialSupply-burnt ||
			sum != core.CurrentSupply+d.MinerBudgetFromFees {
			r.Fatalf("%d really, %d in fees and %d in the budget are not the supply %d, of which %d is burnt", real, core.AssetPool,
				d.UnspentFeeBudget,
				core.CurrentSupply,
				burnt)
		}
		held := s.Assets.Data(1).AssetPool
		for _, row := range s.Balances.All() {
			if row.AssetType == 1 {
				held += row.Balance
			}
			if row.Balance < 0 {
				r.Fatalf("%s is negative", row.ID)
			}
		}
		if gold := s.Assets.Data(1); held != gold.CurrentSupply || gold.CorePool < 0 || gold.AssetPool < 0 {
			r.Fatalf("%d units are held of the asset %+v", held, gold)
		}
	})
}
