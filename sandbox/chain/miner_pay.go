package chain

import "billfold/ledger"

// payVestingSeconds is how long a miner's pay lies before it is free. It is no
// parameter of the chain.
const payVestingSeconds = 24 * 3600

// payMiner pays the miner of the head block: what the block makes, and its share
// of the fees in the budget. Here blocks may come faster than planned, so there
// is no more to pay than what is left.
func (s *State) payMiner() {
	d := s.dynamic
	blocks := blocksIn(int64(d.NextMaintenanceTime)-int64(d.LastBudgetTime), s.global.Parameters.BlockInterval)
	var fees int64
	if blocks > 0 {
		fees = min(d.MinerBudgetFromFees/blocks, d.UnspentFeeBudget)
	}
	made := s.NewAssetAt(d.HeadBlockNumber)
	if made+fees == 0 {
		return
	}
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.MinedRewards += made
		d.UnspentFeeBudget -= fees
	})
	s.depositPay(s.Miner(d.CurrentMiner), made+fees)
}

// depositPay adds to the vesting balance of the miner, or begins one.
func (s *State) depositPay(m *Miner, amount int64) {
	now := s.HeadTime()
	if m.PayVB != nil {
		if v := s.VestingBalance(*m.PayVB); v.holdsPayOf(m) {
			s.vesting.change(uint64(v.ID), func(v *VestingBalance) { v.depositPay(amount, now) })
			return
		}
	}
	n := s.vesting.next()
	id := ledger.VestingBalanceID(n)
	s.vesting.insert(&VestingBalance{
		ID: id, Owner: m.MinerAccount, Balance: ledger.AssetAmount{Amount: amount, AssetID: ledger.CoreAsset},
		Policy: VestingPolicy{CoinDays: &CoinDaysPolicy{VestingSeconds: payVestingSeconds, CoinSecondsEarned: "0", LastUpdate: now}},
	})
	appendKey(&s.j, s.vestingOf, m.MinerAccount, n)
	s.miners.change(uint64(m.ID), func(m *Miner) { m.PayVB = &id })
}

func (v *VestingBalance) holdsPayOf(m *Miner) bool {
	p := v.Policy.CoinDays
	return v.Owner == m.MinerAccount && p != nil && p.VestingSeconds == payVestingSeconds
}

// depositPay notes what the balance has earned until now, then adds to it.
func (v *VestingBalance) depositPay(amount int64, now ledger.Time) {
	p := *v.Policy.CoinDays
	p.CoinSecondsEarned, p.LastUpdate = p.earned(v.Balance.Amount, now).String(), now
	v.Policy.CoinDays = &p
	v.Balance.Amount += amount
}
