package produce

import (
	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// payVestingSeconds is the vesting period of a miner's pay. It is not a parameter
// of the chain.
const payVestingSeconds = 24 * 3600

// payMiner pays the miner of the head block: the new DCT, and a share of the fees
// in the budget. Blocks may come faster than planned here, so it pays no more than
// what is left of the budget.
func payMiner(s *state.State) {
	d := s.Dynamic()
	blocks := blocksIn(int64(d.NextMaintenanceTime)-int64(d.LastBudgetTime), s.Parameters().BlockInterval)
	var fees int64
	if blocks > 0 {
		fees = min(d.MinerBudgetFromFees/blocks, d.UnspentFeeBudget)
	}
	made := NewAssetAt(d.HeadBlockNumber)
	if made+fees == 0 {
		return
	}
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.MinedRewards += made
		d.UnspentFeeBudget -= fees
	})
	depositPay(s, s.Miners.Get(d.CurrentMiner), made+fees)
}

// depositPay adds an amount to the miner's vesting balance, or creates one.
func depositPay(s *state.State, m *state.Miner, amount int64) {
	now := s.HeadTime()
	if m.PayVB != nil {
		if v := s.Vesting.Get(*m.PayVB); holdsPay(v, m) {
			s.Vesting.Change(v.ID, func(v *state.VestingBalance) { v.Deposit(amount, now) })
			return
		}
	}
	id := s.Vesting.Add(state.VestingBalance{
		Owner: m.MinerAccount, Balance: ledger.AssetAmount{Amount: amount, AssetID: ledger.CoreAsset},
		Policy: state.VestingPolicy{
			CoinDays: &state.CoinDaysPolicy{VestingSeconds: payVestingSeconds, CoinSecondsEarned: "0", LastUpdate: now}},
	})
	s.Miners.Change(m.ID, func(m *state.Miner) { m.PayVB = &id })
}

func holdsPay(v *state.VestingBalance, m *state.Miner) bool {
	p := v.Policy.CoinDays
	return v.Owner == m.MinerAccount && p != nil && p.VestingSeconds == payVestingSeconds
}
