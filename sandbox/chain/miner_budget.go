package chain

import (
	"billfold/ledger"
	"billfold/sandbox/chain/nodeerr"
)

// BudgetRecord is the object 2.11.N: what one maintenance found and planned.
type BudgetRecord struct {
	ID     ledger.ObjectID `json:"id"`
	Time   ledger.Time     `json:"time"`
	Record Budget          `json:"record"`
}

// Budget is where the pay of the miners comes from, in smallest units of DCT.
type Budget struct {
	TimeSinceLastBudget     uint64      `json:"time_since_last_budget"` // seconds
	FromInitialReserve      int64       `json:"from_initial_reserve"`
	FromAccumulatedFees     int64       `json:"from_accumulated_fees"`
	PlannedForMining        int64       `json:"planned_for_mining"`
	GeneratedInLastInterval int64       `json:"generated_in_last_interval"`
	SupplyDelta             int64       `json:"supply_delta"`
	RealSupply              Supply      `json:"_real_supply"`
	NextMaintenanceTime     ledger.Time `json:"next_maintenance_time"`
	BlockInterval           uint8       `json:"block_interval"` // seconds
}

const typeBudgetRecord = 11

// makeBudget turns the fees collected since the last maintenance, and what was
// left of the budget before, into the pay of the miners until the next one. The
// supply becomes what really exists: without the fees, with what was mined.
func (s *State) makeBudget() {
	d, core := s.dynamic, s.AssetData(s.Asset(ledger.CoreAsset).DynamicAssetDataID)
	b := Budget{
		FromInitialReserve:      s.Asset(ledger.CoreAsset).Options.MaxSupply - core.CurrentSupply,
		FromAccumulatedFees:     core.AssetPool + d.UnspentFeeBudget,
		GeneratedInLastInterval: d.MinedRewards + d.MinerBudgetFromFees - d.UnspentFeeBudget,
		RealSupply:              s.RealSupply(),
		NextMaintenanceTime:     d.NextMaintenanceTime, BlockInterval: s.global.Parameters.BlockInterval,
	}
	if d.LastBudgetTime != 0 && d.Time > d.LastBudgetTime {
		b.TimeSinceLastBudget = uint64(d.Time - d.LastBudgetTime)
	}
	mining := s.miningBudget(s.blocksUntil(d.NextMaintenanceTime))
	b.PlannedForMining = mining + b.FromAccumulatedFees
	b.SupplyDelta = b.GeneratedInLastInterval - core.AssetPool
	s.assetData.change(uint64(core.ID), func(a *AssetData) { a.CurrentSupply, a.AssetPool = a.CurrentSupply+b.SupplyDelta, 0 })
	s.setDynamic(func(d *ledger.DynamicGlobalProperties) {
		d.MinerBudgetFromFees, d.UnspentFeeBudget = b.FromAccumulatedFees, b.FromAccumulatedFees
		d.MinerBudgetFromRewards, d.MinedRewards, d.LastBudgetTime = mining, 0, d.Time
	})
	s.budgets.insert(&BudgetRecord{ID: ledger.NewObjectID(2, typeBudgetRecord, s.budgets.next()), Time: s.dynamic.Time, Record: b})
}

// blocksUntil is how many blocks there will be, as far as can be planned.
func (s *State) blocksUntil(t ledger.Time) int64 {
	return max(blocksIn(int64(t)-int64(s.HeadTime()), s.global.Parameters.BlockInterval)-int64(s.global.Parameters.MaintenanceSkipSlots), 0)
}

// blocksIn is how many blocks fit into that many seconds, the last one in part.
func blocksIn(seconds int64, interval uint8) int64 {
	return (seconds + int64(interval) - 1) / int64(interval)
}

// rewards are the new units of DCT per block, from block 0 up to each height.
var rewards = []struct {
	below  int64
	amount int64
}{{100000, 0}, {31653280, 37000000}, {63206560, 18500000}, {94777120, 9250000}, {126330400, 4625000}}

// NewAssetAt gives how much DCT is made in block num, in smallest units.
func (s *State) NewAssetAt(num uint32) int64 { return rewardAt(int64(num)) }

func rewardAt(num int64) int64 {
	for _, r := range rewards {
		if num < r.below {
			return r.amount
		}
	}
	return 0
}

// miningBudget is how much will be made in the next blocks. A step between two
// rewards is taken into account once.
func (s *State) miningBudget(blocks int64) int64 {
	head := int64(s.dynamic.HeadBlockNumber)
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

// MaintenanceInfo says what the miners earn from fees around a moment.
type MaintenanceInfo struct {
	TimeToMaint         int64 `json:"time_to_maint"` // seconds
	FromAccumulatedFees int64 `json:"from_accumulated_fees"`
	BlockInterval       uint8 `json:"block_interval"` // seconds
}

// TimeToMaintenance tells how long after t the maintenance comes. It fails for
// a time after the next one.
func (s *State) TimeToMaintenance(t ledger.Time) (MaintenanceInfo, *nodeerr.Fault) {
	n, fault := s.budgetAt(t)
	if fault != nil {
		return MaintenanceInfo{}, fault
	}
	r := s.budgets.get(n).Record
	return MaintenanceInfo{int64(r.NextMaintenanceTime) - int64(t), r.FromAccumulatedFees, r.BlockInterval}, nil
}

// PayFromFees is what the miner of a block of that time earns from fees.
func (s *State) PayFromFees(t ledger.Time) (int64, *nodeerr.Fault) {
	n, fault := s.budgetAt(t)
	if fault != nil {
		return 0, fault
	}
	r := s.budgets.get(n).Record
	begin := s.blocks[0].Timestamp
	if n > 0 {
		begin = s.budgets.get(n - 1).Record.NextMaintenanceTime
	}
	if blocks := blocksIn(int64(r.NextMaintenanceTime)-int64(begin), r.BlockInterval); blocks > 0 {
		return r.FromAccumulatedFees / blocks, nil
	}
	return 0, nil
}

// budgetAt finds the budget in force at a time.
func (s *State) budgetAt(t ledger.Time) (uint64, *nodeerr.Fault) {
	for n, b := range s.budgets.rows {
		if b.Record.NextMaintenanceTime > t {
			return uint64(n), nil
		}
	}
	return 0, nodeerr.Assert("get_time_to_maint_by_block_time", "idx.crbegin()->record.next_maintenance_time > block_time: no budget is made for ${t} yet", nodeerr.Data{"t": t})
}
