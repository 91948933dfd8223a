package produce

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
	"billfold/sandbox/chain/state"
)

// makeBudget turns the fees collected since the last maintenance, and what is left
// of the previous budget, into the miners' pay until the next maintenance. It
// corrects the supply to what really exists: without the fees, with what was mined.
func makeBudget(s *state.State) {
	d, core := s.Dynamic(), s.Assets.Data(ledger.CoreAsset)
	b := state.Budget{
		FromInitialReserve:      s.Assets.Get(ledger.CoreAsset).Options.MaxSupply - core.CurrentSupply,
		FromAccumulatedFees:     core.AssetPool + d.UnspentFeeBudget,
		GeneratedInLastInterval: d.MinedRewards + d.MinerBudgetFromFees - d.UnspentFeeBudget,
		RealSupply:              s.RealSupply(),
		NextMaintenanceTime:     d.NextMaintenanceTime, BlockInterval: s.Parameters().BlockInterval,
	}
	if d.LastBudgetTime != 0 && d.Time > d.LastBudgetTime {
		b.TimeSinceLastBudget = uint64(d.Time - d.LastBudgetTime)
	}
	mining := miningBudget(s, blocksUntil(s, d.NextMaintenanceTime))
	b.PlannedForMining = mining + b.FromAccumulatedFees
	b.SupplyDelta = b.GeneratedInLastInterval - core.AssetPool
	s.Assets.ChangeData(ledger.CoreAsset, func(a *state.AssetData) { a.CurrentSupply, a.AssetPool = a.CurrentSupply+b.SupplyDelta, 0 })
	s.ChangeDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.MinerBudgetFromFees, d.UnspentFeeBudget = b.FromAccumulatedFees, b.FromAccumulatedFees
		d.MinerBudgetFromRewards, d.MinedRewards, d.LastBudgetTime = mining, 0, d.Time
	})
	s.Budgets.Add(s.HeadTime(), b)
}

// blocksUntil returns how many blocks are planned until t.
func blocksUntil(s *state.State, t ledger.Time) int64 {
	return max(blocksIn(int64(t)-int64(s.HeadTime()), s.Parameters().BlockInterval)-int64(s.Parameters().MaintenanceSkipSlots), 0)
}

// blocksIn returns how many block intervals begin in that many seconds.
func blocksIn(seconds int64, interval uint8) int64 {
	return (seconds + int64(interval) - 1) / int64(interval)
}

// rewards are the amounts of new DCT per block, in smallest units, for blocks below each height.
var rewards = []struct {
	below  int64
	amount int64
}{{100000, 0}, {31653280, 37000000}, {63206560, 18500000}, {94777120, 9250000}, {126330400, 4625000}}

// NewAssetAt returns how much DCT block num creates, in smallest units.
func NewAssetAt(num uint32) int64 { return rewardAt(int64(num)) }

func rewardAt(num int64) int64 {
	for _, r := range rewards {
		if num < r.below {
			return r.amount
		}
	}
	return 0
}

// miningBudget returns how much DCT the next blocks will create. At most one step
// between two rewards is taken into account.
func miningBudget(s *state.State, blocks int64) int64 {
	head := int64(s.Dynamic().HeadBlockNumber)
	now := rewardAt(head)
	for _, r := range rewards {
		if head <= r.below {
			if before := r.below - head - 1; head+1+blocks >= r.below {
				return now*before + rewardAt(r.below)*(blocks-before)
			}
			break
		}
	}
	return now * blocks
}

// MaintenanceInfo describes the maintenance interval around a time.
type MaintenanceInfo struct {
	TimeToMaint         int64 `json:"time_to_maint"` // seconds
	FromAccumulatedFees int64 `json:"from_accumulated_fees"`
	BlockInterval       uint8 `json:"block_interval"` // seconds
}

// TimeToMaintenance returns how long after t the next maintenance is due. It fails
// if t is after the next maintenance of the chain.
func TimeToMaintenance(s *state.State, t ledger.Time) (MaintenanceInfo, *nodeerr.Error) {
	n, fault := budgetAt(s, t)
	if fault != nil {
		return MaintenanceInfo{}, fault
	}
	r := s.Budgets.Get(n).Record
	return MaintenanceInfo{int64(r.NextMaintenanceTime) - int64(t), r.FromAccumulatedFees, r.BlockInterval}, nil
}

// PayFromFees returns what the miner of a block at time t earns from fees.
func PayFromFees(s *state.State, t ledger.Time) (int64, *nodeerr.Error) {
	n, fault := budgetAt(s, t)
	if fault != nil {
		return 0, fault
	}
	r := s.Budgets.Get(n).Record
	start := s.Blocks.Get(1).Timestamp
	if n > 0 {
		start = s.Budgets.Get(n - 1).Record.NextMaintenanceTime
	}
	if blocks := blocksIn(int64(r.NextMaintenanceTime)-int64(start), r.BlockInterval); blocks > 0 {
		return r.FromAccumulatedFees / blocks, nil
	}
	return 0, nil
}

// budgetAt returns the number of the budget in force at time t.
func budgetAt(s *state.State, t ledger.Time) (uint64, *nodeerr.Error) {
	for n, b := range s.Budgets.All() {
		if b.Record.NextMaintenanceTime > t {
			return n, nil
		}
	}
	return 0, nodeerr.Assert("get_time_to_maint_by_block_time",
		"idx.crbegin()->record.next_maintenance_time > block_time: no budget is made for ${t} yet",
		nodeerr.Data{"t": t})
}
